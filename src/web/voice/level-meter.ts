import { isRunning } from './audio-context.ts'

/** Silence threshold, dB below full scale. */
const SILENCE_DB = 60
/** Interval of level readings without the worklet. */
const PERIOD_MS = 30
/** Set by the build: the path of src/web/voice/level-worklet.ts. */
declare const LEVEL: string

/** The level of sound of this mean power: 0 for silence to 1 for full scale. */
const levelOf = (power: number): number => Math.min(1, Math.max(0, 1 + (10 * Math.log10(power)) / SILENCE_DB))

/** Measures the level of a microphone. */
export class LevelMeter {
  readonly #context = new AudioContext()
  readonly #analyser = this.#context.createAnalyser()
  readonly #samples = new Float32Array(this.#analyser.fftSize)
  readonly #track: MediaStreamTrack
  readonly #source: MediaStreamAudioSourceNode
  #timer: ReturnType<typeof setInterval> | undefined
  #isStopped = false

  /** @param track is cloned: the meter hears it while it is muted */
  constructor(track: MediaStreamTrack) {
    this.#track = track.clone()
    this.#track.enabled = true
    this.#source = this.#context.createMediaStreamSource(new MediaStream([this.#track]))
    this.#source.connect(this.#analyser)
  }

  /** The level now, 0 for silence to 1 for full scale. */
  read(): number {
    this.#analyser.getFloatTimeDomainData(this.#samples)
    return levelOf(this.#samples.reduce((sum, sample) => sum + sample * sample, 0) / this.#samples.length)
  }

  /**
   * Reports the level repeatedly until the meter is stopped, even in a hidden page, whose timers hardly run.
   * @returns false if the browser measures nothing, so that every level is silence
   */
  async tell(listener: (level: number) => void): Promise<boolean> {
    try {
      await this.#context.audioWorklet.addModule(LEVEL)
      const node = new AudioWorkletNode(this.#context, 'level', { channelCount: 1, channelCountMode: 'explicit' })
      // Ignore blocks that arrive after the meter was stopped.
      node.port.onmessage = ({ data }: MessageEvent<number>) => this.#isStopped || listener(levelOf(data))
      // Its output is silence. Some browsers do not run a node without a destination.
      this.#source.connect(node).connect(this.#context.destination)
    } catch {
      // The worklet could not be loaded: use a timer, which is late in a hidden page.
      if (!this.#isStopped) this.#timer = setInterval(() => listener(this.read()), PERIOD_MS)
    }
    return isRunning(this.#context)
  }

  stop(): void {
    this.#isStopped = true
    clearInterval(this.#timer)
    this.#track.stop()
    void this.#context.close()
  }
}
