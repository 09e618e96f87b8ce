import { codeOf } from './voice-gateway.ts'

const PAUSE_MS = 300
const PAUSE_MS_MAX = 5_000
/** What a server may be able to do in a moment. */
const FOR_NOW = ['unavailable', 'internal']

/** Attempts one after another, never two at once: what fails for now is tried again after a pause that grows. */
export class Again {
  #running = false
  #wanted = false
  #ended = false
  #tries = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param refused called with the code of what does not fail for now only */
  constructor(
    private readonly attempt: () => Promise<void>,
    private readonly refused: (code: string) => void,
  ) {}

  /** Begins at once; where an attempt is under way already, with another behind it. */
  start(): void {
    clearTimeout(this.#timer)
    this.#tries = 0
    if (this.#running) this.#wanted = true
    else void this.#run()
  }

  end(): void {
    this.#ended = true
    clearTimeout(this.#timer)
  }

  async #run(): Promise<void> {
    let done = false
    this.#running = true
    do {
      this.#wanted = false
      done = await this.attempt().then(
        () => true,
        (error: unknown) => this.#isRefused(codeOf(error)),
      )
    } while (this.#wanted && !this.#ended)
    this.#running = false
    if (done || this.#ended) return
    // Everyone of the call comes back at the same time.
    const pause_ms = Math.min(PAUSE_MS * 2 ** this.#tries++, PAUSE_MS_MAX) * (0.5 + Math.random())
    this.#timer = setTimeout(() => void this.#run(), pause_ms)
  }

  /** Without a code the gateway is away. */
  #isRefused(code: string | undefined): boolean {
    if (code === undefined || FOR_NOW.includes(code)) return false
    this.refused(code)
    return true
  }
}
