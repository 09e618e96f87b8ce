import { afterAll, expect, test } from 'bun:test'
import { Heartbeat } from '../../../src/voice/cluster/heartbeat.ts'
import { RoomOwners } from '../../../src/voice/cluster/room-owners.ts'
import type { Rooms } from '../../../src/voice/rooms.ts'
import { boot, stop } from '../../support/harness.ts'

const parley = await boot()
afterAll(() => stop(parley))

const CHANNEL = 1

test('a room is handed over after the joins that have begun, and joins that begin meanwhile wait', async () => {
  const rooms = { at: () => undefined } as object as Rooms
  const owners = new RoomOwners(parley.parts, new Heartbeat(parley.parts.nodes), rooms)
  const steps: string[] = []
  const [joining, handing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const nowhere = () => Promise.reject(new Error('This node is the owner'))
  const join = owners.at(
    CHANNEL,
    async () => {
      steps.push('a join begins')
      await joining.promise
      steps.push('the join ends')
    },
    nowhere,
  )
  // In the same step of the event loop.
  const hand = owners.handOver(CHANNEL, async () => {
    steps.push('the hand-over begins')
    await handing.promise
    steps.push('the hand-over ends')
  })
  const later = owners.at(CHANNEL, async () => void steps.push('a later join'), nowhere)
  joining.resolve()
  await join
  handing.resolve()
  await Promise.all([hand, later])
  expect(steps).toEqual([
    'a join begins',
    'the join ends',
    'the hand-over begins',
    'the hand-over ends',
    'a later join',
  ])
})
