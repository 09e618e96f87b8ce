import { afterAll, beforeAll, expect, test } from 'bun:test'
import { FrameSealer, type Media } from '../../../../src/web/voice/sealing/frame-sealer.ts'
import { SMALL_BYTES_MAX } from '../../../../src/web/voice/sealing/frame-key.ts'

/** An encoded frame, as browsers give it to a worker. */
interface Frame {
  data: ArrayBuffer
  getMetadata(): { mimeType: string }
}

const [ANN, BEN] = ['a'.repeat(32), 'b'.repeat(32)]
const LEAVES = new Map([
  [ANN, 0],
  [BEN, 1],
])
const secret = crypto.getRandomValues(new Uint8Array(32))
const VP9: Media = { isAudio: false, codec: 'whole' }
const listeners = new Map<string, (event: unknown) => void>()
const listen = globalThis.addEventListener

// The worker of ben, in this thread.
beforeAll(async () => {
  Object.assign(globalThis, { addEventListener: (type: string, one: () => void) => listeners.set(type, one) })
  await import('../../../../src/web/voice/sealing/frame-worker.ts')
  tell({ kind: 'sealed' })
  tell({ kind: 'epoch', epoch: { keyId: 0, secret, leaf: 1, leaves: LEAVES }, delayMs: 0 })
})
afterAll(() => void Object.assign(globalThis, { addEventListener: listen }))

const tell = (data: object) => listeners.get('message')?.({ data })

/** Lets frames pass the worker. @returns the first of what comes out */
async function passed(options: object, frames: Uint8Array<ArrayBuffer>[], number: number): Promise<Uint8Array[]> {
  const out: Uint8Array[] = []
  const done = Promise.withResolvers<void>()
  const readable = new ReadableStream<Frame>({
    start(to) {
      for (const { buffer } of frames) to.enqueue({ data: buffer, getMetadata: () => ({ mimeType: 'video/VP9' }) })
    },
  })
  const writable = new WritableStream<Frame>({
    write({ data }) {
      out.push(new Uint8Array(data))
      if (out.length === number) done.resolve()
    },
  })
  const transformer = {
    options: { isAudio: false, ...options },
    readable,
    writable,
    sendKeyFrameRequest: async () => {},
  }
  listeners.get('rtctransform')?.({ transformer })
  await done.promise
  return out
}

/** Frames that are encrypted in another thread, each before some that are not. */
const frames = () =>
  Array.from({ length: 40 }, (_, at) => {
    const frame = crypto.getRandomValues(new Uint8Array(at % 4 === 0 ? 3 * SMALL_BYTES_MAX : 100 + at))
    frame[0] = at
    return frame
  })

test('small frames do not overtake large ones, in either direction', async () => {
  const ann = new FrameSealer()
  ann.begin('sealed')
  ann.add({ keyId: 0, secret, leaf: 0, leaves: LEAVES }, 0, 0)
  const received = frames()
  const sealed: Uint8Array<ArrayBuffer>[] = []
  for (const frame of received) sealed.push((await ann.seal(frame, VP9, 1))!)
  // After each a changed copy, and the same again, both of which are dropped.
  const changed = (frame: Uint8Array<ArrayBuffer>) => frame.map((byte, at) => (at === 50 ? byte ^ 1 : byte))
  const all = sealed.flatMap((frame) => [changed(frame), frame, frame.slice()])
  expect(await passed({ side: 'receive', from: ANN }, all, received.length)).toEqual(received)

  const counterOf = (frame: Uint8Array) => new DataView(frame.buffer).getUint32(frame.length - 6)
  const sent = await passed({ side: 'send' }, frames(), received.length)
  expect(sent.map(counterOf)).toEqual(sent.map((_, at) => at))
})

test('a frame that one stream of a member has had does not pass in another one', async () => {
  const cat = new FrameSealer()
  const CAT = 'c'.repeat(32)
  const leaves = new Map([...LEAVES, [CAT, 2]])
  const next = crypto.getRandomValues(new Uint8Array(32))
  cat.begin('sealed')
  cat.add({ keyId: 1, secret: next, leaf: 2, leaves }, 0, 0)
  tell({ kind: 'epoch', epoch: { keyId: 1, secret: next, leaf: 1, leaves }, delayMs: 0 })
  const sealed: Uint8Array<ArrayBuffer>[] = []
  for (let at = 0; at < 4; at++) sealed.push((await cat.seal(new Uint8Array([at, 1, 2]), VP9, 1))!)
  const [first, second, third, last] = sealed.map((frame) => frame.slice())
  const from = { side: 'receive', from: CAT }
  expect((await passed(from, [first!, second!], 2)).map(([at]) => at)).toEqual([0, 1])
  // As the server may send it again: in a consumer that it says is new.
  const again = [...sealed.slice(0, 2), third!, last!]
  expect((await passed(from, again, 2)).map(([at]) => at)).toEqual([2, 3])
})
