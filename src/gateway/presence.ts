import type { Database } from '../database/database.ts'
import type { Bus } from '../events/bus.ts'
import { errorFields, type Log } from '../core/log.ts'
import type { Nodes } from '../cluster/nodes.ts'
import { type Audience, eventFrame, topic } from '../core/events.ts'
import type { Status } from '../features/members/model.ts'
import { PRESENCE_MEMBERS_MAX } from './model.ts'

/** How long a status lasts before it is told: people reload pages and lose networks. Source: gateway.md, "Events". */
const DEBOUNCE_MS = 5_000
const OFFLINE_DEBOUNCE_MS = 30_000
const BATCH_MS = 2_000

/** Of who has sockets on this node, or whose status is still to be told. */
interface Entry {
  /** Of this node. */
  sockets: number
  /** What the account's clients have set on this node, and when; 0 when they have said nothing. */
  wanted: 'online' | 'idle'
  set_at: number
  /** What is true of all nodes together. */
  current: Status
  /** When what is true now will be told, milliseconds since the epoch. */
  due_at: number
}

/**
 * Who is online, kept in memory, told to others late and together. Every node knows of the sockets of all, and tells
 * its own alone.
 */
export function openPresence(sql: Database, bus: Bus, nodes: Pick<Nodes, 'table'>, log: Log) {
  const entries = new Map<number, Entry>()
  /** What others have been told of everybody who is not offline: true as well of who has no entry. */
  const told = new Map<number, Status>()
  const changed = new Set<number>()
  const table = nodes.table('presence')

  const toldOf = (user_id: number): Status => told.get(user_id) ?? 'offline'
  const currentOf = (user_id: number): Status => entries.get(user_id)?.current ?? toldOf(user_id)

  function entryOf(user_id: number): Entry {
    const known = entries.get(user_id)
    if (known) return known
    const entry: Entry = { sockets: 0, wanted: 'online', set_at: 0, current: toldOf(user_id), due_at: 0 }
    entries.set(user_id, entry)
    return entry
  }

  /** @param died whether a node that had sockets of the account is dead: its silence was the debounce */
  function look(user_id: number, died: boolean): void {
    if (!Number.isSafeInteger(user_id)) return
    const status = combined(table.at(String(user_id)).values())
    // What changes nothing puts nothing off: a client may say again and again that it is there.
    if (status === currentOf(user_id)) return
    const debounce_ms = status === 'offline' ? OFFLINE_DEBOUNCE_MS : DEBOUNCE_MS
    Object.assign(entryOf(user_id), { current: status, due_at: died ? 0 : Date.now() + debounce_ms })
    changed.add(user_id)
  }

  function change(user_id: number, update: (entry: Entry) => void): void {
    const entry = entryOf(user_id)
    update(entry)
    const { sockets, wanted, set_at } = entry
    table.put(String(user_id), sockets > 0 ? rowOf(wanted, set_at) : undefined)
    if (sockets > 0) return
    // What was set here holds while the account may come back, and not longer than its sockets elsewhere.
    if (entry.current !== 'offline') Object.assign(entry, { wanted: 'online', set_at: 0 })
    changed.add(user_id)
  }

  /** What is due, account → status. What came to nothing within its debounce is forgotten. */
  function collect(): Map<number, Status> {
    const now = Date.now()
    const due = new Map<number, Status>()
    for (const user_id of changed) {
      if ((entries.get(user_id)?.due_at ?? 0) > now) continue
      const status = currentOf(user_id)
      if (status === toldOf(user_id)) settle(user_id, status)
      else due.set(user_id, status)
    }
    return due
  }

  /** Others know now; unless something else is true by now, that is all. */
  function settle(user_id: number, status: Status): void {
    if (status === 'offline') told.delete(user_id)
    else told.set(user_id, status)
    if (currentOf(user_id) !== status) return
    changed.delete(user_id)
    if (entries.get(user_id)?.sockets === 0) entries.delete(user_id)
  }

  async function tell(): Promise<void> {
    const due = collect()
    if (due.size === 0) return
    const ids = [...due.keys()]
    const servers = await sql<{ server_id: number; user_ids: number[] }[]>`
      select m.server_id, array_agg(m.user_id) as user_ids from members m join servers s on s.id = m.server_id
      where m.user_id = any(${ids}) and s.member_count <= ${PRESENCE_MEMBERS_MAX} group by m.server_id`
    const here = Array.from(entries).flatMap(([user_id, { sockets }]) => (sockets > 0 ? user_id : []))
    const friends = await sql<{ user_id: number; user_ids: number[] }[]>`
      select user_id, array_agg(other_id) as user_ids from relations_of
      where other_id = any(${ids}) and state = 'friends' and user_id = any(${here}) group by user_id`
    for (const [user_id, status] of due) settle(user_id, status)
    const deliver = (to: Audience, user_ids: number[]) => {
      const users = user_ids.map((user_id) => ({ user_id, status: due.get(user_id) }))
      bus.deliver(eventFrame(to, 'presence.updated', undefined, JSON.stringify({ users })))
    }
    for (const { server_id, user_ids } of servers) deliver(topic.server(server_id), user_ids)
    for (const { user_id, user_ids } of friends) deliver(topic.user(user_id), user_ids)
  }

  /** What others may know of the account's presence at this moment. */
  function statusOf(user_id: number): Status {
    const status = currentOf(user_id)
    // Until the debounce has passed, one who has just gone still counts as what was told.
    return status === 'offline' ? toldOf(user_id) : status
  }

  table.onChange((key, died) => look(Number(key), died))
  let telling = false
  const timer = setInterval(() => {
    if (telling) return
    telling = true
    // What could not be told is due still.
    tell()
      .catch((error: unknown) => log('warn', 'presence', errorFields(error)))
      .finally(() => (telling = false))
  }, BATCH_MS)

  return {
    statusOf,
    opened: (user_id: number) => change(user_id, (entry) => void entry.sockets++),
    closed: (user_id: number) => change(user_id, (entry) => void entry.sockets--),
    set(user_id: number, status: 'online' | 'idle') {
      // Others need not hear what they know.
      if (entries.get(user_id)?.wanted === status && currentOf(user_id) === status) return
      // Later than what was set on another node, whose clock may be ahead.
      const set_at = Math.max(Date.now(), newestOf(table.at(String(user_id)).values()) + 1)
      change(user_id, (entry) => void Object.assign(entry, { wanted: status, set_at }))
    },
    stop: () => clearInterval(timer),
  }
}

/** A node's row: what was set there, and when it was; most never set anything, and share one short text. */
const rowOf = (wanted: 'online' | 'idle', set_at: number): string => (set_at === 0 ? wanted : `${wanted} ${set_at}`)

/** When something was set last on any of the nodes; 0 when it never was. */
const newestOf = (rows: Iterable<string>): number => Math.max(0, ...Array.from(rows, (row) => setAtOf(row)))

const setAtOf = (row: string): number => Number(row.split(' ')[1] ?? 0)

/** Of what was set on several nodes the latest holds, as it does on one. */
function combined(rows: Iterable<string>): Status {
  let [status, newest]: [Status, number] = ['offline', -1]
  for (const row of rows) {
    const [[wanted], set_at] = [row.split(' '), setAtOf(row)]
    if ((wanted !== 'online' && wanted !== 'idle') || set_at <= newest) continue
    ;[status, newest] = [wanted, set_at]
  }
  return status
}

export type Presence = ReturnType<typeof openPresence>
