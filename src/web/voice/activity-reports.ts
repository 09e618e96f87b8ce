/** Minimum time between two reports in one voice session. */
const REPORT_MS = 20_000

/** Decides which signs of activity become a report to the server. */
export class ActivityReports {
  #reportedAt = 0
  #reportedId = ''

  /**
   * @param send reports that the person is active
   * @param now a clock in milliseconds
   */
  constructor(
    private readonly send: () => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Notes speech or input. @param sessionId the voice session; empty while there is none */
  active(sessionId: string): void {
    if (sessionId === '' || (sessionId === this.#reportedId && this.now() - this.#reportedAt < REPORT_MS)) return
    this.#reportedAt = this.now()
    this.#reportedId = sessionId
    this.send()
  }

  /** Each new voice session begins with a report. */
  look(sessionId: string, isSpeaking: boolean): void {
    if (isSpeaking || sessionId !== this.#reportedId) this.active(sessionId)
  }
}
