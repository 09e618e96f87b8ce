import type { Database } from '../../adapters/database.ts'
import type { Bus } from '../../adapters/bus.ts'
import { errorFields, type Log } from '../../adapters/log.ts'
import type { Nodes } from '../../adapters/nodes.ts'
import { eventFrame, topic } from '../../core/contract.ts'
import type { Status } from '../members/model.ts'
import { PRESENCE_MEMBERS_MAX } from './model.ts'

/** How long a status lasts before it is told: people reload pages and lose networks. Source: gateway.md, "Events". */
const DEBOUNCE_MS = 5_000
const OFFLINE_DEBOUNCE_MS = 30_000
const BATCH_MS = 2_000

interface Entry {
  /** Of this node. */
  sockets: number
  /** What the account's clients have set on this node, and when; 0 when they have said nothing. */
  wanted: 'online' | 'idle'
  set_at: number
  /** What is true of all nodes together. */
  current: Status
  /** What others have been told. */
  told: Status
  /** When what is true now will be told, milliseconds since the epoch. */
  due_at: number
}

/**
 * Who is online, kept in memory, told to others late and together. Every node knows of the sockets of all, and tells
 * its own alone.
 */
export function openPresence(sql: Database, bus: Bus, nodes: Pick<Nodes, 'table'>, log: Log) {
  const entries = new Map<number, Entry>()
  const changed = new Set<number>()
  const table = nodes.table('presence')

  function entryOf(user_id: number): Entry {
    const known = entries.get(user_id)
    if (known) return known
    const entry: Entry = { sockets: 0, wanted: 'online', set_at: 0, current: 'offline', told: 'offline', due_at: 0 }
    entries.set(user_id, entry)
    return entry
  }

  /** @param died whether a node that had sockets of the account is dead: its silence was the debounce */
  function look(user_id: number, died: boolean): void {
    if (!Number.isSafeInteger(user_id)) return
    const status = combined(table.at(String(user_id)).values())
    const entry = entryOf(user_id)
    // What changes nothing puts nothing off: a client may say again and again that it is there.
    if (status !== entry.current)
      entry.due_at = died ? 0 : Date.now() + (status === 'offline' ? OFFLINE_DEBOUNCE_MS : DEBOUNCE_MS)
    entry.current = status
    if (status === entry.told && status !== 'offline') changed.delete(user_id)
    else changed.add(user_id)
  }

  function change(user_id: number, update: (entry: Entry) => void): void {
    const entry = entryOf(user_id)
    update(entry)
    const { sockets, wanted, set_at } = entry
    table.put(String(user_id), sockets > 0 ? rowOf(wanted, set_at) : undefined)
    if (sockets > 0) return
    // Also when no row has changed: whoever has an entry is let go of some time.
    if (entry.current === 'offline') changed.add(user_id)
    else Object.assign(entry, { wanted: 'online', set_at: 0 })
  }

  /** What is due, account → status. What came to nothing within its debounce is forgotten. */
  function collect(): Map<number, Status> {
    const now = Date.now()
    const due = new Map<number, Status>()
    for (const user_id of changed) {
      const entry = entries.get(user_id)
      if (!entry || entry.due_at > now) continue
      if (entry.current === entry.told) settle(user_id, entry.told)
      else due.set(user_id, entry.current)
    }
    return due
  }

  /** Others know now; unless something else is true by now, that is all. */
  function settle(user_id: number, told: Status): void {
    const entry = entryOf(user_id)
    entry.told = told
    if (entry.current !== told) return void changed.add(user_id)
    changed.delete(user_id)
    if (told === 'offline') entries.delete(user_id)
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
    const deliver = (name: string, user_ids: number[]) => {
      const users = user_ids.map((user_id) => ({ user_id, status: due.get(user_id) }))
      bus.deliver(name, eventFrame('presence.updated', undefined, JSON.stringify({ users })))
    }
    for (const { server_id, user_ids } of servers) deliver(topic.server(server_id).topic, user_ids)
    for (const { user_id, user_ids } of friends) deliver(topic.user(user_id).topic, user_ids)
  }

  /** What others may know of the account's presence at this moment. */
  function statusOf(user_id: number): Status {
    const entry = entries.get(user_id)
    if (!entry) return 'offline'
    // Until the debounce has passed, one who has just gone still counts as what was told.
    return entry.current === 'offline' ? entry.told : entry.current
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
      const entry = entryOf(user_id)
      // Others need not hear what they know.
      if (entry.wanted === status && entry.current === status) return
      change(user_id, () => Object.assign(entry, { wanted: status, set_at: Date.now() }))
    },
    stop: () => clearInterval(timer),
  }
}

/** A node's row: what was set there, and when it was; most never set anything, and share one short text. */
const rowOf = (wanted: 'online' | 'idle', set_at: number): string => (set_at === 0 ? wanted : `${wanted} ${set_at}`)

/** Of what was set on several nodes the latest holds, as it does on one. */
function combined(rows: Iterable<string>): Status {
  let [status, newest]: [Status, number] = ['offline', -1]
  for (const row of rows) {
    const [wanted, set_at = '0'] = row.split(' ')
    if ((wanted !== 'online' && wanted !== 'idle') || Number(set_at) <= newest) continue
    ;[status, newest] = [wanted, Number(set_at)]
  }
  return status
}

export type Presence = ReturnType<typeof openPresence>
