import { expect, test } from 'bun:test'
import { memoryNodes } from '../../../src/cluster/nodes.ts'
import { ArrivedFrames, KeptFrames } from '../../../src/voice/cluster/kept-frames.ts'

const body = (frame: string) => ({ client: 1, seat: null, frame })
const small = body('{"t":"voice.peer_left"}')

/** Longer than a node may take to acknowledge. */
const OVERDUE_MS = 1_100

test('frames stay queued until their node acknowledges them, except those that the next one replaces', () => {
  const frames = new KeptFrames(memoryNodes())
  for (const node of ['a', 'b', 'a']) frames.send(node, small)
  frames.send('a', body('{"t":"voice.active_speaker","d":{}}'))
  expect([frames.newest('a'), frames.newest('b'), frames.newestBefore({})]).toEqual([3, 2, 3])
  frames.acknowledge('a', 1)
  expect(frames.newest('a')).toBe(3)
  frames.acknowledge('a', 3)
  expect([frames.newest('a'), frames.newest('b')]).toEqual([0, 2])
  frames.keepOnly(['a'])
  expect(frames.newest('b')).toBe(0)
})

test('a node that acknowledges late keeps its clients, unless it lacks frames that were thrown away', async () => {
  const frames = new KeptFrames(memoryNodes())
  const large = body('{"t":"voice.description"'.padEnd(1024 * 1024, 'x'))
  for (const node of ['late', 'lacking']) for (let n = 0; n < 6; n++) frames.send(node, large)
  for (let n = 0; n < 20_005; n++) frames.send('many', small)
  const all = () => [frames.acknowledge('lacking', 0), frames.acknowledge('many', 12)]
  expect(all()).toEqual([true, true])
  await Bun.sleep(OVERDUE_MS)
  expect(frames.acknowledge('late', 4)).toBe(true)
  expect(all()).toEqual([false, false])
  expect(['late', 'lacking', 'many'].map((node) => frames.newest(node))).toEqual([6, 0, 0])
})

test('a frame passes once, after all before it; after a break the sender’s remaining frames pass', () => {
  const arrived = new ArrivedFrames()
  const passes = (n: number | undefined, after?: number) => arrived.isNext('a', { ...small, n, after })
  expect([passes(7, 0), passes(7, 0), passes(9, 7), passes(8, 7)]).toEqual([true, false, true, false])
  expect([passes(12, 11), passes(11, 9), passes(12, 11)]).toEqual([false, true, true])
  expect([passes(undefined), passes(undefined)]).toEqual([true, true])
  expect([arrived.newest('a'), arrived.newest('b')]).toEqual([12, 0])
  arrived.forget('a')
  expect([passes(14, 13), passes(13, 0), passes(14, 13)]).toEqual([false, true, true])
})
