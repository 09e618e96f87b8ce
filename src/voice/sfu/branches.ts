import type { types } from 'mediasoup'
import { Branch } from './branch.ts'
import { MediaUnavailable, type SfuWorker } from './process.ts'
import type { BranchEnd, Elsewhere, LinkedBranch, ReceivingBranch, Receiver } from './receiving.ts'

/**
 * Members who learn at once that their branch is lost, and the pause before the next ones, ms: about as many DTLS
 * handshakes as a worker makes meanwhile. If it gets more, its socket drops packets, and a member whose packets are
 * dropped waits for seconds.
 */
const LOST_AT_ONCE = 100
const LOST_PAUSE_MS = 100

/** The workers that a room may use, on this process and others. */
export interface Workers {
  /** Members of a room who receive from one worker before another one is used: `SFU_PEERS_PER_WORKER`. */
  readonly peersMax: number
  /** The running workers of this process, the least loaded first. */
  byLoad(): SfuWorker[]
  /** Resolves when a worker that has died is replaced, or after a second; at once if none has. */
  replaced(): Promise<void>
  /** Further processes; undefined for a server of one process. */
  readonly elsewhere?: Elsewhere | undefined
}

/**
 * Decides where the members of a room receive: the first `peersMax` from its main router, the others from branches on
 * further workers, as many from each. If all workers of this machine are full, members receive from branches on other
 * processes; if those are full too, or there are none, the least loaded worker here takes more.
 */
export class Branches {
  readonly #branches = new Set<Branch>()
  readonly #linked = new Set<LinkedBranch>()
  /** By member; null: the main router. */
  readonly #homes = new Map<Receiver, ReceivingBranch | null>()
  /** Workers that a producer could not be brought to. The room uses them no more. */
  readonly #unfit = new Set<SfuWorker>()
  /** Members who do not know yet that they have lost their branch. */
  readonly #lost = new Set<Receiver>()
  #lostTimer: Timer | undefined
  #onMain = 0
  #isClosed = false

  /** @param onLost called with each member who has lost what it received, and may choose again */
  constructor(
    private readonly worker: SfuWorker,
    private readonly main: types.Router,
    private readonly workers: Workers,
    private readonly onLost: (receiver: Receiver) => void,
  ) {}

  /** Members who receive from the main router. */
  get onMain(): number {
    return this.#onMain
  }

  /** Branches on workers of this process. */
  all(): Branch[] {
    return [...this.#branches]
  }

  /** Branches on other processes. */
  linked(): LinkedBranch[] {
    return [...this.#linked]
  }

  /**
   * The branch from which a member receives; undefined: from the main router. It stays the same until `release`, or
   * until the branch is lost.
   */
  async of(receiver: Receiver): Promise<ReceivingBranch | undefined> {
    // A worker that is being replaced soon has space: without it, the main one would take everybody.
    if (!this.#homes.has(receiver) && !this.#hasSpace()) await this.workers.replaced()
    const present = this.#homes.get(receiver)
    if (present !== undefined) return present ?? undefined
    const branch = this.#choose()
    this.#settle(receiver, branch)
    return branch
  }

  /**
   * The branch on a process that carries the media of this member itself, whatever space it has.
   * @throws MediaUnavailable if the room has ended, or this server has only one process
   */
  place(receiver: Receiver, node: string): LinkedBranch {
    const home = this.#homes.get(receiver)
    const present = [...this.#linked].find((branch) => branch === home && branch.node === node)
    if (present) return present
    const branch = [...this.#linked].find((each) => each.node === node) ?? this.#link(node)
    // In this order, so that a branch that it shares with nobody goes on.
    branch.members.add(receiver)
    if (branch !== home) this.release(receiver)
    this.#settle(receiver, branch)
    return branch
  }

  #settle(receiver: Receiver, branch: ReceivingBranch | undefined): void {
    this.#homes.set(receiver, branch ?? null)
    // The member receives again already.
    this.#lost.delete(receiver)
    if (branch) branch.members.add(receiver)
    else this.#onMain++
  }

  /** Call when a member has left. A branch ends with its last member. */
  release(receiver: Receiver): void {
    this.#lost.delete(receiver)
    const home = this.#homes.get(receiver)
    if (!this.#homes.delete(receiver)) return
    if (!home) return void this.#onMain--
    home.members.delete(receiver)
    if (home.members.size === 0) home.close()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#lostTimer)
    for (const branch of [...this.#branches, ...this.#linked]) branch.close()
  }

  #hasSpace(): boolean {
    return (
      this.#isClosed ||
      this.#onMain < this.workers.peersMax ||
      this.#spacious() !== undefined ||
      this.#unused().length > 0 ||
      this.#elsewhere() !== undefined
    )
  }

  /** A process with space for a branch of this room. */
  #elsewhere(): string | undefined {
    return this.workers.elsewhere?.choose([...this.#linked])
  }

  /** The branch on the least loaded worker among those that are not full. */
  #spacious(): ReceivingBranch | undefined {
    return this.#byLoad().find(({ members }) => members.size < this.workers.peersMax)
  }

  #byLoad(): Branch[] {
    return this.workers.byLoad().flatMap((worker) => this.#branchOn(worker) ?? [])
  }

  #branchOn(worker: SfuWorker): Branch | undefined {
    return [...this.#branches].find((branch) => branch.worker === worker)
  }

  /** Workers without a router of this room, the least loaded first. */
  #unused(): SfuWorker[] {
    return this.workers
      .byLoad()
      .filter((worker) => worker !== this.worker && !this.#unfit.has(worker) && !this.#branchOn(worker))
  }

  #choose(): ReceivingBranch | undefined {
    if (this.#isClosed || this.#onMain < this.workers.peersMax) return undefined
    const spacious = this.#spacious()
    if (spacious) return spacious
    const [unused] = this.#unused()
    if (unused) return this.#open(unused)
    const linked = [...this.#linked].find(({ members }) => members.size < this.workers.peersMax)
    if (linked) return linked
    const node = this.#elsewhere()
    if (node !== undefined) return this.#link(node)
    const least = this.workers.byLoad().find((worker) => worker === this.worker || this.#branchOn(worker))
    return least && this.#branchOn(least)
  }

  #open(worker: SfuWorker): Branch {
    const branch = new Branch(worker, this.main, (ended, why) => {
      this.#branches.delete(ended)
      if (why === 'failed') this.#unfit.add(worker)
      this.#lose(ended, why)
    })
    this.#branches.add(branch)
    return branch
  }

  #link(node: string): LinkedBranch {
    const { elsewhere } = this.workers
    if (this.#isClosed || !elsewhere) throw new MediaUnavailable('The room has ended')
    const branch = elsewhere.open(node, this.main, (ended, why) => {
      this.#linked.delete(ended)
      this.#lose(ended, why)
    })
    this.#linked.add(branch)
    return branch
  }

  #lose(ended: ReceivingBranch, why: BranchEnd): void {
    const members = [...ended.members]
    ended.members.clear()
    for (const receiver of members) {
      this.#homes.delete(receiver)
      if (why !== 'closed') this.#lost.add(receiver)
    }
    if (this.#lostTimer === undefined) this.#tellLost()
  }

  #tellLost(): void {
    for (const receiver of [...this.#lost].slice(0, LOST_AT_ONCE)) {
      this.#lost.delete(receiver)
      this.onLost(receiver)
    }
    const isOver = this.#lost.size === 0 || this.#isClosed
    this.#lostTimer = isOver ? undefined : setTimeout(() => this.#tellLost(), LOST_PAUSE_MS)
  }
}
