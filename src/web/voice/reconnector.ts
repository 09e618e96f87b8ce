import { codeOf } from './voice-gateway.ts'

const PAUSE_MS = 300
const PAUSE_MS_MAX = 5_000
/** Codes of problems that may pass. */
const TRANSIENT = ['unavailable', 'internal']

/** True if a retry may succeed. A failure without a code means that the gateway is offline. */
export const mayPass = (code: string | undefined): code is undefined => code === undefined || TRANSIENT.includes(code)

/** Runs attempts to reconnect, never two at once; after a transient failure the next one, with exponential backoff. */
export class Reconnector {
  #isRunning = false
  #isRestarted = false
  #isEnded = false
  #tries = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param onRefused called with the code of a failure that is not transient */
  constructor(
    private readonly attempt: () => Promise<void>,
    private readonly onRefused: (code: string) => void,
  ) {}

  /** Starts an attempt at once, or right after the running one. */
  start(): void {
    clearTimeout(this.#timer)
    this.#tries = 0
    if (this.#isRunning) this.#isRestarted = true
    else void this.#run()
  }

  end(): void {
    this.#isEnded = true
    clearTimeout(this.#timer)
  }

  async #run(): Promise<void> {
    let isDone = false
    this.#isRunning = true
    do {
      this.#isRestarted = false
      isDone = await this.attempt().then(
        () => true,
        (error: unknown) => this.#isRefused(codeOf(error)),
      )
    } while (this.#isRestarted && !this.#isEnded)
    this.#isRunning = false
    if (isDone || this.#isEnded) return
    // Every member of a call reconnects at the same time: spread the attempts.
    const pauseMs = Math.min(PAUSE_MS * 2 ** this.#tries++, PAUSE_MS_MAX) * (0.5 + Math.random())
    this.#timer = setTimeout(() => void this.#run(), pauseMs)
  }

  #isRefused(code: string | undefined): boolean {
    if (mayPass(code)) return false
    this.onRefused(code)
    return true
  }
}
