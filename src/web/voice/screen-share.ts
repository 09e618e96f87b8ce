import { WHOLE } from './sound-first.ts'
import { codeOf, type VoiceGateway } from './voice-gateway.ts'
import type { Source } from './local-tracks.ts'

/** The priority of a shared screen: sharp text, or smooth motion. */
export type ScreenKind = 'detail' | 'motion'

/** Capture up to 4K. The browser scales down to fit the sender's bandwidth and processor. */
const SIZE = { width: { max: 3840 }, height: { max: 2160 } }
declare global {
  interface MediaTrackSupportedConstraints {
    restrictOwnAudio?: boolean
  }
  interface MediaTrackConstraintSet {
    restrictOwnAudio?: ConstrainBoolean
  }
  interface MediaTrackSettings {
    restrictOwnAudio?: boolean
  }
}

const WISHES: Record<ScreenKind, MediaTrackConstraints> = {
  detail: { ...SIZE, frameRate: { ideal: 15, max: 30 } },
  motion: { ...SIZE, frameRate: { ideal: 60, max: 60 } },
}

/** Capture audio unfiltered, but without the call, which the others would hear as an echo. */
const soundWishes = (): MediaTrackConstraints =>
  canRestrict() ? { ...WHOLE, restrictOwnAudio: true } : { ...WHOLE, echoCancellation: true }

/** True if the browser can exclude this page's audio from a capture. */
const canRestrict = (): boolean => navigator.mediaDevices.getSupportedConstraints().restrictOwnAudio === true

/** Lets the echo canceller remove the call from the captured audio if the browser did not exclude it. */
async function keepOwnSoundOut(track: MediaStreamTrack | undefined): Promise<void> {
  const { restrictOwnAudio, echoCancellation } = track?.getSettings() ?? {}
  if (!track || restrictOwnAudio === true || echoCancellation) return
  await track.applyConstraints({ ...WHOLE, echoCancellation: true }).catch(() => undefined)
}

/** The shared screen of this member, with its sound if it has any. */
export class ScreenShare {
  #stream: MediaStream | undefined
  /** True from the start of a share that the person has chosen until its end. */
  #isWanted = false
  /** True if the server may believe that a screen is shared, because a command was lost with the gateway. */
  #isEndLost = false

  constructor(
    private readonly gateway: VoiceGateway,
    private readonly publish: (source: Source, track: MediaStreamTrack | undefined) => Promise<unknown>,
    private readonly onChange: () => void,
  ) {}

  get stream(): MediaStream | undefined {
    return this.#stream
  }

  /** Rejects with the server's problem, or with the browser's error when the person declines. */
  async start(kind: ScreenKind, screen?: MediaStream): Promise<void> {
    const stream =
      screen ?? (await navigator.mediaDevices.getDisplayMedia({ video: WISHES[kind], audio: soundWishes() }))
    if (!screen) await keepOwnSoundOut(stream.getAudioTracks()[0])
    this.#isWanted = true
    await this.#report(true).catch((error: unknown) => {
      for (const track of stream.getTracks()) track.stop()
      this.#isWanted = this.#stream !== undefined
      this.#isEndLost ||= codeOf(error) === undefined
      throw error
    })
    this.#stream = stream
    const [video] = stream.getVideoTracks()
    if (video) video.contentHint = kind
    video?.addEventListener('ended', () => void this.stop())
    const sources = [this.publish('screen', video), this.publish('screen_audio', stream.getAudioTracks()[0])]
    const tracks = await Promise.all(sources)
    // The call has ended meanwhile.
    if (!tracks.some(Boolean)) this.end()
    this.onChange()
  }

  async stop(): Promise<void> {
    if (!this.#stream) return
    this.end()
    await Promise.all([this.publish('screen', undefined), this.publish('screen_audio', undefined)])
    await this.#reportEnd()
    this.onChange()
  }

  /** Call after the gateway has reconnected: reports the end of a share again if that was lost. */
  async repeat(): Promise<void> {
    if (this.#isEndLost && !this.#isWanted) await this.#reportEnd()
  }

  async #reportEnd(): Promise<void> {
    this.#isEndLost = await this.#report(false).then(
      () => false,
      (error: unknown) => codeOf(error) === undefined,
    )
  }

  /** The server considers a shared screen when it chooses the route. */
  async #report(sharing_screen: boolean): Promise<void> {
    await this.gateway.command('voice.update', { sharing_screen })
  }

  /** Stops the tracks, without a command to the server. */
  end(): void {
    for (const track of this.#stream?.getTracks() ?? []) track.stop()
    this.#stream = undefined
    this.#isWanted = false
  }
}
