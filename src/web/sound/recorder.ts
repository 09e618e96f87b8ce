import { LevelMeter } from '../voice/level-meter.ts'
import { openMicrophone } from '../voice/microphone.ts'
import { withDuration } from './webm-duration.ts'

/** A recording ends by itself at either bound. */
export const RECORDING_MS_MAX = 10 * 60_000
const BYTES_MAX = 16 * 1024 * 1024
/** Bit rate for speech; Opus carries speech well at this rate. */
const BITS_PER_SECOND = 32_000
const PIECE_MS = 1_000

/** Formats that browsers record, with their file extensions. */
const TYPES = [
  ['audio/webm;codecs=opus', 'webm'],
  ['audio/ogg;codecs=opus', 'ogg'],
  ['audio/mp4', 'm4a'],
] as const

const NAME = 'voice-message'
/** True if the file's name marks it as a voice message. */
export const isVoiceMessage = (filename: string): boolean => /^voice-message\.(webm|ogg|m4a)$/.test(filename)

/** A voice message that is being recorded. */
export class Recorder {
  readonly #recorder: MediaRecorder
  readonly #meter: LevelMeter
  readonly #ending: string
  readonly #pieces: Blob[] = []
  readonly #beganAt = performance.now()
  #bytes = 0
  #stoppedAt = 0
  readonly #ended = Promise.withResolvers<void>()

  private constructor(private readonly track: MediaStreamTrack) {
    const [type, ending] = TYPES.find(([each]) => MediaRecorder.isTypeSupported(each)) ?? [undefined, 'webm']
    const options = { audioBitsPerSecond: BITS_PER_SECOND, ...(type === undefined ? {} : { mimeType: type }) }
    this.#ending = ending
    this.#recorder = new MediaRecorder(new MediaStream([track]), options)
    this.#meter = new LevelMeter(track)
    this.#recorder.ondataavailable = ({ data }) => {
      this.#pieces.push(data)
      this.#bytes += data.size
    }
    // The microphone was unplugged, or this was stopped.
    this.#recorder.onstop = () => this.#ended.resolve()
    this.#recorder.start(PIECE_MS)
  }

  /** Begins. @throws Error when there is no microphone, or the page may not use it */
  static async start(): Promise<Recorder> {
    const track = await openMicrophone()
    if (!track) throw new Error('There is no microphone')
    try {
      return new Recorder(track)
    } catch (error) {
      track.stop()
      throw error
    }
  }

  /** Duration so far, ms. */
  get lengthMs(): number {
    return (this.#stoppedAt || performance.now()) - this.#beganAt
  }

  /** True if the recording reached a limit or the microphone was unplugged. */
  get isOver(): boolean {
    return this.lengthMs >= RECORDING_MS_MAX || this.#bytes >= BYTES_MAX || this.#recorder.state === 'inactive'
  }

  /** The level now, 0 to 1. */
  level = (): number => this.#meter.read()

  /** Ends it, and lets go of the microphone. @returns the file */
  async stop(): Promise<File> {
    this.#end()
    await this.#ended.promise
    const [type = 'audio/webm'] = (this.#recorder.mimeType || 'audio/webm').split(';')
    const bytes = new Uint8Array(await new Blob(this.#pieces).arrayBuffer())
    const whole = type === 'audio/webm' ? withDuration(bytes, this.lengthMs) : bytes
    return new File([whole], `${NAME}.${this.#ending}`, { type })
  }

  /** Ends it without a file. */
  discard = (): void => this.#end()

  #end(): void {
    this.#stoppedAt ||= performance.now()
    if (this.#recorder.state !== 'inactive') this.#recorder.stop()
    this.track.stop()
    this.#meter.stop()
  }
}
