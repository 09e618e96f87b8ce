import { expect, test } from 'bun:test'
import { FrameBatcher } from '../../src/gateway/frame-batcher.ts'
import { eventFrame, type Frame } from '../../src/core/events.ts'
import { SendCoordinator } from '../../src/events/send-coordinator.ts'
import { until } from '../support/until.ts'

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))
const frame = (n: number): Frame => eventFrame({ topic: 'server:1' }, 'message.created', n, `{"id":${n}}`)

/** A batcher for a thousand sockets, and what it does. */
function open() {
  const coordinator = new SendCoordinator()
  const did: string[] = []
  const batcher = new FrameBatcher(
    ({ s }) => void did.push(`published ${s}`),
    () => 1_000,
    coordinator,
    () => void did.push('sent on'),
  )
  return { coordinator, batcher, did }
}

test('frames from another node go to many sockets at once while nobody here has just sent something', async () => {
  const { coordinator, batcher, did } = open()
  await coordinator.during(Promise.resolve('a message of this node'))
  // A sender who just got an answer may send again at once.
  await Bun.sleep(20)
  for (const n of [1, 2, 3]) batcher.add(frame(n))
  for (let turns = 0; turns < 3; turns++) await turn()
  expect(did).toEqual(['sent on', 'published 1', 'published 2', 'published 3'])
})

test('other nodes get a batch before the sockets here do, and nothing if no batch is open', async () => {
  const { batcher, did } = open()
  batcher.flush()
  expect(did).toEqual([])
  batcher.add(frame(1))
  batcher.add(frame(2))
  batcher.flush()
  expect(did).toEqual(['sent on', 'published 1', 'published 2'])
})

test('frames to many sockets wait for running commits, for some milliseconds at most', async () => {
  const { coordinator, batcher, did } = open()
  const commit = Promise.withResolvers<void>()
  const committing = coordinator.during(commit.promise)
  batcher.add(frame(1))
  await turn()
  batcher.add(frame(2))
  await until(() => did.length > 0)
  expect(did).toEqual(['sent on', 'published 1', 'published 2'])
  expect(coordinator.underway).toBe(1)
  commit.resolve()
  await committing
})

test('frames to many sockets leave once nothing waits to be committed', async () => {
  const { coordinator, batcher, did } = open()
  coordinator.noteWaiting(1)
  // Frames arrive in quick succession, so the next one waits.
  batcher.add(frame(1))
  await until(() => did.length > 0)
  for (let turns = 0; turns < 3; turns++) await turn()
  coordinator.noteWaiting(0)
  batcher.add(frame(2))
  const commit = Promise.withResolvers<void>()
  const committing = coordinator.during(commit.promise)
  for (let turns = 0; turns < 3; turns++) await turn()
  commit.resolve()
  await committing
  await until(() => did.length > 2)
  expect(did).toEqual(['sent on', 'published 1', 'sent on', 'published 2'])
})

test('frames wait milliseconds for messages that are not committed, such as while the database is lost', async () => {
  const { coordinator, batcher, did } = open()
  coordinator.noteWaiting(1)
  for (const n of [1, 2]) {
    batcher.add(frame(n))
    await Bun.sleep(100)
  }
  expect(did).toEqual(['sent on', 'published 1', 'sent on', 'published 2'])
  batcher.flush()
})
