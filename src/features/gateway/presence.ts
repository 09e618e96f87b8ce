import type { Database } from '../../adapters/database.ts'
import type { Bus } from '../../adapters/bus.ts'
import { errorFields, type Log } from '../../adapters/log.ts'
import { eventFrame, topic } from '../../core/contract.ts'
import type { Status } from '../members/model.ts'
import { PRESENCE_MEMBERS_MAX } from './model.ts'

/** How long a status lasts before it is told: people reload pages and lose networks. Source: gateway.md, "Events". */
const DEBOUNCE_MS = 5_000
const OFFLINE_DEBOUNCE_MS = 30_000
const BATCH_MS = 2_000

interface Entry {
  sockets: number
  /** What the account's clients have set. */
  wanted: 'online' | 'idle'
  /** What others have been told. */
  told: Status
  /** When what is true now will be told, milliseconds since the epoch. */
  due_at: number
}

/** Who is online: kept in memory, told to others late and together. */
export function openPresence(sql: Database, bus: Bus, log: Log) {
  const entries = new Map<number, Entry>()
  const changed = new Set<number>()

  const current = (entry: Entry): Status => (entry.sockets === 0 ? 'offline' : entry.wanted)
  const change = (user_id: number, update: (entry: Entry) => void) => {
    const entry = entries.get(user_id) ?? { sockets: 0, wanted: 'online', told: 'offline', due_at: 0 }
    const before = current(entry)
    update(entry)
    entries.set(user_id, entry)
    const status = current(entry)
    // What changes nothing puts nothing off: a client may say again and again that it is there.
    if (status !== before) entry.due_at = Date.now() + (status === 'offline' ? OFFLINE_DEBOUNCE_MS : DEBOUNCE_MS)
    if (status === entry.told && status !== 'offline') changed.delete(user_id)
    else changed.add(user_id)
  }

  async function tell(): Promise<void> {
    const now = Date.now()
    const due: number[] = []
    for (const user_id of changed) {
      const entry = entries.get(user_id)
      if (!entry || entry.due_at > now) continue
      changed.delete(user_id)
      const status = current(entry)
      if (status !== entry.told) due.push(user_id)
      entry.told = status
      if (status === 'offline') entries.delete(user_id)
    }
    if (due.length === 0) return
    const rows = await sql<{ server_id: number; user_ids: number[] }[]>`
      select m.server_id, array_agg(m.user_id) as user_ids from members m join servers s on s.id = m.server_id
      where m.user_id = any(${due}) and s.member_count <= ${PRESENCE_MEMBERS_MAX} group by m.server_id`
    const publish = (name: string, user_ids: number[]) => {
      const users = user_ids.map((user_id) => ({ user_id, status: statusOf(user_id) }))
      bus.publish(name, eventFrame('presence.updated', undefined, JSON.stringify({ users })))
    }
    for (const { server_id, user_ids } of rows) publish(topic.server(server_id).topic, user_ids)
    const friends = await sql<{ user_id: number; user_ids: number[] }[]>`
      select user_id, array_agg(other_id) as user_ids from relations_of
      where other_id = any(${due}) and state = 'friends' and user_id = any(${[...entries.keys()]}) group by user_id`
    for (const { user_id, user_ids } of friends) publish(topic.user(user_id).topic, user_ids)
  }

  /** What others may know of the account's presence at this moment. */
  function statusOf(user_id: number): Status {
    const entry = entries.get(user_id)
    if (!entry) return 'offline'
    // Until the debounce has passed, one who has just gone still counts as what was told.
    return entry.sockets === 0 ? entry.told : entry.wanted
  }

  const timer = setInterval(() => {
    tell().catch((error: unknown) => log('warn', 'presence', errorFields(error)))
  }, BATCH_MS)

  return {
    statusOf,
    opened: (user_id: number) => change(user_id, (entry) => void entry.sockets++),
    closed: (user_id: number) => change(user_id, (entry) => void entry.sockets--),
    set: (user_id: number, status: 'online' | 'idle') => change(user_id, (entry) => void (entry.wanted = status)),
    stop: () => clearInterval(timer),
  }
}

export type Presence = ReturnType<typeof openPresence>
