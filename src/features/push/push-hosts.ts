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
  late: number
  paused_until: number
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
  open(now_ms: number): { closed: string[]; only: string[] | null } {
    const others = this.#underway((host) => !isPrompt(host))
    const late = this.#underway((host) => !isPrompt(host) && host.late > 0)
    const isClosed = (host: Host) =>
      host.paused_until > now_ms ||
      host.underway >= (isPrompt(host) ? SENDS_PER_HOST : 1) ||
      (!isPrompt(host) && host.late > 0 && late >= SENDS_TO_LATE)
    const named = (which: (host: Host) => boolean) =>
      Array.from(this.#hosts).flatMap(([name, host]) => (which(host) ? name : []))
    return { closed: named(isClosed), only: others < SENDS_TO_OTHERS ? null : named(isPrompt) }
  }

  begin(name: string): void {
    const host = this.#hosts.get(name) ?? { underway: 0, answers: 0, late: 0, paused_until: 0 }
    host.underway++
    this.#hosts.delete(name)
    this.#hosts.set(name, host)
    if (this.#hosts.size > HOSTS_MAX) this.#forgetOne()
  }

  /** Ends a send that `begin` started. */
  end(name: string, manner: Manner, now_ms: number): void {
    const host = this.#hosts.get(name)
    if (!host) return
    host.underway--
    if (manner === 'in time' && ++host.answers % ANSWERS_NEEDED === 0) host.late = Math.max(0, host.late - 1)
    if (manner === 'slow' || manner === 'late') host.answers = 0
    // Of several concurrent sends that were late, count one.
    if (manner !== 'late' || host.paused_until > now_ms) return
    host.paused_until = now_ms + Math.min(PAUSE_MS_MIN * 2 ** host.late, PAUSE_MS_MAX)
    host.late = Math.min(host.late + 1, Math.ceil(Math.log2(PAUSE_MS_MAX / PAUSE_MS_MIN)))
  }

  #underway(which: (host: Host) => boolean): number {
    let count = 0
    for (const host of this.#hosts.values()) if (which(host)) count += host.underway
    return count
  }

  #forgetOne(): void {
    const idle = Array.from(this.#hosts).filter(([, { underway }]) => underway === 0)
    const [name] = idle.find(([, host]) => !isPrompt(host)) ?? idle[0] ?? []
    if (name !== undefined) this.#hosts.delete(name)
  }
}
