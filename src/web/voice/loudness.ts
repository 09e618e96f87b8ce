/** Maximum volume of a member: twice the original. */
export const VOLUME_MAX = 2

/** A player's sound at a volume that its element cannot have. */
class Boost {
  readonly #context = new AudioContext()
  readonly #gain = new GainNode(this.#context)
  readonly #source: MediaStreamAudioSourceNode

  /** @param track the sound of the stream: another one needs another source */
  constructor(
    stream: MediaStream,
    readonly track: MediaStreamTrack,
  ) {
    this.#source = this.#context.createMediaStreamSource(stream)
    this.#source.connect(this.#gain).connect(this.#context.destination)
  }

  set volume(volume: number) {
    this.#gain.gain.value = volume
  }

  /** Not in every browser. @param device its id; empty for the system's default */
  playOn(device: string): void {
    const context: AudioContext & { setSinkId?: (id: string) => Promise<void> } = this.#context
    void context.setSinkId?.(device).catch(() => {})
  }

  close(): void {
    this.#source.disconnect()
    void this.#context.close()
  }
}

const boosts = new Map<HTMLAudioElement, Boost>()

/**
 * Sets the volume of a player whose stream has begun or changed.
 * @param volume 0 for silence, 1 for the original volume, at most VOLUME_MAX
 * @param device the id of the loudspeaker
 */
export function setLoudness(player: HTMLAudioElement, volume: number, device: string): void {
  const stream = player.srcObject instanceof MediaStream ? player.srcObject : undefined
  player.volume = Math.min(1, volume)
  // Safari on iOS leaves the volume of an element at 1.
  const needsGraph = volume > 1 || (volume > 0 && player.volume !== volume)
  const track = needsGraph ? stream?.getAudioTracks()[0] : undefined
  const before = boosts.get(player)
  if (before && before.track !== track) {
    before.close()
    boosts.delete(player)
  }
  // Chromium gives no sound of a far stream to a graph unless an element plays it, too.
  player.muted = track !== undefined || volume === 0
  if (!stream || !track) return
  const boost = boosts.get(player) ?? new Boost(stream, track)
  boost.volume = Math.min(VOLUME_MAX, volume)
  boost.playOn(device)
  boosts.set(player, boost)
}
