import { columns, type Sql } from '../../adapters/database.ts'
import { eventFrame } from '../../core/contract.ts'
import { found } from '../../core/errors.ts'
import { Channel } from '../channels/model.ts'
import { selectMembers } from '../members/membership.ts'
import type { Status } from '../members/model.ts'
import { Role } from '../roles/model.ts'
import { Server } from '../servers/model.ts'
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

/** The parts of one snapshot: one, unless its channels and roles outgrow SNAPSHOT_BYTES_MAX. */
export function snapshotParts(snapshot: Omit<Snapshot, 'part' | 'parts'>): Snapshot[] {
  const { channels, roles } = snapshot
  const whole = Buffer.byteLength(JSON.stringify(snapshot))
  // A row is at most 9 KB, so that parts filled to half leave room for the unevenness between them.
  const parts = Math.ceil(whole / (whole > SNAPSHOT_BYTES_MAX - 64 ? SNAPSHOT_BYTES_MAX / 2 : SNAPSHOT_BYTES_MAX))
  const share = <T>(rows: T[], part: number) =>
    rows.slice(Math.floor((rows.length * part) / parts), Math.floor((rows.length * (part + 1)) / parts))
  return Array.from({ length: parts }, (_, part) => ({
    ...snapshot,
    channels: share(channels, part),
    roles: share(roles, part),
    part: part + 1,
    parts,
  }))
}

export const snapshotFrame = (part: Snapshot): string => eventFrame('server.snapshot', undefined, JSON.stringify(part))
