import type { VoiceGateway } from './voice-gateway.ts'
import type { Source } from './local-tracks.ts'

/** The shared screen of this member, with its sound if it has any. */
export class ScreenShare {
  #stream: MediaStream | undefined

  constructor(
    private readonly gateway: VoiceGateway,
    private readonly publish: (source: Source, track: MediaStreamTrack | undefined) => Promise<void>,
    private readonly onChange: () => void,
  ) {}

  get active(): boolean {
    return this.#stream !== undefined
  }

  /** Rejects with the server's problem, or with the browser's error when the person declines. */
  async start(screen?: MediaStream): Promise<void> {
    const stream = screen ?? (await navigator.mediaDevices.getDisplayMedia({ video: true, audio: true }))
    await this.#report(true).catch((error: unknown) => {
      for (const track of stream.getTracks()) track.stop()
      throw error
    })
    this.#stream = stream
    const [video] = stream.getVideoTracks()
    video?.addEventListener('ended', () => void this.stop())
    await Promise.all([this.publish('screen', video), this.publish('screen_audio', stream.getAudioTracks()[0])])
    this.onChange()
  }

  async stop(): Promise<void> {
    if (!this.#stream) return
    this.end()
    await Promise.all([this.publish('screen', undefined), this.publish('screen_audio', undefined)])
    await this.#report(false).catch(() => undefined)
    this.onChange()
  }

  /** The server considers a shared screen when it chooses the route. */
  async #report(sharing_screen: boolean): Promise<void> {
    await this.gateway.command('voice.update', { sharing_screen })
  }

  /** Stops the tracks, without a command to the server. */
  end(): void {
    for (const track of this.#stream?.getTracks() ?? []) track.stop()
    this.#stream = undefined
  }
}
