import { GroupOrder } from '../../src/voice/encryption/group-order.ts'
import { CallGroup, type CallGroupOptions } from '../../src/web/voice/sealing/call-group.ts'
import { confirmLeaf, makeDeviceKey, publicKeyOf } from '../../src/web/voice/sealing/device-key.ts'
import type { GroupAnswer, GroupEvent, GroupMessage } from '../../src/web/voice/sealing/group-messages.ts'
import type { Epoch } from '../../src/web/voice/sealing/epoch-keys.ts'

// Members of a call's group with the server's real order, on a simulated network: messages of the server reach each
// member in order, after random times. Time passes only in the simulation.

interface Event {
  at: number
  run(): Promise<void>
}

/** Random numbers from 0 to 1 that a seed repeats (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A member in the simulation. */
export interface SimulatedMember {
  id: string
  user_id: number
  group: CallGroup
  epochs: Epoch[]
  faults: string[]
  /** Warnings about others after each change, and the number of its epochs by then. */
  warnings: { doubts: string[]; epochs: number }[]
  authenticator: string
}

/** Deviations of a dishonest member. `id` is that of its voice session. */
export type Dishonest = Partial<Pick<CallGroupOptions, 'confirm' | 'devicesOf' | 'members'>> & { id?: string }

export class SimulatedCall {
  now = 0
  order = new GroupOrder()
  readonly present = new Map<string, SimulatedMember>()
  /** Accepted commits. */
  commits = 0
  /** Changes or drops what the server hands on, as a hostile one does. */
  tamper: (to: string, event: GroupEvent) => GroupEvent | undefined = (_to, event) => event
  /** Changes a message on its way to the server, or loses it. */
  hinder: (from: string, message: GroupMessage) => GroupMessage | undefined = (_from, message) => message
  /** The keys of accounts' devices, as the server lists them. */
  readonly listed = new Map<number, string[]>()
  /** Accounts whose log of devices does not continue the one that members remember. */
  readonly forked = new Set<number>()
  /** The keys of accounts that people have verified. */
  readonly verified = new Map<number, string[]>()
  /** Members that a dishonest server keeps in another group, under the same name. */
  apart = new Set<string>()
  readonly #otherOrder = new GroupOrder()
  readonly #devices = new Map<number, Promise<CryptoKeyPair>>()
  readonly #events: Event[] = []
  /** When the last frame to each member arrives: frames do not overtake each other. */
  readonly #arrivals = new Map<string, number>()
  readonly #sending = new Map<CallGroup, () => void>()
  /** Groups that wait for an answer of the server. */
  readonly #waiting = new Set<CallGroup>()

  constructor(
    private readonly random: () => number,
    private readonly delayMs = 60,
  ) {}

  #later(ms: number, run: () => Promise<void>): void {
    this.#events.push({ at: this.now + ms, run })
  }

  /** Runs a group until it is done, or waits for the server. */
  async #run(group: CallGroup, work: Promise<void>): Promise<void> {
    if (this.#waiting.has(group)) return
    await Promise.race([work, new Promise<void>((resolve) => this.#sending.set(group, resolve))])
  }

  #deliver(to: string, run: (member: SimulatedMember) => Promise<void>): void {
    const at = Math.max(this.#arrivals.get(to) ?? 0, this.now + this.random() * this.delayMs)
    this.#arrivals.set(to, at)
    this.#later(at - this.now, async () => {
      const member = this.present.get(to)
      if (member) await this.#run(member.group, run(member))
    })
  }

  hand(to: string, event: GroupEvent): void {
    const sent = this.tamper(to, event)
    if (sent) this.#deliver(to, ({ group }) => group.receive(sent))
  }

  #serve(from: string, sent: GroupMessage): GroupAnswer {
    const { group, kind, epoch, data, welcome = '', added = [] } = sent
    if (group !== this.order.id || !this.present.has(from)) return { accepted: false, founder: false }
    const order = this.apart.has(from) ? this.#otherOrder : this.order
    if (kind === 'key_package') {
      const recipients = order.enter(from)
      for (const id of recipients ?? []) this.hand(id, { group, epoch, kind, from, data })
      return { accepted: true, founder: recipients === undefined }
    }
    const commit = order.commit(from, epoch, added)
    if (!commit) return { accepted: false, founder: false }
    this.commits++
    for (const id of commit.followers) this.hand(id, { group, epoch, kind, from, data })
    for (const id of commit.welcomed) this.hand(id, { group, epoch: epoch + 1, kind: 'welcome', from, data: welcome })
    return { accepted: true, founder: false }
  }

  /** The device of an account, listed when it is made. */
  device(user_id: number): Promise<CryptoKeyPair> {
    const make = async () => {
      const device = (await makeDeviceKey())!
      this.listed.set(user_id, [...(this.listed.get(user_id) ?? []), await publicKeyOf(device)])
      return device
    }
    const device = this.#devices.get(user_id) ?? make()
    this.#devices.set(user_id, device)
    return device
  }

  /** Somebody joins. */
  join(user_id: number, dishonest: Dishonest = {}): SimulatedMember {
    const { id = user_id.toString(16).padStart(32, '0'), ...otherwise } = dishonest
    const nothing = { epochs: [], faults: [], warnings: [], authenticator: '' }
    const member = { id, user_id, ...nothing } as Omit<SimulatedMember, 'group'> as SimulatedMember
    member.group = new CallGroup({
      group: this.order.id,
      self: { voice_session_id: id, user_id },
      members: () => new Map([...this.present.values()].map((each) => [each.id, each.user_id])),
      send: (message) =>
        new Promise<GroupAnswer>((resolve, reject) => {
          const sent = this.hinder(id, message)
          this.#later(this.random() * this.delayMs, async () => {
            const answer = sent && this.#serve(id, sent)
            this.#deliver(id, async ({ group }) => {
              // A page that was loaded again does not receive the answers of the one before.
              if (group !== member.group) return
              this.#waiting.delete(group)
              if (answer) resolve(answer)
              else reject(new Error('offline'))
              await group.membersChanged()
            })
          })
          this.#waiting.add(member.group)
          this.#sending.get(member.group)?.()
        }),
      confirm: async (key) => confirmLeaf(await this.device(user_id), { voice_session_id: id, user_id }, key),
      devicesOf: async (userId) => ({ keys: this.listed.get(userId) ?? [], isForked: this.forked.has(userId) }),
      verifiedKeys: async (userId) => this.verified.get(userId),
      onDoubts: (doubts) =>
        void member.warnings.push({
          doubts: doubts.map((each) => `${each.user_id} ${each.doubt}`),
          epochs: member.epochs.length,
        }),
      onEpoch: (epoch, _isUrgent, authenticator) => {
        member.epochs.push(epoch)
        member.authenticator = authenticator.join()
      },
      onFault: (error) => void member.faults.push(String(error)),
      wake: (ms) => this.#later(ms, () => this.#run(member.group, member.group.tick())),
      now: () => this.now,
      ...otherwise,
    })
    this.present.set(id, member)
    this.#later(0, () => this.#run(member.group, member.group.start()))
    this.#tellMembers()
    return member
  }

  leave(id: string): void {
    this.present.get(id)?.group.stop()
    this.present.delete(id)
    this.order.leave(id)
    this.#otherOrder.leave(id)
    this.#tellMembers()
  }

  #tellMembers(): void {
    for (const id of this.present.keys()) this.#deliver(id, ({ group }) => group.membersChanged())
  }

  /** Lets time pass. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms
    for (;;) {
      const [next] = this.#events.toSorted((one, other) => one.at - other.at)
      if (!next || next.at > end) break
      this.#events.splice(this.#events.indexOf(next), 1)
      this.now = Math.max(this.now, next.at)
      await next.run()
    }
    this.now = end
  }

  /** True if all present members, and no others, share the newest epoch. */
  isWhole(): boolean {
    const newest = [...this.present.values()].map(({ epochs }) => epochs.at(-1))
    const [first] = newest
    const ids = [...this.present.keys()].toSorted().join()
    return newest.every(
      (epoch) =>
        epoch?.secret.join() === first?.secret.join() && [...(epoch?.leaves.keys() ?? [])].toSorted().join() === ids,
    )
  }
}
