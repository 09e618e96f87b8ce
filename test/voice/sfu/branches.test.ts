import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Branch } from '../../../src/voice/sfu/branch.ts'
import { MediaUnavailable } from '../../../src/voice/sfu/process.ts'
import type { RoutedRoom } from '../../../src/voice/sfu/room.ts'
import type { Sfu } from '../../../src/voice/sfu/sfu.ts'
import { gather, openSfu } from '../../support/browser/sfu.ts'
import { until } from '../../support/harness.ts'
import { WORKER_MS } from '../../support/media-worker.ts'

const WORKERS = 2
const PEERS_PER_WORKER = 2
const SOUND_MS = 20

let sfu: Sfu
let channels = 0
beforeAll(async () => {
  sfu = await openSfu({ SFU_WORKERS: String(WORKERS), SFU_PEERS_PER_WORKER: String(PEERS_PER_WORKER) })
  await until(() => sfu.pids().length === WORKERS)
}, WORKER_MS)
afterAll(() => sfu.stop())

async function openRoom() {
  // An earlier test may have killed one.
  await until(() => sfu.pids().length === WORKERS)
  const happened = gather()
  const room = await sfu.room(++channels, happened.tell)
  return { room, happened }
}

/** Opens a receiving transport for each. @returns the port of each one's worker */
const receiving = (room: RoutedRoom, ...names: string[]) =>
  Promise.all(names.map(async (name) => (await room.peer(name).createTransport('recv')).ice_candidates[0]?.port))

const consume = async (room: RoutedRoom, name: string, producer_id: string, isListening = true) => {
  const { consumer_id } = await room.peer(name).consume(producer_id, room.rtp_capabilities)
  if (isListening) await room.peer(name).pauseConsumer(consumer_id, false)
  return consumer_id
}

/** A member who sends sound all the time, without WebRTC. */
async function speaker(room: RoutedRoom, name: string, ssrc = 7) {
  const direct = await room.peer(name).openDirect()
  await direct.produce(ssrc)
  let number = 0
  const packet = Buffer.alloc(32, 0xfc)
  packet.writeUInt16BE(0x8000 | 120, 0)
  packet.writeUInt32BE(ssrc, 8)
  const timer = setInterval(() => {
    packet.writeUInt16BE(++number & 0xffff, 2)
    packet.writeUInt32BE(number * 960, 4)
    direct.send(packet)
  }, SOUND_MS)
  const producer_id = room.producers().find(({ voice_session_id }) => voice_session_id === name)?.producer_id ?? ''
  return { producer_id, stop: () => clearInterval(timer) }
}

const branchOf = (room: RoutedRoom): Branch => {
  const [branch] = room.branches()
  if (!branch) throw new Error('the room has a branch')
  return branch
}

/** Counts the packets of a producer that arrive on a branch. */
async function packetsAt(branch: Branch, producerId: string) {
  const router = await branch.router
  const transport = await router.createDirectTransport()
  const consumer = await transport.consume({ producerId, rtpCapabilities: router.rtpCapabilities })
  let count = 0
  consumer.on('rtp', () => void count++)
  return () => count
}

const grows = async (count: () => number) => {
  const before = count()
  await until(() => count() > before + 3)
}

/** Waits until nothing has come for the time of ten packets: some may be on their way. */
async function rests(count: () => number) {
  for (let before = -1; before !== count();) {
    before = count()
    await Bun.sleep(10 * SOUND_MS)
  }
}

test('members beyond the limit receive from the other worker, to which each producer crosses once', async () => {
  const { room } = await openRoom()
  const [ann, ben, cat, dan] = await receiving(room, 'ann', 'ben', 'cat', 'dan')
  expect([ben, dan]).toEqual([ann, cat])
  expect(cat).not.toBe(ann as number)
  expect([room.receivers(), branchOf(room).members.size]).toEqual([2, 2])
  // A second transport of a member stays with the first.
  expect(await receiving(room, 'cat')).toEqual([cat])
  const { producer_id, stop } = await speaker(room, 'eve')
  await Promise.all(['ann', 'cat', 'dan'].map((name) => consume(room, name, producer_id)))
  const { mapProducerIdConsumerIds: consumers } = await (await branchOf(room).router).dump()
  expect(consumers.map(({ key, values }) => [key, values.length])).toEqual([[producer_id, 2]])
  await grows(await packetsAt(branchOf(room), producer_id))
  stop()
  room.close()
})

test('a link carries a producer only while somebody behind it listens', async () => {
  const { room } = await openRoom()
  await receiving(room, 'ann', 'ben', 'cat', 'dan')
  const { producer_id, stop } = await speaker(room, 'eve')
  const [cat, dan] = await Promise.all(['cat', 'dan'].map((name) => consume(room, name, producer_id, false)))
  const count = await packetsAt(branchOf(room), producer_id)
  const pause = (name: string, id: string | undefined, isPaused: boolean) =>
    room.peer(name).pauseConsumer(id ?? '', isPaused)
  await rests(count)
  await pause('cat', cat, false)
  await grows(count)
  await pause('dan', dan, false)
  await pause('cat', cat, true)
  await grows(count)
  // One who leaves listens no more.
  room.peer('dan').close()
  await rests(count)
  await pause('cat', cat, false)
  await grows(count)
  stop()
  room.close()
})

test('a member who must not be heard is silent behind a link too, and is heard there afterwards', async () => {
  const { room } = await openRoom()
  await receiving(room, 'ann', 'ben', 'cat')
  const { producer_id, stop } = await speaker(room, 'eve')
  await consume(room, 'cat', producer_id)
  const count = await packetsAt(branchOf(room), producer_id)
  await grows(count)
  await room.peer('eve').hold(['microphone'])
  await rests(count)
  await room.peer('eve').hold([])
  await grows(count)
  stop()
  room.close()
})

test('a branch ends with its last member, and the next newcomer takes the space of one who left', async () => {
  const { room, happened } = await openRoom()
  const [main, , other] = await receiving(room, 'ann', 'ben', 'cat')
  room.peer('ann').close()
  expect(await receiving(room, 'dan', 'eve')).toEqual([main, other])
  for (const name of ['cat', 'eve']) room.peer(name).close()
  expect(room.branches()).toEqual([])
  expect(await receiving(room, 'fay')).toEqual([other])
  expect(happened.of('receiving_reset')).toEqual([])
  room.close()
  expect(room.branches()).toEqual([])
})

test('a member who leaves while its transport is being opened takes no space', async () => {
  const { room } = await openRoom()
  await receiving(room, 'ann', 'ben')
  const codes = await Promise.all(
    ['cat', 'dan', 'eve'].map(async (name) => {
      const peer = room.peer(name)
      const opening = peer.createTransport('recv').catch((error: unknown) => error)
      peer.close()
      return opening
    }),
  )
  expect(codes.every((error) => error instanceof MediaUnavailable)).toBe(true)
  expect([room.receivers(), room.branches()]).toEqual([2, []])
  room.close()
})

test('when every worker is full, the least loaded takes more members', async () => {
  const { room } = await openRoom()
  const names = Array.from({ length: 10 }, (_, at) => `member ${at}`)
  for (const name of names) await receiving(room, name)
  expect(room.receivers() + branchOf(room).members.size).toBe(10)
  expect(Math.abs(room.receivers() - branchOf(room).members.size)).toBeLessThanOrEqual(4)
  expect(room.branches()).toHaveLength(1)
  room.close()
})

test('a producer that ends is gone behind the link, where ids of other members and rooms are not found', async () => {
  const [{ room, happened }, elsewhere] = [await openRoom(), await openRoom()]
  await receiving(room, 'ann', 'ben', 'cat', 'dan')
  await receiving(elsewhere.room, 'mallory', 'mia', 'moe')
  const { producer_id, stop } = await speaker(room, 'eve')
  const consumer_id = await consume(room, 'cat', producer_id)
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      ({ code }) => code,
    )
  expect(await codeOf(room.peer('dan').pauseConsumer(consumer_id, true))).toBe('not_found')
  expect(await codeOf(elsewhere.room.peer('moe').pauseConsumer(consumer_id, true))).toBe('not_found')
  expect(await codeOf(consume(elsewhere.room, 'moe', producer_id))).toBe('not_found')
  stop()
  room.peer('eve').close()
  await until(() => happened.of('consumer_closed').length > 0)
  expect(happened.of('consumer_closed')).toEqual([{ type: 'consumer_closed', to: 'cat', consumer_id }])
  expect(await codeOf(consume(room, 'dan', producer_id))).toBe('not_found')
  for (const each of [room, elsewhere.room]) each.close()
})

/** Kills the worker of a branch. */
const kill = (branch: Branch) => process.kill(branch.worker.pid, 'SIGKILL')

test('if a further worker dies, only its members begin anew, and the link is built again', async () => {
  const { room, happened } = await openRoom()
  await receiving(room, 'ann', 'ben', 'cat', 'dan')
  const { producer_id, stop } = await speaker(room, 'eve')
  const ann = await consume(room, 'ann', producer_id)
  for (const name of ['cat', 'dan']) await consume(room, name, producer_id)
  kill(branchOf(room))
  await until(() => happened.of('receiving_reset').length === 2)
  expect(happened.of('receiving_reset').map(({ to }) => to)).toEqual(['cat', 'dan'])
  expect(happened.of('reset')).toEqual([])
  expect(happened.of('producer_closed')).toEqual([])
  expect(room.isClosed()).toBe(false)
  await room.peer('ann').pauseConsumer(ann, true)
  // Newcomers wait only a second for the worker that replaces the dead one.
  await until(() => sfu.pids().length === WORKERS)
  await receiving(room, 'cat', 'dan')
  for (const name of ['cat', 'dan']) await consume(room, name, producer_id)
  await grows(await packetsAt(branchOf(room), producer_id))
  stop()
  room.close()
})

test('if the main worker dies, everybody begins anew, and nothing is left on the other one', async () => {
  const { room, happened } = await openRoom()
  await receiving(room, 'ann', 'ben', 'cat')
  const { producer_id, stop } = await speaker(room, 'eve')
  await consume(room, 'cat', producer_id)
  const { worker: further } = branchOf(room)
  for (const pid of sfu.pids()) if (pid !== further.pid) process.kill(pid, 'SIGKILL')
  await until(() => happened.of('reset').length === 1)
  expect(happened.of('receiving_reset')).toEqual([])
  expect(room.branches()).toEqual([])
  await until(() => further.load() === 0 && sfu.pids().length === WORKERS)
  stop()
})

test('the figures of a worker count its rooms, its members and its links', async () => {
  const { room } = await openRoom()
  await receiving(room, 'ann', 'ben', 'cat')
  const figures = sfu.figures().toSorted((a, b) => b.rooms - a.rooms)
  expect(figures.map(({ rooms, receivers, links }) => [rooms, receivers, links])).toEqual([
    [1, 2, 0],
    [0, 1, 1],
  ])
  room.close()
})
