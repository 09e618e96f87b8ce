/** Where a track comes from. */
export type Source = 'microphone' | 'camera' | 'screen' | 'screen_audio'

/** What the own side sends: a track a source, the call's own copy. */
export class Sources {
  readonly tracks = new Map<Source, MediaStreamTrack>()
  #muted = false

  /** Takes a copy of the track, so that what the call does to it stays the call's; undefined ends the source. */
  set(source: Source, track: MediaStreamTrack | undefined): MediaStreamTrack | undefined {
    this.tracks.get(source)?.stop()
    this.tracks.delete(source)
    if (!track) return undefined
    const own = track.clone()
    if (source === 'microphone') own.enabled = !this.#muted
    if (source === 'screen') own.contentHint = 'detail'
    this.tracks.set(source, own)
    return own
  }

  /** A muted microphone goes on, with silence: nothing has to be negotiated. */
  mute(muted: boolean): void {
    this.#muted = muted
    const microphone = this.tracks.get('microphone')
    if (microphone) microphone.enabled = !muted
  }

  stop(): void {
    for (const track of this.tracks.values()) track.stop()
    this.tracks.clear()
  }
}
