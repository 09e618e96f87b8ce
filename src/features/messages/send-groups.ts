import { Problem } from '../../core/errors.ts'
import { isLockTimeout, isRefused } from '../../database/database.ts'
import type { SendCoordinator } from '../../events/send-coordinator.ts'
import type { Write } from '../../events/write.ts'
import {
  eventsOf,
  groupStatement,
  type Outgoing,
  type SendResult,
  type SendStatement,
  singleStatement,
} from './send-statements.ts'

const GROUP_MESSAGES_MAX = 64
/** UTF-16 units per group: contents plus the JSON of other fields. */
const GROUP_CONTENT_MAX = 128 * 1024
/** Messages of one account per group while other accounts wait. */
const GROUP_ACCOUNT_SHARE = 4
const GROUPS_MAX = 2
/**
 * If fewer places than this wait, all go with one group; above it, some are left for a parallel group. Each statement
 * has a fixed cost.
 */
const GROUP_PLACES_MIN = 8
/** Concurrent messages that wait for locks, each on its own connection. */
const SINGLES_MAX = 4
/** A message that waits for a lock is retried for this time. */
const LOCKED_MS_MAX = 20_000
const WAITING_MAX = 10_000
const WAITING_PER_ACCOUNT_MAX = 100
/**
 * While frames to many sockets are being written, the next group waits up to this time for as many messages as the last
 * group had.
 */
const COLLECT_MS_MAX = 4

interface Waiting {
  readonly message: Outgoing
  /** The channel's id, or the two ids of a dm. */
  readonly place: string
  /** Its share of GROUP_CONTENT_MAX. */
  readonly weight: number
  readonly result: PromiseWithResolvers<SendResult>
  /** True once the message must be sent by its own statement, which waits for locks. */
  single: boolean
  /** Attempts as a single message. Messages with fewer attempts go first. */
  tries: number
  readonly since: number
}

/**
 * Sends messages in groups: messages that arrive during a commit are sent together with the next statement, which costs
 * one commit for all. Each message has its own outcome. An author, and a channel, is in at most one running statement:
 * an author's messages are sent in their order, and a channel's are committed in the order of their ids.
 */
export class SendGroups {
  /** In order of arrival, and their number per account. */
  #waiting: Waiting[] = []
  readonly #counts = new Map<number, number>()
  /** Authors and places of running statements, and the number of these: groups, and single messages. */
  readonly #authors = new Set<number>()
  readonly #places = new Set<string>()
  readonly #underway = { group: 0, single: 0 }
  #isScheduled = false
  #lastSize = 0

  constructor(
    private readonly write: Write,
    private readonly coordinator: SendCoordinator,
  ) {}

  /** Resolves when the message is committed, or refused. @throws Problem `unavailable` when too many messages wait */
  async send(message: Outgoing): Promise<SendResult> {
    const ownCount = this.#counts.get(message.author_id) ?? 0
    if (this.#waiting.length >= WAITING_MAX || ownCount >= WAITING_PER_ACCOUNT_MAX)
      throw new Problem('unavailable', 'Too many messages are waiting to be sent', { retry_after: 1 })
    const result = Promise.withResolvers<SendResult>()
    const fields = { message, place: placeOf(message), weight: weightOf(message), since: performance.now() }
    this.#waiting.push({ ...fields, result, single: false, tries: 0 })
    this.coordinator.noteWaiting(this.#waiting.length)
    this.#counts.set(message.author_id, ownCount + 1)
    // Begin after requests that have just arrived, so that they join the group.
    if (!this.#isScheduled) this.#beginSoon(performance.now() + COLLECT_MS_MAX)
    this.#isScheduled = true
    return result.promise
  }

  /** Authors of the last group have their answers, and may send again, before frames to many sockets are written. */
  #beginSoon(deadline: number): void {
    setImmediate(() => {
      const isSmall = this.#waiting.length < this.#lastSize && this.#underway.group === 0
      if (isSmall && this.coordinator.isAwaited && performance.now() < deadline) this.#beginSoon(deadline)
      else this.#begin()
    })
  }

  readonly #begin = (): void => {
    this.#isScheduled = false
    while (this.#underway.single < SINGLES_MAX) {
      const [first, ...others] = this.#nextSingles()
      if (!first) break
      const single = others.reduce((least, one) => (one.tries < least.tries ? one : least), first)
      single.tries++
      void this.#run('single', [single], singleStatement(single.message))
    }
    while (this.#underway.group < GROUPS_MAX) {
      const group = this.#nextGroup()
      if (group.length === 0) break
      this.#lastSize = group.length
      void this.#run('group', group, groupStatement(group.map(({ message }) => message)))
    }
  }

  /** Single messages to send now: only the first of each author, so that none overtakes an earlier one. */
  #nextSingles(): Waiting[] {
    const authors = new Set<number>()
    return this.#waiting.filter((one) => {
      const isFirst = !authors.has(one.message.author_id)
      authors.add(one.message.author_id)
      return isFirst && one.single && this.#isFree(one)
    })
  }

  #isFree({ message, place }: Waiting): boolean {
    return !this.#authors.has(message.author_id) && !this.#places.has(place)
  }

  /** The next group, in order of arrival: first each account's share, then more while there is space. */
  #nextGroup(): Waiting[] {
    const group = new Set<Waiting>()
    const shares = new Map<number, number>()
    // Running groups have different places and authors, so a group that took all places would leave none for the next.
    const allPlaces = new Set([...this.#places, ...this.#waiting.map(({ place }) => place)])
    const placesMax = Math.max(GROUP_PLACES_MIN, Math.ceil(allPlaces.size / GROUPS_MAX))
    const takenPlaces = new Set<string>()
    let contentLeft = GROUP_CONTENT_MAX
    for (const share of [GROUP_ACCOUNT_SHARE, GROUP_MESSAGES_MAX]) {
      // Accounts and places with a message left out: later messages of theirs must not overtake it.
      const authors = new Set<number>()
      const places = new Set<string>()
      for (const one of this.#waiting) {
        const { author_id } = one.message
        const ownCount = shares.get(author_id) ?? 0
        if (group.has(one)) continue
        const isSendable = !one.single && this.#isFree(one) && !authors.has(author_id) && !places.has(one.place)
        const hasSpace = takenPlaces.size < placesMax || takenPlaces.has(one.place) || ownCount > 0
        if (isSendable && hasSpace && ownCount < share) {
          if (group.size === GROUP_MESSAGES_MAX || one.weight > contentLeft)
            return this.#waiting.filter((other) => group.has(other))
          group.add(one)
          takenPlaces.add(one.place)
          shares.set(author_id, ownCount + 1)
          contentLeft -= one.weight
        } else {
          authors.add(author_id)
          if (one.single) places.add(one.place)
        }
      }
    }
    return this.#waiting.filter((one) => group.has(one))
  }

  async #run(kind: 'group' | 'single', batch: Waiting[], statement: SendStatement): Promise<void> {
    const batched = new Set(batch)
    this.#waiting = this.#waiting.filter((one) => !batched.has(one))
    this.coordinator.noteWaiting(this.#waiting.length)
    this.#underway[kind]++
    for (const { message, place } of batch) {
      this.#authors.add(message.author_id)
      this.#places.add(place)
      this.#count(message, -1)
    }
    const sending = this.write.once(statement, (results) => results.flatMap(eventsOf))
    const { rows, error } = await sending.then(
      (results) => ({ rows: results, error: undefined }),
      (cause: unknown) => ({ rows: [], error: cause }),
    )
    for (const { message, place } of batch) {
      this.#authors.delete(message.author_id)
      this.#places.delete(place)
    }
    this.#underway[kind]--
    // If one message made the statement fail, send each by itself. An error of the database concerns all of them.
    const isOfOne = batch.length > 1 && isRefused(error)
    const isLocked = ({ since }: Waiting) => isLockTimeout(error) && performance.now() - since < LOCKED_MS_MAX
    const retries = new Set(batch.filter((one, at) => isOfOne || isLocked(one) || rows[at]?.outcome === 'busy'))
    for (const one of retries) {
      one.single = true
      this.#count(one.message, 1)
    }
    this.#waiting.unshift(...retries)
    this.coordinator.noteWaiting(this.#waiting.length)
    // Start the next statement before writing the answers, so that the database works meanwhile.
    this.#begin()
    batch.forEach((one, at) => {
      const row = rows[at]
      if (row && row.outcome !== 'busy') one.result.resolve(row)
      else if (!retries.has(one)) one.result.reject(error)
    })
  }

  #count({ author_id }: Outgoing, more: 1 | -1): void {
    const count = (this.#counts.get(author_id) ?? 0) + more
    if (count > 0) this.#counts.set(author_id, count)
    else this.#counts.delete(author_id)
  }
}

const weightOf = ({ content, data }: Outgoing): number =>
  Math.min(content.length + (data === null ? 0 : JSON.stringify(data).length), GROUP_CONTENT_MAX)

const placeOf = ({ author_id, to }: Outgoing): string =>
  'channel_id' in to ? `${to.channel_id}` : [author_id, to.recipient_id].toSorted((a, b) => a - b).join(':')
