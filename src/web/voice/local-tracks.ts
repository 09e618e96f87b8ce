/** The source of a track. */
export type Source = 'microphone' | 'camera' | 'screen' | 'screen_audio'

export const isAudio = (source: Source): boolean => source === 'microphone' || source === 'screen_audio'

/** The tracks that this member sends, one per source; each is the call's own clone. */
export class LocalTracks {
  readonly bySource = new Map<Source, MediaStreamTrack>()
  #isMuted = false
  #isOpen = true

  /** Sends a clone of the track, so that the caller's track stays as it is; undefined ends the source. */
  set(source: Source, track: MediaStreamTrack | undefined): MediaStreamTrack | undefined {
    this.bySource.get(source)?.stop()
    this.bySource.delete(source)
    if (!track) return undefined
    const clone = track.clone()
    if (source === 'microphone') clone.enabled = this.#isHeard
    clone.contentHint = track.contentHint
    if (source === 'screen') clone.contentHint = track.contentHint || 'detail'
    this.bySource.set(source, clone)
    return clone
  }

  /** A muted microphone sends silence: muting needs no renegotiation. */
  mute(isMuted: boolean): void {
    this.#isMuted = isMuted
    this.#apply()
  }

  /** Closes the microphone for a while without muting it, or opens it again. */
  gate(isOpen: boolean): void {
    this.#isOpen = isOpen
    this.#apply()
  }

  get #isHeard(): boolean {
    return this.#isOpen && !this.#isMuted
  }

  #apply(): void {
    const microphone = this.bySource.get('microphone')
    if (microphone) microphone.enabled = this.#isHeard
  }

  stop(): void {
    for (const track of this.bySource.values()) track.stop()
    this.bySource.clear()
  }
}
