import type { PublicUser } from '../../core/schema.ts'
import { demand, membership } from '../../features/access/guard.ts'
import { integrationOf } from '../shapes/integrations.ts'
import type { Call, Reply } from './call.ts'
import { route } from './router.ts'

/** Integrations per list, as on Discord. */
const BOTS_MAX = 50

/** The bots of a server, as Discord lists them: for manage_server. */
async function list(call: Call): Promise<Reply> {
  const id = await call.id('server', 'guild')
  const { sql } = call.tools.parts
  const { permissions } = await membership(sql, id, call.me.id)
  demand(permissions, 'manage_server')
  const rows = await sql<{ user: PublicUser }[]>`
    select public_user(u) as user from roles r join users u on u.id = r.bot_id
    where r.server_id = ${id} order by u.id limit ${BOTS_MAX}`
  return call.resolve((of) => rows.map(({ user }) => integrationOf(of, user)))
}

/** The only region: Parley chooses no server by place. */
const regions = async (): Promise<Reply> => [
  { id: 'parley', name: 'Parley', optimal: true, deprecated: false, custom: false },
]

export const integrationRoutes = [
  route('GET', '/guilds/:guild/integrations', 'server', list),
  route('GET', '/guilds/:guild/regions', 'server', regions),
  route('GET', '/voice/regions', undefined, regions),
]
