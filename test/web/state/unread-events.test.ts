import { expect, test } from 'bun:test'
import type { Channel, Server } from '../../../src/features/access/model.ts'
import type { Message } from '../../../src/features/messages/model.ts'
import type { EventFrame } from '../../../src/web/client/gateway.ts'
import { Store } from '../../../src/web/state/store.ts'

const [me, server_id, channel_id, threadId, groupId] = [7, 1, 2, 3, 4]

const frame = (t: string, d: unknown, s?: number) => ({ t, s, d }) as EventFrame
const channel = (id: number, type: Channel['type'], rest: Partial<Channel> = {}) =>
  ({
    id,
    server_id,
    type,
    parent_id: null,
    recipients: null,
    last_message_id: null,
    archived_at: null,
    ...rest,
  }) as Channel
const message = (id: number, place: number) =>
  ({
    id,
    channel_id: place,
    kind: 'default',
    author: { id: 8 },
    mention_ids: [],
    mention_role_ids: [],
  }) as unknown as Message

/** The `ready` of a member of one server who is in one group. */
const ready = (rest: object) =>
  frame('ready', {
    user: { id: me },
    servers: [{ id: server_id, channel_ids: [channel_id] }],
    conversations: [{ channel_id: groupId, user_id: null, last_message_id: 9, unread_count: null }],
    ...Object.fromEntries(
      ['relations', 'presences', 'voice_states', 'audiences', 'read_marks', 'notifications', 'threads', 'ringing'].map(
        (name) => [name, []],
      ),
    ),
    resumed: true,
    ...rest,
  })

/** A store with the server, its channel, a followed thread, and the group. */
function connected(): Store {
  const store = new Store()
  store.apply(ready({ resumed: false, threads: [] }))
  store.state.servers.set(server_id, { id: server_id } as Server)
  store.state.channels.set(channel_id, channel(channel_id, 'text'))
  store.state.channels.set(threadId, channel(threadId, 'thread', { parent_id: channel_id }))
  store.state.channels.set(groupId, channel(groupId, 'group', { server_id: null, last_message_id: 9 }))
  store.state.followed.add(threadId)
  store.apply(frame('synced', { s: 100 }))
  for (const ids of Object.values(store.unknown)) ids.clear()
  return store
}

test('an account that left a server follows none of its threads any more', () => {
  const store = connected()
  store.apply(frame('server.deleted', { id: server_id }))
  expect([...store.state.followed]).toEqual([])
  expect([...store.state.channels.keys()]).toEqual([groupId])
})

test('messages that ready calls unread in a group stay unread when the group’s creation is replayed', () => {
  const store = connected()
  store.apply(ready({ read_marks: [{ channel_id: groupId, message_id: 5, newest_id: 9, mention_count: 0 }] }))
  store.apply(frame('channel.created', channel(groupId, 'group', { server_id: null }), 50))
  store.apply(frame('channel.read', { channel_id: groupId, message_id: 5 }, 60))
  store.apply(frame('synced', { s: 100 }))
  expect([...store.unknown.unread]).toContain(groupId)
})

test('a mark that arrives before its channel is requested again', () => {
  const store = connected()
  store.state.dropChannel(channel_id)
  store.apply(frame('channel.read', { channel_id, message_id: 5 }, 101))
  expect([...store.unknown.unread]).toEqual([channel_id])
})

for (const [what, event] of [
  ['an edit', frame('message.updated', message(9, channel_id), 101)],
  ['a deletion', frame('message.deleted', { id: 9, channel_id }, 101)],
  ['a change of notifications', frame('notifications.updated', { server_id, channel_id: null }, 101)],
] as const)
  test(`a request before ${what} is repeated`, () => {
    const store = connected()
    const askedAt = store.tick
    expect(store.isUnchangedSince(`unread:${channel_id}`, askedAt)).toBe(true)
    store.apply(event)
    expect(store.isUnchangedSince(`unread:${channel_id}`, askedAt)).toBe(false)
  })

test('a message whose edit arrived before it is requested, and ends the typing of its author', () => {
  const store = connected()
  store.apply(frame('message.updated', message(20, channel_id), 102))
  store.state.typing.set(`c${channel_id}`, new Map([[8, Date.now() + 60_000]]))
  store.apply(frame('message.created', message(20, channel_id), 101))
  expect([...store.unknown.unread]).toEqual([channel_id])
  expect([...(store.state.typing.get(`c${channel_id}`) ?? [])]).toEqual([])
})
