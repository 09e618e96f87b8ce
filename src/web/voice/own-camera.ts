import { codeOf, type VoiceGateway } from './voice-gateway.ts'

/** The camera of this member. */
export class OwnCamera {
  #track: MediaStreamTrack | undefined
  /** The track of the last `start`; undefined once the camera is stopped. */
  #wish: MediaStreamTrack | undefined

  /** @param publish sends a clone of the track and returns it; without a track it ends the source */
  constructor(
    private readonly gateway: VoiceGateway,
    private readonly publish: (track: MediaStreamTrack | undefined) => Promise<MediaStreamTrack | undefined>,
    private readonly onChange: () => void,
  ) {}

  /** The track that is sent; undefined while the camera is off. */
  get track(): MediaStreamTrack | undefined {
    return this.#track
  }

  /** Turns the camera on, or changes it. Rejects with the server's problem; the camera stays as it was then. */
  async start(track: MediaStreamTrack): Promise<void> {
    this.#wish = track
    // Others only show the video of members who have reported their camera as on.
    if (!this.#track)
      await this.#report(true).catch((error: unknown) => {
        if (this.#wish === track) this.#wish = undefined
        throw error
      })
    if (this.#wish !== track) return
    const clone = await this.publish(track)
    if (this.#wish !== track) return
    this.#track = clone
    // The camera was unplugged, or the person has taken the permission back.
    clone?.addEventListener('ended', () => this.#track === clone && void this.stop())
    this.onChange()
  }

  async stop(): Promise<void> {
    if (!this.#wish) return
    this.#wish = undefined
    this.#track = undefined
    await this.publish(undefined)
    this.onChange()
    await this.#report(false).catch(() => undefined)
  }

  /** Reports the camera's state to the server again, and turns the camera off if the server refuses. */
  async repeat(): Promise<void> {
    await this.#report(this.#wish !== undefined).catch((error: unknown) => {
      // An error without a code means that the gateway is offline: reconnecting reports again.
      if (codeOf(error) !== undefined) return this.stop()
    })
  }

  /** The server considers cameras when it chooses the route. */
  async #report(camera: boolean): Promise<void> {
    await this.gateway.command('voice.update', { camera })
  }
}
