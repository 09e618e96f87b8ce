/** What is quieter counts as silence, dB below full scale. */
const SILENCE_DB = 60

/** How loud a microphone is. */
export class LevelMeter {
  readonly #context = new AudioContext()
  readonly #analyser = this.#context.createAnalyser()
  readonly #samples = new Float32Array(this.#analyser.fftSize)
  readonly #track: MediaStreamTrack

  /** @param track is cloned: the meter hears it while it is muted */
  constructor(track: MediaStreamTrack) {
    this.#track = track.clone()
    this.#track.enabled = true
    this.#context.createMediaStreamSource(new MediaStream([this.#track])).connect(this.#analyser)
  }

  /** The level now, 0 for silence to 1 for full scale. */
  read(): number {
    this.#analyser.getFloatTimeDomainData(this.#samples)
    const power = this.#samples.reduce((sum, sample) => sum + sample * sample, 0) / this.#samples.length
    return Math.min(1, Math.max(0, 1 + (10 * Math.log10(power)) / SILENCE_DB))
  }

  stop(): void {
    this.#track.stop()
    void this.#context.close()
  }
}
