import { columns, type Sql } from '../database/database.ts'
import { ephemeralText } from '../core/events.ts'
import { found } from '../core/errors.ts'
import { Channel } from '../features/channels/model.ts'
import { selectMembers } from '../features/members/membership.ts'
import type { Status } from '../features/members/model.ts'
import { Role } from '../features/roles/model.ts'
import { Server } from '../features/servers/model.ts'
import type { Access } from './access.ts'
import { type Snapshot, SNAPSHOT_BYTES_MAX } from './model.ts'

/** Everything that `server.snapshot` says of the given servers, in four statements however many they are. */
export async function loadSnapshots(sql: Sql, access: Access, ids: number[], statusOf: (user_id: number) => Status) {
  if (ids.length === 0) return []
  const seen = access.channels.map((channel) => channel.id)
  const [servers, channels, roles, members] = await Promise.all([
    sql<Server[]>`select ${columns(sql, Server)} from servers where id = any(${ids}) order by id`,
    sql<Channel[]>`select ${columns(sql, Channel, 'c')} from channels c
      where c.server_id = any(${ids}) and c.id = any(${seen}) order by c.position`,
    sql<Role[]>`select ${columns(sql, Role)} from roles where server_id = any(${ids}) order by position`,
    selectMembers(sql, sql`m.user_id = ${access.user_id} and m.server_id = any(${ids})`),
  ])
  const channelsOf = Map.groupBy(channels, (channel) => channel.server_id)
  const rolesOf = Map.groupBy(roles, (role) => role.server_id)
  return servers.map((server): Omit<Snapshot, 'part' | 'parts'> => ({
    server,
    channels: channelsOf.get(server.id) ?? [],
    roles: rolesOf.get(server.id) ?? [],
    me: { ...found(members.find((member) => member.server_id === server.id)), status: statusOf(access.user_id) },
    permissions: found(access.servers.find(({ id }) => id === server.id)).permissions,
  }))
}

/** Room for the envelope and the counts of parts. */
const ENVELOPE_BYTES = 256
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value)) + 1

/** The parts of one snapshot: one, unless its channels and roles outgrow SNAPSHOT_BYTES_MAX. */
export function snapshotParts({ channels, roles, ...rest }: Omit<Snapshot, 'part' | 'parts'>): Snapshot[] {
  const room = SNAPSHOT_BYTES_MAX - ENVELOPE_BYTES - bytesOf(rest)
  let [current, left] = [{ channels: [] as Channel[], roles: [] as Role[] }, room]
  const parts = [current]
  const partFor = (row: Channel | Role) => {
    const bytes = bytesOf(row)
    if (bytes > left) {
      ;[current, left] = [{ channels: [], roles: [] }, room]
      parts.push(current)
    }
    left -= bytes
    return current
  }
  for (const channel of channels) partFor(channel).channels.push(channel)
  for (const role of roles) partFor(role).roles.push(role)
  return parts.map((rows, at) => ({ ...rest, ...rows, part: at + 1, parts: parts.length }))
}

export const snapshotFrame = (part: Snapshot): string => ephemeralText('server.snapshot', part)
