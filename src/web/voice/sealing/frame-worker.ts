import { codecOf } from './clear-part.ts'
import type { Epoch } from './epoch-keys.ts'
import { Counters, FrameSealer } from './frame-sealer.ts'

// The worker of a call, through which every encoded frame passes. It is built as a file of its own.

/** A message from the page. */
export type WorkerMessage = { kind: 'open' } | { kind: 'sealed' } | { kind: 'epoch'; epoch: Epoch; delayMs: number }

/** Direction of a transform's frames, and the voice session that they come from. */
export type Passage = { side: 'send' } | { side: 'receive'; from: string }

/** The browser's encoded frame: W3C "WebRTC Encoded Transform", which TypeScript does not have yet. */
interface EncodedFrame {
  data: ArrayBuffer
  getMetadata(): { mimeType?: string }
}

interface Transformer {
  readonly options: Passage & { isAudio: boolean }
  readonly readable: ReadableStream<EncodedFrame>
  readonly writable: WritableStream<EncodedFrame>
  sendKeyFrameRequest(): Promise<unknown>
}

/** Minimum time between two requests for a key frame, ms. */
const KEY_REQUEST_MS = 500

const sealer = new FrameSealer()
const now = (): number => performance.now()

addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
  if (data.kind === 'epoch') sealer.add(data.epoch, now() + data.delayMs, now())
  else sealer.begin(data.kind)
})

function passageOf(transformer: Transformer): TransformStream<EncodedFrame, EncodedFrame> {
  const { options } = transformer
  const { isAudio } = options
  const stream = new Counters()
  let requestedAt = -Infinity
  return new TransformStream({
    async transform(frame, controller) {
      const bytes = new Uint8Array(frame.data)
      const media = { isAudio, codec: isAudio ? ('whole' as const) : codecOf(frame.getMetadata().mimeType) }
      const passed = await (options.side === 'send'
        ? sealer.seal(bytes, media, now())
        : sealer.open(bytes, media, options.from, stream, now()))
      if (passed) {
        if (passed !== bytes) frame.data = passed.buffer
        controller.enqueue(frame)
      } else if (options.side === 'receive' && !isAudio && now() - requestedAt > KEY_REQUEST_MS) {
        requestedAt = now()
        // Fails while the receiver is inactive.
        transformer.sendKeyFrameRequest().catch(() => {})
      }
    },
  })
}

addEventListener('rtctransform', (event) => {
  const { transformer } = event as Event & { transformer: Transformer }
  // Ends with the call, when the worker is terminated.
  void transformer.readable
    .pipeThrough(passageOf(transformer))
    .pipeTo(transformer.writable)
    .catch(() => {})
})
