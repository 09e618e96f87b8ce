import type { VoiceGateway } from './voice-gateway.ts'
import type { Source } from './local-tracks.ts'

/** The own screen, with its sound if it has one. */
export class Sharing {
  #shown: MediaStream | undefined

  constructor(
    private readonly gateway: VoiceGateway,
    private readonly publish: (source: Source, track: MediaStreamTrack | undefined) => Promise<void>,
    private readonly onChange: () => void,
  ) {}

  get active(): boolean {
    return this.#shown !== undefined
  }

  /** Rejects with the problem when the server refuses, or with the browser's error when the person does. */
  async start(screen?: MediaStream): Promise<void> {
    const shown = screen ?? (await navigator.mediaDevices.getDisplayMedia({ video: true, audio: true }))
    await this.tell(true).catch((error: unknown) => {
      for (const track of shown.getTracks()) track.stop()
      throw error
    })
    this.#shown = shown
    const [picture] = shown.getVideoTracks()
    picture?.addEventListener('ended', () => void this.stop())
    await Promise.all([this.publish('screen', picture), this.publish('screen_audio', shown.getAudioTracks()[0])])
    this.onChange()
  }

  async stop(): Promise<void> {
    if (!this.#shown) return
    this.end()
    await Promise.all([this.publish('screen', undefined), this.publish('screen_audio', undefined)])
    await this.tell(false).catch(() => undefined)
    this.onChange()
  }

  /** Tells the server, which goes by it when it chooses the route. */
  async tell(sharing_screen: boolean): Promise<void> {
    await this.gateway.command('voice.update', { sharing_screen })
  }

  /** Ends it on this side. */
  end(): void {
    for (const track of this.#shown?.getTracks() ?? []) track.stop()
    this.#shown = undefined
  }
}
