// Two ways to the encoded frames of a call. RTCRtpScriptTransform is the standard's. Chromium had only
// createEncodedStreams before version 141: the page gets both streams, and gives them to the worker.

/** Direction of a transform's frames, and the voice session that they come from. */
export type Passage = { side: 'send' } | { side: 'receive'; from: string }

/** The options of a transform. */
export type Passing = Passage & { isAudio: boolean }

/** The page's message to the worker with the streams of a sender or receiver. */
export interface StreamsMessage {
  kind: 'streams'
  options: Passing
  readable: ReadableStream
  writable: WritableStream
}

type End = RTCRtpSender | RTCRtpReceiver
type ScriptTransform = new (worker: Worker, options: Passing) => unknown
interface WithStreams {
  /** Once for each sender or receiver, of a connection with `encodedInsertableStreams`. */
  createEncodedStreams(): Pick<StreamsMessage, 'readable' | 'writable'>
}

const hasStreams = (end: object | undefined): end is WithStreams => end !== undefined && 'createEncodedStreams' in end

/** The browser's RTCRtpScriptTransform, which TypeScript does not have yet; undefined in older browsers. */
const scriptTransform = (): ScriptTransform | undefined =>
  (globalThis as { RTCRtpScriptTransform?: ScriptTransform }).RTCRtpScriptTransform

/** True if this browser lets a worker handle encoded frames. */
export const hasEncodedFrames = (): boolean =>
  scriptTransform() !== undefined || hasStreams(globalThis.RTCRtpSender?.prototype)

/**
 * Makes all frames of a sender or receiver pass the worker. Call in the task in which it appears, and only once.
 * @throws Error if the browser refuses; then the connection lets nothing pass
 */
export function passBy(worker: Worker, end: End, options: Passing): void {
  const Transform = scriptTransform()
  if (Transform) Object.assign(end, { transform: new Transform(worker, options) })
  else if (hasStreams(end)) {
    const { readable, writable } = end.createEncodedStreams()
    const message: StreamsMessage = { kind: 'streams', options, readable, writable }
    worker.postMessage(message, [readable, writable])
  }
}

/** The streams, as the worker sees a transform: the browser itself asks for key frames that the decoder misses. */
export const transformerOf = ({ options, readable, writable }: StreamsMessage) => ({
  options,
  readable,
  writable,
  sendKeyFrameRequest: async (): Promise<void> => {},
})
