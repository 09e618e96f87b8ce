import { type ClientState, createCommit, createGroup, type KeyPackage, mlsExporter, type Proposal } from 'ts-mls'
import type { Epoch } from './epoch-keys.ts'
import type { GroupAnswer, GroupEvent, GroupMessage } from './group-messages.ts'
import { demandSigned, followed, type OwnPackage, ownPackage, welcomed } from './group-steps.ts'
import { LeafChecks, type LeafCheckOptions } from './leaf-checks.ts'
import { leafOf, leavesIn } from './leaves.ts'
import type { DeviceProof, Leaf } from './members.ts'
import { decoded, encoded, isSame, suite } from './mls.ts'

// The MLS group (RFC 9420) of a call, as one member sees it. The server orders commits and hands on messages; it holds
// no key.
//
// A member enters with a key package. The first one founds the group, and the others' packages are taken up by a commit
// of a member inside. The first of the present leaves commits; each further leaf waits a turn longer, so that the group
// goes on if one of them is gone. A single join is committed at once, joins that follow it share a commit, and leaves
// are removed at once. Of two commits for an epoch the server accepts one; the loser applies the winner's and commits
// what is still missing. A member that cannot follow, or does not know whether its commit counts, begins anew with
// another key package.

/** Joins within this time after an epoch began share one commit, ms. A later join is committed at once. */
const GATHER_MS = 100
/** Extra delay before each further leaf commits, ms. */
const TURN_MS = 700
/** Time without a welcome after which this member sends another key package, ms. */
const REJOIN_MS = 3_000
/**
 * If a member has no leaf for this long, check by an empty commit whether a commit was missed; if a leaf is no member
 * for this long, warn of it, ms.
 */
const MISSING_MS = 4_000
const SECRET_BYTES = 32
/** Key packages of this member that a welcome may still answer. */
const OWN_PACKAGES_MAX = 2
/** Maximum number of members that one commit adds: its welcome has to fit into a frame. */
const ADDED_MAX = 20

export interface CallGroupOptions extends LeafCheckOptions {
  /** The id of this group: a call has another one after it was open. */
  group: string
  /** Confirms this member's leaf by the device. */
  confirm(signatureKey: Uint8Array): Promise<DeviceProof>
  /** Rejects if the server refuses the message, or if it is unknown whether it arrived. */
  send(message: GroupMessage): Promise<GroupAnswer>
  /** Voice sessions and accounts in the call, this one too. */
  members(): ReadonlyMap<string, number>
  /**
   * @param isUrgent true if somebody was removed, who must not hear what is sent from now on
   * @param authenticator equal for all who share the epoch
   */
  onEpoch(epoch: Epoch, isUrgent: boolean, authenticator: Uint8Array): void
  onFault(error: unknown): void
  /** The next time at which `tick` has something to do, in this many ms. */
  wake(ms: number): void
  /** ms */
  now(): number
}

/** One member's view of a call's group. */
export class CallGroup {
  #state: ClientState | undefined
  #leaves = new Map<string, Leaf>()
  /** Key packages of members who wait, by voice session. */
  readonly #waiting = new Map<string, KeyPackage>()
  #own: OwnPackage[] = []
  #work = Promise.resolve()
  /** When this member commits, if something is to be committed then, ms. */
  #commitsAt = Infinity
  #rejoinsAt = Infinity
  /** When the epoch began, ms. */
  #beganAt = -Infinity
  /** Arguments of the last `onEpoch`. */
  #announced: Parameters<CallGroupOptions['onEpoch']> | undefined
  /** Members without a leaf: when this member asks about them, ms. Each is asked about once. */
  readonly #missing = new Map<string, number>()
  /** Leaves that are no members: when the person is warned of them, ms. */
  readonly #hidden = new Map<string, number>()
  #isStopped = false
  readonly checks: LeafChecks

  constructor(private readonly options: CallGroupOptions) {
    this.checks = new LeafChecks(options)
  }

  /** Asks to be added to the group. */
  start(): Promise<void> {
    return this.#do(() => this.#enter())
  }

  /** Forgets all secrets. */
  stop(): void {
    this.#isStopped = true
    this.#state = undefined
    this.#own = []
  }

  /** Takes a message that the server hands on. */
  receive(event: GroupEvent): Promise<void> {
    return this.#do(async () => (event.group === this.options.group ? this.#receive(event) : undefined))
  }

  /** Call when somebody has joined or left the call. */
  membersChanged(): Promise<void> {
    return this.#do(async () => {
      this.#plan()
      if (!this.#doubtForeign(this.#leaves)) return
      const [epoch, , authenticator] = this.#announced ?? []
      // Until there is another epoch, nobody is heard.
      if (epoch && authenticator) this.options.onEpoch({ ...epoch, leaves: new Map() }, true, authenticator)
      await this.#enterAnew()
    })
  }

  /** Call at the time that `wake` was called with, or later. */
  tick(): Promise<void> {
    return this.#do(async () => {
      const now = this.options.now()
      const missing = [...this.#missing].filter(([, at]) => now >= at)
      const isMissing = missing.length > 0
      for (const [id] of missing) this.#miss(id)
      this.#doubtHidden()
      if (now >= this.#rejoinsAt) return this.#enter()
      if (isMissing || now >= this.#commitsAt) await this.#commit(ADDED_MAX, isMissing)
    })
  }

  /** Does one thing after another. @returns a promise that it is done, which never rejects */
  #do(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(() => (this.#isStopped ? undefined : work())).catch(this.options.onFault)
    return this.#work
  }

  async #enter(): Promise<void> {
    const { group, self, send, confirm } = this.options
    this.#rejoinsAt = Infinity
    this.#rejoinSoon()
    const pair = await ownPackage(self, confirm)
    const { publicPackage: keyPackage, privatePackage } = pair
    this.#own = [pair, ...this.#own].slice(0, OWN_PACKAGES_MAX)
    const data = encoded({ version: 'mls10', wireformat: 'mls_key_package', keyPackage })
    const { founder } = await send({ group, epoch: 0, kind: 'key_package', data })
    if (!founder) return
    const id = new TextEncoder().encode(group)
    await this.#adopt(await createGroup(id, keyPackage, privatePackage, [], await suite()))
  }

  /** Leaves a group that this member cannot follow any more. Its last keys stay in use meanwhile. */
  #enterAnew(): Promise<void> {
    this.#state = undefined
    // Members who do not turn up again are missing.
    this.#leaves = new Map()
    this.#plan()
    return this.#enter()
  }

  /** Enters again unless an epoch begins soon. Another refusal does not postpone that. */
  #rejoinSoon(): void {
    this.#rejoinsAt = Math.min(this.#rejoinsAt, this.options.now() + REJOIN_MS)
    this.options.wake(REJOIN_MS)
  }

  async #receive({ kind, from, epoch, data }: GroupEvent): Promise<void> {
    if (kind === 'key_package') return this.#keepPackage(from, data)
    if (kind === 'welcome') return this.#adopt(await welcomed(data, this.#own, this.options.group))
    if (!this.#state) return
    const own = Number(this.#state.groupContext.epoch)
    // A commit that was applied already.
    if (epoch < own) return
    try {
      if (epoch > own) throw new Error('A commit is missing')
      await this.#adopt(await followed(this.#state, data))
    } catch (error) {
      this.options.onFault(error)
      await this.#enterAnew()
    }
  }

  async #keepPackage(from: string, data: string): Promise<void> {
    const message = decoded(data)
    if (message.wireformat !== 'mls_key_package') throw new Error('Not a key package')
    const { keyPackage } = message
    const leaf = leafOf(keyPackage.leafNode)
    const user_id = this.options.members().get(from)
    const isTheirs = leaf.voice_session_id === from && user_id === leaf.user_id
    if (!isTheirs && user_id !== undefined) this.checks.doubt({ voice_session_id: from, user_id }, 'unproven')
    if (!isTheirs) throw new Error('A key package of somebody else')
    if (!(await this.checks.check(leaf))) throw new Error('A key package that no device of its member has confirmed')
    await demandSigned(keyPackage)
    this.#waiting.set(from, keyPackage)
    this.#plan()
  }

  /** Begins an epoch. @throws Error if its leaves are not what a call may have */
  async #adopt(state: ClientState): Promise<void> {
    const { self } = this.options
    const leaves = leavesIn(state.ratchetTree)
    const own = leaves.get(self.voice_session_id)
    if (own?.user_id !== self.user_id || own.index !== state.privatePath.leafIndex)
      throw new Error('This member is not in the group')
    if (this.#doubtForeign(leaves)) throw new Error('A leaf of somebody else')
    const others = [...leaves.values()].filter((leaf) => leaf !== own)
    const passed = await Promise.all(others.map((leaf) => this.checks.check(leaf)))
    if (passed.includes(false)) throw new Error('A leaf that no device of its member has confirmed')
    const { exporterSecret } = state.keySchedule
    const exported = await mlsExporter(exporterSecret, 'parley call', new Uint8Array(), SECRET_BYTES, await suite())
    if (this.#isStopped) return
    const former = [...this.#leaves.values()]
    // A member that could not follow does not know who was removed meanwhile.
    const isUrgent =
      former.length === 0 || former.some(({ voice_session_id: id, index }) => leaves.get(id)?.index !== index)
    this.#state = state
    this.#leaves = leaves
    this.#beganAt = this.options.now()
    this.#own = []
    this.#rejoinsAt = Infinity
    for (const [id, { leafNode }] of this.#waiting) {
      const { signatureKey } = leaves.get(id) ?? {}
      if (signatureKey && isSame(signatureKey, leafNode.signaturePublicKey)) this.#waiting.delete(id)
    }
    const epoch = {
      keyId: Number(state.groupContext.epoch % 256n),
      secret: new Uint8Array(exported),
      leaf: own.index,
      leaves: new Map([...leaves].map(([id, { index }]) => [id, index])),
    }
    this.#announced = [epoch, isUrgent, state.keySchedule.epochAuthenticator]
    this.options.onEpoch(...this.#announced)
    this.#plan()
  }

  /**
   * Warns of voice sessions whose leaf is of another account than the server shows there: what is heard from it would
   * seem to be said by somebody else.
   * @returns true if there are any
   */
  #doubtForeign(leaves: ReadonlyMap<string, Leaf>): boolean {
    const members = this.options.members()
    const foreign = [...leaves.values()].filter(
      ({ voice_session_id: id, user_id }) => (members.get(id) ?? user_id) !== user_id,
    )
    for (const { voice_session_id, user_id } of foreign)
      this.checks.doubt({ voice_session_id, user_id: members.get(voice_session_id) ?? user_id }, 'unproven')
    return foreign.length > 0
  }

  /** Work for the next commit: leaves that are no members, and members who wait. */
  #tasks(addedMax = ADDED_MAX) {
    const members = this.options.members()
    const surplus = [...this.#leaves.values()].filter(
      ({ voice_session_id: id, user_id }) => members.get(id) !== user_id || this.#waiting.has(id),
    )
    for (const id of this.#waiting.keys()) if (!members.has(id)) this.#waiting.delete(id)
    const added = [...this.#waiting].slice(0, addedMax)
    const ids = new Set(added.map(([id]) => id))
    return { removed: surplus.filter(({ voice_session_id: id }) => !members.has(id) || ids.has(id)), added }
  }

  #miss(id: string): void {
    this.#missing.set(id, Infinity)
    const user_id = this.options.members().get(id)
    if (user_id !== undefined && id !== this.options.self.voice_session_id)
      this.checks.doubt({ voice_session_id: id, user_id }, 'missing')
  }

  /** Warns of leaves that are no members for long. */
  #doubtHidden(): void {
    const now = this.options.now()
    for (const [id, at] of this.#hidden) {
      const leaf = this.#leaves.get(id)
      if (leaf && now >= at) this.checks.doubt(leaf, 'hidden')
    }
  }

  /** Notes members without a leaf, and leaves that are no members. */
  #watch(): void {
    const { members, now, wake } = this.options
    this.checks.keep(new Set([...members().keys(), ...this.#leaves.keys()]))
    for (const id of this.#hidden.keys()) if (members().has(id) || !this.#leaves.has(id)) this.#hidden.delete(id)
    for (const id of this.#leaves.keys()) {
      this.checks.arrived(id, members().has(id))
      // A member that has just left is removed soon, and one that has just come is shown soon.
      if (members().has(id) || this.#hidden.has(id)) continue
      this.#hidden.set(id, now() + MISSING_MS)
      wake(MISSING_MS)
    }
    this.#doubtHidden()
    for (const id of this.#missing.keys()) if (!members().has(id) || this.#leaves.has(id)) this.#missing.delete(id)
    for (const id of members().keys()) {
      if (this.#leaves.has(id) || this.#missing.has(id)) continue
      this.#missing.set(id, now() + MISSING_MS)
      wake(MISSING_MS)
    }
  }

  /** Sets when this member commits, by its turn among the leaves that are present. */
  #plan(): void {
    const { members, self, now, wake } = this.options
    this.#watch()
    const { removed, added } = this.#tasks()
    if (!this.#state || removed.length + added.length === 0) return void (this.#commitsAt = Infinity)
    const present = [...this.#leaves.values()].filter(({ voice_session_id: id }) => members().has(id))
    const turn = present
      .filter(({ voice_session_id: id }) => !this.#waiting.has(id))
      .toSorted((one, other) => one.index - other.index)
      .findIndex(({ voice_session_id }) => voice_session_id === self.voice_session_id)
    const hasLeft = removed.some(({ voice_session_id: id }) => !members().has(id))
    const gatherMs = hasLeft ? 0 : Math.max(0, this.#beganAt + GATHER_MS - now())
    const ms = Math.max(0, turn) * TURN_MS + gatherMs
    this.#commitsAt = Math.min(this.#commitsAt, now() + ms)
    wake(ms)
  }

  /**
   * @param addedMax members that are taken up at most
   * @param isQuestion also if there is nothing to commit
   */
  async #commit(addedMax = ADDED_MAX, isQuestion = false): Promise<void> {
    this.#commitsAt = Infinity
    const state = this.#state
    const { removed, added } = this.#tasks(addedMax)
    if (!state || (!isQuestion && removed.length + added.length === 0)) return
    const proposals: Proposal[] = [
      ...removed.map(({ index }): Proposal => ({ proposalType: 'remove', remove: { removed: index } })),
      ...added.map(([, keyPackage]): Proposal => ({ proposalType: 'add', add: { keyPackage } })),
    ]
    const options = { extraProposals: proposals, ratchetTreeExtension: true, wireAsPublicMessage: true }
    const result = await createCommit({ state, cipherSuite: await suite() }, options).catch(this.options.onFault)
    // One of the key packages is invalid: find out which one, so that it keeps nobody else out.
    if (!result && added.length > 1) return this.#commit(1)
    for (const [id] of result ? [] : added) this.#waiting.delete(id)
    if (!result) return this.#plan()
    const { welcome, commit, newState } = result
    try {
      const { accepted } = await this.options.send({
        group: this.options.group,
        epoch: Number(state.groupContext.epoch),
        kind: 'commit',
        data: encoded(commit),
        ...(welcome && { welcome: encoded({ version: 'mls10', wireformat: 'mls_welcome', welcome }) }),
        added: added.map(([id]) => id),
      })
      if (accepted) await this.#adopt(newState)
      // The winner's commit is on its way.
      else this.#rejoinSoon()
    } catch (error) {
      // Nobody knows whether the commit counts.
      this.options.onFault(error)
      await this.#enterAnew()
    }
  }
}
