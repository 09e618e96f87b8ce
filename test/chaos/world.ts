import { permissions } from '../../src/core/permissions.ts'
import { openTokens } from '../../src/features/sessions/token.ts'
import { type Api, must } from './api.ts'
import type { Cluster } from './cluster.ts'
import { CLIENTS, type PlaceName, PLACES, type Plan } from './plan.ts'

const AT_ONCE = 16

interface Account {
  id: number
  token: string
}

/** A server of the run: its owner is the client of the same number. */
export interface Place {
  server_id: number
  channels: Record<PlaceName, number>
  everyone_id: number
  /** The role that shows the vault, and the hall while it is hidden. */
  key_id: number
  invite: string
}

export interface World {
  /** By client; the probe's is the last. */
  accounts: Account[]
  /** By server; the probe's is the last. */
  places: Place[]
}

/** Accounts that are logged in: made by SQL, since a password costs 66 ms. */
async function makeAccounts(cluster: Cluster, count: number): Promise<Account[]> {
  const sql = cluster.database()
  await sql`insert into users (username, email, password_hash, display_name, dms_from)
    select 'user' || n, 'user' || n || '@example.org', 'none', 'User ' || n, 'everyone'
    from generate_series(1, ${count}::int) n order by n`
  const sessions = await sql<{ id: number; user_id: number; ver: number; expires_at: string }[]>`
    insert into sessions (user_id, expires_at, ip)
    select id, now() + interval '1 day', '127.0.0.1' from users order by id
    returning id, user_id, ver, expires_at`
  const [secret] = await sql<{ value: string }[]>`select value from secrets where name = 'jwt'`
  await sql.end()
  const tokens = openTokens(secret?.value ?? '')
  const accounts = sessions.map(async (session) => ({ id: session.user_id, token: await tokens.sign(session) }))
  return (await Promise.all(accounts)).toSorted((a, b) => a.id - b.id)
}

async function makePlace(api: Api, token: string, name: string): Promise<Place> {
  const ask = async (method: string, path: string, body?: unknown) => must(await api.call(token, method, path, body))
  const server_id: number = (await ask('POST', '/api/servers', { name })).id
  const [general] = await ask('GET', `/api/servers/${server_id}/channels`)
  const [everyone] = await ask('GET', `/api/servers/${server_id}/roles`)
  const key = await ask('POST', `/api/servers/${server_id}/roles`, { name: 'Key' })
  const channel = async (name: PlaceName, type = 'text'): Promise<number> =>
    (await ask('POST', `/api/servers/${server_id}/channels`, { name, type })).id
  const [vault, hall, yard] = [await channel('vault'), await channel('hall'), await channel('yard')]
  const channels = { general: general.id as number, vault, hall, yard, lounge: await channel('lounge', 'voice') }
  const view = permissions('view_channel')
  await ask('PUT', `/api/channels/${channels.vault}/permissions/${everyone.id}`, { deny: view })
  await ask('PUT', `/api/channels/${channels.vault}/permissions/${key.id}`, { allow: view })
  await ask('PUT', `/api/channels/${channels.hall}/permissions/${key.id}`, { allow: view })
  const { code } = await ask('POST', '/api/invites', { server_id, expires_in: 0 })
  return { server_id, channels, everyone_id: everyone.id, key_id: key.id, invite: code }
}

/** Fills the empty database with the plan's initial state, by the interface where that is quick. */
export async function makeWorld(cluster: Cluster, api: Api, plan: Plan): Promise<World> {
  const accounts = await makeAccounts(cluster, CLIENTS + 1)
  const tokenOf = (client: number) => accounts[client]?.token ?? ''
  const owners = [...plan.members.keys(), CLIENTS]
  const places = await Promise.all(owners.map((owner) => makePlace(api, tokenOf(owner), `Server ${owner}`)))
  const joins = plan.members.flatMap((members, server) =>
    [...members].filter((client) => client !== server).map((client) => ({ client, code: places[server]?.invite })),
  )
  const join = async () => {
    for (let next = joins.pop(); next; next = joins.pop())
      must(await api.call(tokenOf(next.client), 'POST', `/api/invites/${next.code}/join`))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, join))
  return { accounts, places }
}

/** Maps ids to the server and channel of the plan. */
export function openAtlas({ places }: World) {
  const channels = new Map(
    places.flatMap((place, server) => PLACES.map((name) => [place.channels[name], { server, name }] as const)),
  )
  const servers = new Map(places.map(({ server_id }, server) => [server_id, server] as const))
  return { channel: (id: number) => channels.get(id), server: (id: number) => servers.get(id) }
}
export type Atlas = ReturnType<typeof openAtlas>
