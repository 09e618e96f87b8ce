import { codecOf } from './clear-part.ts'
import { type Passing, type StreamsMessage, transformerOf } from './encoded-frames.ts'
import type { Epoch } from './epoch-keys.ts'
import { Counters, FrameSealer } from './frame-sealer.ts'
import { afterwards, type Soon } from './soon.ts'

// The worker of a call, through which every encoded frame passes. It is built as a file of its own.

/** A message from the page, apart from streams. */
export type WorkerMessage = { kind: 'open' } | { kind: 'sealed' } | { kind: 'epoch'; epoch: Epoch; delayMs: number }

/** The browser's encoded frame: W3C "WebRTC Encoded Transform", which TypeScript does not have yet. */
interface EncodedFrame {
  data: ArrayBuffer
  getMetadata(): { mimeType?: string }
}

interface Transformer {
  readonly options: Passing
  readonly readable: ReadableStream<EncodedFrame>
  readonly writable: WritableStream<EncodedFrame>
  sendKeyFrameRequest(): Promise<unknown>
}

/** Minimum time between two requests for a key frame, ms. */
const KEY_REQUEST_MS = 500

const sealer = new FrameSealer()
/** The counters of each member. Its streams share them: the server must not repeat a frame in another stream. */
const countersBySession = new Map<string, Counters>()
const now = (): number => performance.now()

addEventListener('message', ({ data }: MessageEvent<WorkerMessage | StreamsMessage>) => {
  // Ends with the call, when the worker is terminated.
  if (data.kind === 'streams') void pump(transformerOf(data)).catch(() => {})
  else if (data.kind === 'epoch') sealer.add(data.epoch, now() + data.delayMs, now())
  else sealer.begin(data.kind)
})

function countersOf(from: string): Counters {
  const counters = countersBySession.get(from) ?? new Counters()
  countersBySession.set(from, counters)
  return counters
}

/**
 * Makes the frames of a sender or receiver pass. Cheaper than a pipe through a TransformStream, with its queues. It
 * refers to the transformer for as long as it reads: Chromium would collect it as garbage before the page has connected
 * it with its sender or receiver, and no frame would ever come.
 */
async function pump(transformer: Transformer): Promise<void> {
  const { options, readable, writable } = transformer
  const { isAudio, side } = options
  const [reader, writer] = [readable.getReader(), writable.getWriter()]
  let requestedAt = -Infinity
  /** @returns true if the frame may go on */
  const pass = (frame: EncodedFrame): Soon<boolean> => {
    const verdict = sealer.unreadVerdict(side)
    if (verdict) return verdict === 'pass'
    const bytes = new Uint8Array(frame.data)
    const media = { isAudio, codec: isAudio ? ('whole' as const) : codecOf(frame.getMetadata().mimeType) }
    const result =
      options.side === 'send'
        ? sealer.seal(bytes, media, now())
        : sealer.open(bytes, media, options.from, countersOf(options.from), now())
    return afterwards(result, (passed) => {
      if (passed && passed !== bytes) frame.data = passed.buffer
      return passed !== undefined
    })
  }
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const result = pass(next.value)
      if (typeof result === 'boolean' ? result : await result) await writer.write(next.value)
      else if (side === 'receive' && !isAudio && now() - requestedAt > KEY_REQUEST_MS) {
        requestedAt = now()
        // Fails while the receiver is inactive.
        transformer.sendKeyFrameRequest().catch(() => {})
      }
    }
  } catch (error) {
    // Frames must not pile up that nobody reads.
    await reader.cancel(error)
  }
}

addEventListener('rtctransform', (event) => {
  const { transformer } = event as Event & { transformer: Transformer }
  void pump(transformer).catch(() => {})
})
