import type { Media } from '../../../src/web/voice/sealing/frame-sealer.ts'
import { FrameSealer } from '../../../src/web/voice/sealing/frame-sealer.ts'
import { afterwards } from '../../../src/web/voice/sealing/soon.ts'

// Runs in a call's worker before the product's own code: counts the frames that come and go, for a test that fails.

/** The frames of one sender or receiver. It refers to no transformer, which the product itself has to keep. */
interface Counts {
  options: unknown
  read: number
  written: number
  /** True once no more frames come. */
  isDone: boolean
  faults: string[]
}

interface Streams {
  options: unknown
  readable: ReadableStream
  writable: WritableStream
  sendKeyFrameRequest(): Promise<unknown>
}

const HISTORY_MAX = 12
const began = performance.now()
const passages: Counts[] = []
/** The last messages of the page about keys, each with its time, ms. */
const keys: string[] = []
/** How often frames were refused, by the reason. */
const refused: Record<string, number> = {}

function note(text: string): void {
  keys.push(`${Math.round(performance.now() - began)} ${text}`)
  if (keys.length > HISTORY_MAX) keys.shift()
}

const refuse = (reason: string): void => void (refused[reason] = (refused[reason] ?? 0) + 1)

const { begin, add, seal, open } = FrameSealer.prototype
Object.assign(FrameSealer.prototype, {
  begin(this: FrameSealer, mode: 'open' | 'sealed') {
    note(mode)
    begin.call(this, mode)
  },
  add(this: FrameSealer, ...[epoch, sealsAt, now]: Parameters<FrameSealer['add']>) {
    const leaves = [...epoch.leaves].map(([id, leaf]) => `${leaf}=${id}`)
    note(`epoch ${epoch.keyId} in ${Math.round(sealsAt - now)} ms, own ${epoch.leaf}, all ${leaves.join()}`)
    add.call(this, epoch, sealsAt, now)
  },
  // As soon as the product's own: a promise for each frame would hide how frames pass without one.
  seal(this: FrameSealer, frame: Uint8Array<ArrayBuffer>, media: Media, now: number) {
    return afterwards(seal.call(this, frame, media, now), (sealed) => {
      if (!sealed) refuse(`to be sent, codec ${media.codec}`)
      return sealed
    })
  },
  open(this: FrameSealer, ...all: Parameters<FrameSealer['open']>) {
    return afterwards(open.apply(this, all), (plain) => {
      const [frame, { codec }, from] = all
      // The epoch's key id, as it stands in all but H.264 and AV1, and the mark.
      if (!plain) refuse(`from ${from}, codec ${codec}, key ${frame.at(-7)}, mark ${frame.at(-2)} ${frame.at(-1)}`)
      return plain
    })
  },
})

/** The streams of a transformer, which count. */
function counted({ options, readable, writable, ...rest }: Streams): Streams {
  const counts: Counts = { options, read: 0, written: 0, isDone: false, faults: [] }
  passages.push(counts)
  const fault = (error: unknown) => {
    counts.faults.push(String(error))
    throw error
  }
  const getReader = () => {
    const reader = readable.getReader()
    return {
      async read() {
        const next = await reader.read().catch(fault)
        if (next.done) counts.isDone = true
        else counts.read++
        return next
      },
      cancel: (error: unknown) => {
        counts.faults.push(`cancelled: ${error}`)
        return reader.cancel(error)
      },
    }
  }
  const getWriter = () => {
    const writer = writable.getWriter()
    return {
      async write(frame: unknown) {
        await writer.write(frame).catch(fault)
        counts.written++
      },
    }
  }
  return { options, ...rest, readable: { getReader }, writable: { getWriter } } as never
}

const listen: typeof addEventListener = addEventListener
const listenCounted = (type: string, listener: (event: unknown) => void): void =>
  listen(type, (event) => {
    if (type !== 'rtctransform') return listener(event)
    const { transformer } = event as Event & { transformer: Streams }
    const { options, readable, writable } = transformer
    const sendKeyFrameRequest = () => transformer.sendKeyFrameRequest()
    listener({ transformer: counted({ options, readable, writable, sendKeyFrameRequest }) })
  })
Object.assign(globalThis, { addEventListener: listenCounted })

// Before the product, which would take it for a change of the mode.
listen('message', (event: MessageEvent) => {
  if (event.data?.kind !== 'facts') return
  event.stopImmediatePropagation()
  postMessage({ passages, keys, refused })
})
