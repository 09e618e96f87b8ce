/** Sends to one host at once, while it answers in time. */
const SENDS_PER_HOST = 8
/** Sends at once to all other hosts together, of which each has one: new ones, and those that have been slow. */
const SENDS_TO_OTHERS = 8
/** Of these, sends to hosts that have been late: they do not come before new ones. */
const SENDS_TO_LATE = 2
/** A host counts as one that answers in time after so many answers in a row, which also make up for one late one. */
const ANSWERS_NEEDED = 32
/** An answer after this time is a slow one: the host has one send at once again. */
export const SLOW_MS = 2_000
/** A host that is late gets nothing for this time, twice as long each further time. */
const PAUSE_MS_MIN = 15_000
const PAUSE_MS_MAX = 300_000
/** Hosts that are remembered. Anyone may name hosts: those that are not known to answer in time go first. */
const HOSTS_MAX = 1_000

/** How a host took what was sent to it; `none`: nothing was learnt, since it was not asked, or could not be reached. */
export type Manner = 'in time' | 'slow' | 'late' | 'none'

interface Host {
  underway: number
  /** In time, one after another. */
  answers: number
  /** How often it was late, less what later answers have made up for. */
  late: number
  paused_until: number
}

const isPrompt = ({ answers }: Host) => answers >= ANSWERS_NEEDED

/** The host of an endpoint, with its port where it has one: as the third part of the URL between slashes. */
export const hostOf = (endpoint: string): string => endpoint.split('/', 3)[2] ?? ''

/**
 * Shares the sends of a process among the hosts of push services, so that those that do not answer leave places to the
 * others, however many hosts somebody has. Times are milliseconds of any clock.
 */
export class PushHosts {
  /** By name; the one that was used least recently first. */
  readonly #hosts = new Map<string, Host>()

  /** Which hosts may be asked now: none of `closed`, and where `only` is given, just those. */
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

  /** Ends what `begin` began. */
  end(name: string, manner: Manner, now_ms: number): void {
    const host = this.#hosts.get(name)
    if (!host) return
    host.underway--
    if (manner === 'in time' && ++host.answers % ANSWERS_NEEDED === 0) host.late = Math.max(0, host.late - 1)
    if (manner === 'slow' || manner === 'late') host.answers = 0
    // Of the sends that were under way together, one counts.
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
