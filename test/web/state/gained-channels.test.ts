import { expect, test } from 'bun:test'
import type { Channel } from '../../../src/features/access/model.ts'
import type { EventFrame } from '../../../src/web/client/gateway.ts'
import { Store } from '../../../src/web/state/store.ts'
import { emptyTimeline } from '../../../src/web/state/timeline.ts'

const frame = (t: string, d: unknown, s?: number) => ({ t, s, d }) as EventFrame
const server = { id: 2, owner_id: 1, member_count: 3 }
const channel = { id: 4, server_id: 2, type: 'text', parent_id: null } as Channel
const thread = { id: 5, server_id: 2, type: 'thread', parent_id: 4 } as Channel
const other = { id: 6, server_id: 2, type: 'text', parent_id: null } as Channel

/** A store to which REST has shown three places with their messages, before any event named them. */
function begun(): Store {
  const store = new Store()
  store.state.servers.set(2, server as never)
  store.state.isSynced = true
  for (const each of [channel, thread, other]) {
    store.state.upsertChannel(each)
    store.state.timelines.set(`c${each.id}`, { ...emptyTimeline(), loaded: true, atNewest: true })
  }
  return store
}

test('the messages of a channel that the account gains are fetched again if REST had shown them before', () => {
  const store = begun()
  store.apply(frame('channel.created', channel))
  expect([...store.state.timelines.keys()]).toEqual(['c6'])
  expect([...store.unknown.channels, ...store.unknown.unread]).toEqual([4, 4])
})

test('the event of the creation of a channel that REST has shown drops none of its messages', () => {
  const store = begun()
  store.apply(frame('channel.created', channel, 100))
  expect([...store.state.timelines.keys()]).toEqual(['c4', 'c5', 'c6'])
})

test('the messages of a server that the account gains are fetched again if REST had shown them before', () => {
  const store = begun()
  const me = { server_id: 2, user: { id: 7 }, role_ids: [] }
  const snapshot = { server, channels: [channel, other], roles: [], emoji: [], me, permissions: 0, part: 1, parts: 1 }
  store.apply(frame('server.snapshot', snapshot))
  expect([...store.state.timelines.keys()]).toEqual([])
})
