import type { z } from 'zod'
import type { Parts } from '../../parts.ts'
import { DEVICE_CHANGES_ANSWERED_MAX, DEVICE_CHANGES_KEPT, type deviceKeyCommands } from './model.ts'

// The logs of accounts' devices for encrypted calls. Each is a chain of hashes, which clients remember: when the server
// changes the past of a log, every client that has seen the former one notices (docs/voice.md). The database function
// log_devices is the only writer.

type DeviceLogs = z.output<(typeof deviceKeyCommands)['voice.device_logs']['answer']>
type DeviceLog = DeviceLogs['accounts'][number]
type Change = DeviceLog['changes'][number]

interface LogRow extends Omit<DeviceLog, 'changes'> {
  /** Devices have come or gone since the last entry. */
  is_stale: boolean
}

/** An account, and the length of its log that the client remembers. */
interface LogRequest {
  user_id: number
  after?: number | undefined
}

/** The device logs of accounts that share a server, dm or group with the reader. */
export async function readDeviceLogs(
  parts: Pick<Parts, 'sql' | 'write'>,
  readerId: number,
  requests: LogRequest[],
): Promise<DeviceLogs> {
  const ids = requests.map(({ user_id }) => user_id)
  let rows = await readRows(parts, readerId, ids)
  const staleIds = rows.filter(({ is_stale }) => is_stale).map(({ user_id }) => user_id)
  if (staleIds.length > 0) {
    await parts.write(async (tx) => tx`select log_devices(${staleIds}::bigint[], ${DEVICE_CHANGES_KEPT})`)
    rows = await readRows(parts, readerId, ids)
  }
  return withChanges(parts, rows, new Map(requests.map(({ user_id, after }) => [user_id, after])))
}

const readRows = ({ sql }: Pick<Parts, 'sql'>, readerId: number, ids: number[]) => sql<LogRow[]>`
  select asked.id as user_id, coalesce(l.length, 0) as length, encode(coalesce(l.head, zeros.head), 'hex') as head,
    encode(coalesce((select e.head from device_log_entries e
      where e.user_id = l.user_id and e.position = l.length - 1), zeros.head), 'hex') as previous,
    array(select encode(k.key, 'hex') from unnest(l.keys) k (key) order by k.key) as keys,
    coalesce(l.keys, '{}') <> array(select distinct s.device_key from sessions s where s.user_id = asked.id
      and s.device_key is not null and s.expires_at > now() order by s.device_key) as is_stale
  from unnest(${ids}::bigint[]) asked (id) cross join (select decode(repeat('00', 32), 'hex') as head) zeros
  left join device_logs l on l.user_id = asked.id
  where shares_place(${readerId}, asked.id) order by asked.id`

/** Adds the changes that the client lacks. Accounts whose changes do not fit into the answer are left out. */
async function withChanges(
  { sql }: Pick<Parts, 'sql'>,
  rows: LogRow[],
  lengths: ReadonlyMap<number, number | undefined>,
): Promise<DeviceLogs> {
  const logs: DeviceLog[] = []
  const ranges: { user_id: number; after: number; length: number }[] = []
  const omittedIds: number[] = []
  let count = 0
  for (const { is_stale: _isStale, ...row } of rows) {
    const { user_id, length } = row
    const after = lengths.get(user_id) ?? length
    const changes = Math.min(Math.max(0, length - after), DEVICE_CHANGES_KEPT)
    if (logs.length > 0 && count + changes > DEVICE_CHANGES_ANSWERED_MAX) {
      omittedIds.push(user_id)
      continue
    }
    count += changes
    logs.push({ ...row, changes: [] })
    if (changes > 0) ranges.push({ user_id, after, length })
  }
  if (ranges.length > 0) {
    const entries = await sql<(Change & { user_id: number })[]>`
      select e.user_id, case when e.is_added then 'added' else 'removed' end as kind, encode(e.key, 'hex') as key
      from device_log_entries e join unnest(${ranges.map(({ user_id }) => user_id)}::bigint[],
        ${ranges.map(({ after }) => after)}::int[], ${ranges.map(({ length }) => length)}::int[])
        asked (id, after, length) on asked.id = e.user_id
      where e.position > asked.after and e.position <= asked.length order by e.user_id, e.position`
    const changesById = new Map(logs.map(({ user_id, changes }) => [user_id, changes]))
    for (const { user_id, kind, key } of entries) changesById.get(user_id)?.push({ kind, key })
  }
  return { accounts: logs, left_out: omittedIds }
}
