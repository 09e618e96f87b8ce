// Runs in the browser's audio thread, even while the page is busy or hidden.
export {}

declare class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare function registerProcessor(name: string, processor: typeof AudioWorkletProcessor): void

/** Samples for one reading: 32 ms at 48,000 a second. */
const SAMPLES = 1536
/** Samples per call of `process`. */
const BLOCK = 128

/** Posts the mean power of its input every SAMPLES samples. */
class Level extends AudioWorkletProcessor {
  #power = 0
  #count = 0

  process([input]: Float32Array[][]): boolean {
    // A source that has ended has no channels.
    for (const sample of input?.[0] ?? []) this.#power += sample * sample
    this.#count += BLOCK
    if (this.#count < SAMPLES) return true
    this.port.postMessage(this.#power / this.#count)
    this.#power = 0
    this.#count = 0
    return true
  }
}

registerProcessor('level', Level)
