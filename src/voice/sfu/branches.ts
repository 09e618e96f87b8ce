import type { types } from 'mediasoup'
import { Branch, type Receiver } from './branch.ts'
import type { SfuProcess } from './process.ts'

/** The workers of this machine, as a room finds further ones. */
export interface Workers {
  /** Members of a room who receive from one worker before another one is used: `SFU_PEERS_PER_WORKER`. */
  readonly peersMax: number
  /** The running ones, the least loaded first. */
  byLoad(): SfuProcess[]
  /** Resolves when a worker that has died is replaced, or after a second; at once if none has. */
  replaced(): Promise<void>
}

/**
 * Decides where the members of a room receive: the first `peersMax` from its main router, the others from branches on
 * further workers, as many from each. If all are full, or there is only one worker, the least loaded takes more.
 */
export class Branches {
  readonly #branches = new Set<Branch>()
  /** By member; null: the main router. */
  readonly #homes = new Map<Receiver, Branch | null>()
  /** Workers that a producer could not be brought to. The room uses them no more. */
  readonly #unfit = new Set<SfuProcess>()
  #onMain = 0
  #isClosed = false

  /** @param onLost called with each member who has lost what it received, and may choose again */
  constructor(
    private readonly process: SfuProcess,
    private readonly main: types.Router,
    private readonly workers: Workers,
    private readonly onLost: (receiver: Receiver) => void,
  ) {}

  /** Members who receive from the main router. */
  get onMain(): number {
    return this.#onMain
  }

  all(): Branch[] {
    return [...this.#branches]
  }

  /**
   * The branch from which a member receives; undefined: from the main router. It stays the same until `release`, or
   * until the branch is lost.
   */
  async of(receiver: Receiver): Promise<Branch | undefined> {
    // A worker that is being replaced soon has space: without it, the main one would take everybody.
    if (!this.#homes.has(receiver) && !this.#hasSpace()) await this.workers.replaced()
    const present = this.#homes.get(receiver)
    if (present !== undefined) return present ?? undefined
    const branch = this.#choose()
    this.#homes.set(receiver, branch ?? null)
    if (branch) branch.members.add(receiver)
    else this.#onMain++
    return branch
  }

  /** Call when a member has left. A branch ends with its last member. */
  release(receiver: Receiver): void {
    const home = this.#homes.get(receiver)
    if (!this.#homes.delete(receiver)) return
    if (!home) return void this.#onMain--
    home.members.delete(receiver)
    if (home.members.size === 0) home.close()
  }

  close(): void {
    this.#isClosed = true
    for (const branch of this.#branches) branch.close()
  }

  #hasSpace(): boolean {
    return (
      this.#isClosed ||
      this.#onMain < this.workers.peersMax ||
      this.#spacious() !== undefined ||
      this.#unused().length > 0
    )
  }

  /** The branch on the least loaded worker among those that are not full. */
  #spacious(): Branch | undefined {
    return this.#byLoad().find(({ members }) => members.size < this.workers.peersMax)
  }

  #byLoad(): Branch[] {
    return this.workers.byLoad().flatMap((process) => this.#branchOn(process) ?? [])
  }

  #branchOn(process: SfuProcess): Branch | undefined {
    return [...this.#branches].find((branch) => branch.process === process)
  }

  /** Workers without a router of this room, the least loaded first. */
  #unused(): SfuProcess[] {
    return this.workers
      .byLoad()
      .filter((process) => process !== this.process && !this.#unfit.has(process) && !this.#branchOn(process))
  }

  #choose(): Branch | undefined {
    if (this.#isClosed || this.#onMain < this.workers.peersMax) return undefined
    const spacious = this.#spacious()
    if (spacious) return spacious
    const [unused] = this.#unused()
    if (unused) return this.#open(unused)
    const least = this.workers.byLoad().find((process) => process === this.process || this.#branchOn(process))
    return least && this.#branchOn(least)
  }

  #open(process: SfuProcess): Branch {
    const branch = new Branch(process, this.main, (ended, why) => {
      this.#branches.delete(ended)
      if (why === 'failed') this.#unfit.add(process)
      const members = [...ended.members]
      ended.members.clear()
      for (const receiver of members) {
        this.#homes.delete(receiver)
        if (why !== 'closed') this.onLost(receiver)
      }
    })
    this.#branches.add(branch)
    return branch
  }
}
