import { expect, test } from 'bun:test'
import type { Channel } from '../../../src/features/access/model.ts'
import type { EventFrame } from '../../../src/web/client/gateway.ts'
import { Store } from '../../../src/web/state/store.ts'

const frame = (t: string, d: unknown, s: number) => ({ t, s, d }) as EventFrame
const forum = { id: 4, server_id: 2, type: 'forum', parent_id: null } as Channel
const whole = { name: 'Spam', message_count: 3, last_message_id: 30, votes: 2, hidden: false }
const post = { id: 5, server_id: 2, type: 'thread', parent_id: 4, archived_at: null, ...whole } as Channel
const blank = { ...post, name: '', message_count: 0, last_message_id: null, votes: 0, hidden: true }

/** A store of an account in whose server there is a post. */
function begun(userId: number): Store {
  const store = new Store()
  const { state } = store
  state.user = { id: userId } as never
  state.servers.set(2, { id: 2, owner_id: 1, member_count: 3 } as never)
  for (const each of [forum, post]) state.upsertChannel(each)
  return store
}

test('a moderator keeps the name and the counts of a post that is hidden, until the event that has them', () => {
  const store = begun(1)
  store.apply(frame('thread.updated', blank, 100))
  expect(store.state.channels.get(5)).toMatchObject({ ...whole, hidden: true })
  store.apply(frame('thread.updated', { ...post, message_count: 4, hidden: true }, 101))
  expect(store.state.channels.get(5)).toMatchObject({ name: 'Spam', message_count: 4, hidden: true })
})

test('everybody else drops the post', () => {
  const store = begun(7)
  store.apply(frame('thread.updated', blank, 100))
  expect(store.state.channels.has(5)).toBe(false)
})
