import { expect, test } from 'bun:test'
import type { Channel } from '../../../src/features/access/model.ts'
import type { EventFrame } from '../../../src/web/client/gateway.ts'
import { Store } from '../../../src/web/state/store.ts'
import { emptyTimeline } from '../../../src/web/state/timeline.ts'

const NOW = '2026-01-01T00:00:00.000Z'
const [me, partner, channel_id] = [7, 8, 4]
const LISTS = [
  'servers',
  'relations',
  'presences',
  'voice_states',
  'audiences',
  'read_marks',
  'notifications',
  'threads',
  'ringing',
]

const frame = (t: string, d: unknown, s?: number, replayed?: true) => ({ t, s, d, replayed }) as EventFrame
const created = (id: number, unread_count: number) => ({
  id,
  channel_id,
  kind: 'default',
  author: { id: partner },
  sender_id: partner,
  recipient_id: me,
  read_at: null,
  reactions: [],
  mention_ids: [],
  mention_role_ids: [],
  unread_count,
})

/** A store after a `ready` with 10 as the newest message of a dm, and the only unread one. */
function begun(): Store {
  const store = new Store()
  const conversations = [{ channel_id, user_id: partner, last_message_id: 10, unread_count: 1, request: null }]
  const lists = Object.fromEntries(LISTS.map((name) => [name, []]))
  store.apply(frame('ready', { user: { id: me }, ...lists, conversations, resumed: true }))
  return store
}
const conversation = ({ state }: Store) => state.conversations.get(channel_id)

test('a replay changes nothing that ready has said of a dm', () => {
  const store = begun()
  store.apply(frame('dm.hidden', { channel_id, user_id: partner }, 90, true))
  store.apply(frame('message.created', created(9, 3), 80, true))
  expect(conversation(store)).toEqual({ user_id: partner, last_message_id: 10, unread_count: 1, request: null })
})

test('a direct message that arrives during the handshake is not lost', () => {
  const store = begun()
  store.apply(frame('message.created', created(11, 2), 101))
  store.apply(frame('message.created', created(9, 3), 80, true))
  store.apply(frame('synced', { s: 101 }))
  expect(conversation(store)).toEqual({ user_id: partner, last_message_id: 11, unread_count: 2, request: null })
})

test('a direct message counts as unread even if its edit arrived before it', () => {
  const store = begun()
  const { unread_count: _, ...edited } = created(11, 2)
  store.apply(frame('message.updated', edited, 102))
  const drawn: string[] = []
  store.watch((parts) => drawn.push(...parts))
  store.apply(frame('message.created', created(11, 2), 101))
  expect(conversation(store)).toEqual({ user_id: partner, last_message_id: 11, unread_count: 2, request: null })
  expect(drawn).toContain('shell')
  // A message deleted since is not counted again.
  const summary = { id: 12, channel_id, last_message_id: 11, unread_count: 2 }
  store.apply(frame('message.deleted', summary, 105))
  store.apply(frame('message.created', created(12, 3), 104))
  expect(conversation(store)).toEqual({ user_id: partner, last_message_id: 11, unread_count: 2, request: null })
})

test('a direct message counts as the last one, and as read, even if its read event arrived before it', () => {
  const store = begun()
  store.apply(frame('synced', { s: 100 }))
  store.state.channels.set(channel_id, { id: channel_id, type: 'dm' } as Channel)
  const timeline = { ...emptyTimeline(), loaded: true, atOldest: true, atNewest: true }
  store.state.timelines.set(`c${channel_id}`, timeline)
  const reading = { channel_id, sender_id: partner, recipient_id: me, message_id: 11, all: true, read_at: NOW }
  store.apply(frame('dm.read', { ...reading, unread_count: 0 }, 102))
  store.apply(frame('message.created', created(11, 2), 101))
  expect(conversation(store)).toEqual({ user_id: partner, last_message_id: 11, unread_count: 0, request: null })
  expect(timeline.entries.map(({ id, read_at }) => [id, read_at])).toEqual([[11, NOW]])
})

test('a direct message counts as the last one even if only its edit arrives', () => {
  const store = begun()
  store.apply(frame('message.updated', created(11, 2), 101))
  expect(conversation(store)?.last_message_id).toBe(11)
})
