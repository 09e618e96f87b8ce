/** Concurrent sends to one host that answers in time. */
const SENDS_PER_HOST = 8
/** Concurrent sends shared by all unproven hosts (new or recently slow), one per host. */
const SENDS_TO_OTHERS = 8
/** Share of SENDS_TO_OTHERS for late hosts, so that new hosts are not starved. */
const SENDS_TO_LATE = 2
/** A host is proven after this many timely answers in a row, which also make up for one late answer. */
const ANSWERS_NEEDED = 32
/** An answer after this time is slow, and makes the host unproven again. */
export const SLOW_MS = 2_000
/** Pause after a late answer; doubles with each further one. */
const PAUSE_MS_MIN = 15_000
const PAUSE_MS_MAX = 300_000
/** Hosts to remember. Accounts can name any host, so unproven ones are forgotten first. */
const HOSTS_MAX = 1_000

/** A host's behaviour in one send; `none`: unknown, because it was not contacted or unreachable. */
export type Manner = 'in time' | 'slow' | 'late' | 'none'

interface Host {
  underway: number
  /** Timely answers in a row. */
  answers: number
  /** Late answers, less those made up for. */
  lateAnswers: number
  pausedUntil: number
}

const isPrompt = ({ answers }: Host) => answers >= ANSWERS_NEEDED

/** The host of an endpoint with its port, if any: the third part of the URL between slashes. */
export const hostOf = (endpoint: string): string => endpoint.split('/', 3)[2] ?? ''

/**
 * Shares the concurrent sends of a process among push services' hosts, so that slow hosts leave slots to the others,
 * however many hosts one account names. Times are milliseconds of any clock.
 */
export class PushHosts {
  /** By name, least recently used first. */
  readonly #hosts = new Map<string, Host>()

  /** The hosts to which a send may start now: none of `closed`, and if `only` is not null, just those. */
  open(nowMs: number): { closed: string[]; only: string[] | null } {
    const otherCount = this.#underway((host) => !isPrompt(host))
    const lateCount = this.#underway((host) => !isPrompt(host) && host.lateAnswers > 0)
    const isClosed = (host: Host) =>
      host.pausedUntil > nowMs ||
      host.underway >= (isPrompt(host) ? SENDS_PER_HOST : 1) ||
      (!isPrompt(host) && host.lateAnswers > 0 && lateCount >= SENDS_TO_LATE)
    const namesOf = (predicate: (host: Host) => boolean) =>
      Array.from(this.#hosts).flatMap(([name, host]) => (predicate(host) ? name : []))
    return { closed: namesOf(isClosed), only: otherCount < SENDS_TO_OTHERS ? null : namesOf(isPrompt) }
  }

  begin(name: string): void {
    const host = this.#hosts.get(name) ?? { underway: 0, answers: 0, lateAnswers: 0, pausedUntil: 0 }
    host.underway++
    this.#hosts.delete(name)
    this.#hosts.set(name, host)
    if (this.#hosts.size > HOSTS_MAX) this.#forgetOne()
  }

  /** Ends a send that `begin` started. */
  end(name: string, manner: Manner, nowMs: number): void {
    const host = this.#hosts.get(name)
    if (!host) return
    host.underway--
    if (manner === 'in time' && ++host.answers % ANSWERS_NEEDED === 0)
      host.lateAnswers = Math.max(0, host.lateAnswers - 1)
    if (manner === 'slow' || manner === 'late') host.answers = 0
    // Of several concurrent sends that were late, count one.
    if (manner !== 'late' || host.pausedUntil > nowMs) return
    host.pausedUntil = nowMs + Math.min(PAUSE_MS_MIN * 2 ** host.lateAnswers, PAUSE_MS_MAX)
    host.lateAnswers = Math.min(host.lateAnswers + 1, Math.ceil(Math.log2(PAUSE_MS_MAX / PAUSE_MS_MIN)))
  }

  #underway(predicate: (host: Host) => boolean): number {
    let count = 0
    for (const host of this.#hosts.values()) if (predicate(host)) count += host.underway
    return count
  }

  #forgetOne(): void {
    const idle = Array.from(this.#hosts).filter(([, { underway }]) => underway === 0)
    const [name] = idle.find(([, host]) => !isPrompt(host)) ?? idle[0] ?? []
    if (name !== undefined) this.#hosts.delete(name)
  }
}
