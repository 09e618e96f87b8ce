import { signal } from '@preact/signals'
import { holds } from '../../core/permissions.ts'
import type { Overwrite, Role } from '../../features/roles/model.ts'
import { call, gateway, state } from './session.ts'
import type { ServerChannel } from './state.ts'

const PAGE = 100
/** Clients that gain a channel at the same time ask within this. */
const SPREAD_MS = 3_000

export type Said = Pick<Overwrite, 'allow' | 'deny'>
const NOTHING: Said = { allow: 0, deny: 0 }
/** Overwrites for the role of everyone, by channel or category, as far as they are loaded. */
const ofEveryone = signal<ReadonlyMap<number, Said>>(new Map())
/** Servers whose overwrites were fetched since the connection began. */
const requestedServers = new Set<number>()
/** Channels whose overwrites came by an event since then, so that they are newer than a pending answer. */
const updatedChannels = new Set<number>()

export const roleOfEveryone = (server_id: number): Role | undefined =>
  [...state.roles.values()].find((role) => role.server_id === server_id && role.is_everyone)

/** Fetches the overwrites for everyone in a server's channels, once; events bring later changes. */
export async function loadPrivacy(server_id: number): Promise<void> {
  const role = roleOfEveryone(server_id)
  if (!role || requestedServers.has(server_id)) return
  requestedServers.add(server_id)
  try {
    const rows = await overwritesOfRole(role.id)
    const channels = [...state.channels.values()].filter((channel) => channel.server_id === server_id)
    remember(channels.flatMap(({ id }) => (updatedChannels.has(id) ? [] : [[id, rows.get(id) ?? NOTHING]])))
  } catch {
    requestedServers.delete(server_id)
  }
}

/** Overwrites for a role, by channel that the account sees. */
export async function overwritesOfRole(role_id: number): Promise<Map<number, Said>> {
  const all: Overwrite[] = []
  for (let isMore = true; isMore;) {
    const after = all.at(-1)?.channel_id ?? 0
    const page = await call('GET /api/roles/:role_id/overwrites', { role_id, limit: PAGE, after })
    all.push(...page)
    isMore = page.length === PAGE
  }
  return new Map(all.map((row) => [row.channel_id, row]))
}

const remember = (rows: [number, Said][]): unknown => (ofEveryone.value = new Map([...ofEveryone.value, ...rows]))

/** True if the overwrite allows view_channel, false if it denies it; undefined if it inherits or none is loaded. */
export const viewIn = (overwrite: Said | undefined): boolean | undefined =>
  overwrite === undefined
    ? undefined
    : holds(overwrite.allow, 'view_channel')
      ? true
      : holds(overwrite.deny, 'view_channel')
        ? false
        : undefined

/** True if the channel is hidden from members without a role that shows it. */
export function isPrivate({
  id,
  parent_id,
  server_id,
}: Pick<ServerChannel, 'id' | 'parent_id' | 'server_id'>): boolean {
  const everyone = roleOfEveryone(server_id)
  if (!everyone || holds(everyone.permissions, 'administrator')) return false
  const ofChannel = viewIn(ofEveryone.value.get(id))
  const around = viewIn(ofEveryone.value.get(parent_id ?? 0))
  return !(ofChannel ?? around ?? holds(everyone.permissions, 'view_channel'))
}

gateway.listen(({ t, s, d }) => {
  if (t === 'ready') {
    updatedChannels.clear()
    for (const server_id of requestedServers) askAgain(server_id)
  } else if (t === 'channel.permissions_updated' && d.overwrites !== null) {
    const role = roleOfEveryone(d.server_id)
    updatedChannels.add(d.id)
    remember([[d.id, d.overwrites.find(({ role_id }) => role_id === role?.id) ?? NOTHING]])
  } else if (t === 'channel.permissions_updated' || (t === 'channel.created' && s === undefined)) {
    // Many have changed at once, or the account has gained a channel that may be older.
    updatedChannels.delete(d.id)
    if (d.server_id !== null) askAgain(d.server_id)
  }
})

function askAgain(server_id: number): void {
  if (!requestedServers.delete(server_id)) return
  setTimeout(() => void loadPrivacy(server_id), Math.random() * SPREAD_MS)
}
