import { Problem } from '../../core/errors.ts'
import { discordBits } from '../permissions.ts'
import { EARLIEST_MS, ID_BITS, readSnowflake } from '../snowflake.ts'
import { numberIn } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { route } from './router.ts'

/** Servers in an answer. */
const GUILDS_MAX = 200

interface Row {
  id: number
  name: string
  owner_id: number
  permissions: number
  member_count: number
  created_at: string
}

/** The time and the lowest bits of a snowflake, by which servers are in order. @throws Problem `bad_request` */
function edgeIn({ query }: Call, name: 'before' | 'after') {
  const text = query.get(name)
  // Libraries send 0 for the beginning.
  if (text === null || text === '0') return undefined
  const named = readSnowflake(text)
  if (!named) throw new Problem('bad_request', `${name} must be an id`)
  return { ms: new Date(named.ms).toISOString(), low: named.low }
}

/** A page of the bot's servers, by their Discord ids. */
async function list(call: Call): Promise<Reply> {
  const { sql } = call.tools.parts
  const { id: me } = call.me
  const limit = Math.max(1, numberIn(call.query, 'limit', GUILDS_MAX) ?? GUILDS_MAX)
  const [before, after] = [edgeIn(call, 'before'), edgeIn(call, 'after')]
  const earliest = new Date(EARLIEST_MS).toISOString()
  const place = sql`(greatest(s.created_at, ${earliest}::timestamptz), s.id % ${2 ** ID_BITS})`
  const rows = await sql<Row[]>`
    select page.*, mp.permissions
    from (
      select s.id, s.name, s.owner_id, s.member_count, s.created_at, ${place} as place
      from members m join servers s on s.id = m.server_id
      where m.user_id = ${me} and s.owner_id is not null
        ${after ? sql`and ${place} > (${after.ms}::timestamptz, ${after.low}::bigint)` : sql``}
        ${before ? sql`and ${place} < (${before.ms}::timestamptz, ${before.low}::bigint)` : sql``}
      order by ${place} ${before && !after ? sql`desc` : sql`asc`} limit ${limit}) page
    cross join lateral (select permissions from member_permissions
      where server_id = page.id and user_id = ${me} offset 0) mp
    order by page.place`
  const hasCounts = call.query.get('with_counts') === 'true'
  return call.resolve((of) =>
    rows.map(({ id, name, owner_id, permissions, member_count, created_at }) => ({
      id: of.id('server', id, created_at),
      name,
      icon: null,
      banner: null,
      owner: owner_id === me,
      permissions: discordBits(permissions),
      features: [],
      // Parley does not count who is online in servers.
      ...(hasCounts ? { approximate_member_count: member_count, approximate_presence_count: 0 } : {}),
    })),
  )
}

export const ownGuildRoutes = [
  route('GET', '/users/@me/guilds', undefined, list),
  route('DELETE', '/users/@me/guilds/:guild', 'server', async (call) => {
    await call.own('DELETE', `/api/servers/${await call.id('server', 'guild')}/members/@me`)
    return undefined
  }),
]
