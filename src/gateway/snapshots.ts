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

type Unsplit = Omit<Snapshot, 'part' | 'parts'>

/** The snapshots of these servers, not yet split, by four statements however many servers there are. */
export async function loadSnapshots(
  sql: Sql,
  access: Access,
  ids: number[],
  statusOf: (user_id: number) => Status,
): Promise<Unsplit[]> {
  if (ids.length === 0) return []
  const visible = access.channels.map((channel) => channel.id)
  const [servers, channels, roles, members] = await Promise.all([
    sql<Server[]>`select ${columns(sql, Server)} from servers where id = any(${ids}) order by id`,
    sql<Channel[]>`select ${columns(sql, Channel, 'c')} from channels c
      where c.server_id = any(${ids}) and c.id = any(${visible}) order by c.position`,
    sql<Role[]>`select ${columns(sql, Role)} from roles where server_id = any(${ids}) order by position`,
    selectMembers(sql, sql`m.user_id = ${access.user_id} and m.server_id = any(${ids})`),
  ])
  const channelsOf = Map.groupBy(channels, (channel) => channel.server_id)
  const rolesOf = Map.groupBy(roles, (role) => role.server_id)
  return servers.map((server) => ({
    server,
    channels: channelsOf.get(server.id) ?? [],
    roles: rolesOf.get(server.id) ?? [],
    me: { ...found(members.find((member) => member.server_id === server.id)), status: statusOf(access.user_id) },
    permissions: found(access.servers.find(({ id }) => id === server.id)).permissions,
  }))
}

/** For the frame's envelope and the numbers of parts. */
const ENVELOPE_BYTES = 256
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value)) + 1

/** Splits a snapshot whose channels and roles exceed SNAPSHOT_BYTES_MAX into parts; others are one part. */
export function snapshotParts({ channels, roles, ...rest }: Unsplit): Snapshot[] {
  type Rows = Pick<Snapshot, 'channels' | 'roles'>
  const bytes_max = SNAPSHOT_BYTES_MAX - ENVELOPE_BYTES - bytesOf(rest)
  let [current, left]: [Rows, number] = [{ channels: [], roles: [] }, bytes_max]
  const parts = [current]
  const partFor = (row: Channel | Role) => {
    const bytes = bytesOf(row)
    if (bytes > left) {
      ;[current, left] = [{ channels: [], roles: [] }, bytes_max]
      parts.push(current)
    }
    left -= bytes
    return current
  }
  for (const channel of channels) partFor(channel).channels.push(channel)
  for (const role of roles) partFor(role).roles.push(role)
  return parts.map((rows, at) => ({ ...rest, ...rows, part: at + 1, parts: parts.length }))
}

export const snapshotText = (part: Snapshot): string => ephemeralText('server.snapshot', part)
