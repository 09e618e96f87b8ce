import { Problem } from '../../core/errors.ts'
import { isLockTimeout, isRefused } from '../../database/database.ts'
import type { SendCoordinator } from '../../events/send-coordinator.ts'
import type { Write } from '../../events/write.ts'
import {
  eventsOf,
  groupStatement,
  type Outgoing,
  type SendStatement,
  type Sent,
  singleStatement,
} from './send-statements.ts'

const GROUP_MESSAGES_MAX = 64
/** UTF-16 units of the contents, and of what stands beside them as JSON. */
const GROUP_CONTENT_MAX = 128 * 1024
/** An account's messages of one group, while others wait too. */
const GROUP_ACCOUNT_SHARE = 4
const GROUPS_MAX = 2
/** So many places go with one group before some are left to the next: a statement has a price of its own. */
const GROUP_PLACES_MIN = 8
/** Messages that wait for locks, each on a connection of its own. */
const SINGLES_MAX = 4
/** How long a message is tried again that waits for a lock. */
const LOCKED_MS_MAX = 20_000
const WAITING_MAX = 10_000
const WAITING_PER_ACCOUNT_MAX = 100
/** Where frames to many sockets wait for the next group, it waits so long for as many messages as the last one had. */
const COLLECT_MS_MAX = 4

interface Waiting {
  readonly message: Outgoing
  /** The channel's id, or the two ids of a dm. */
  readonly place: string
  /** What it takes of GROUP_CONTENT_MAX. */
  readonly weight: number
  readonly sent: PromiseWithResolvers<Sent>
  /** Set once it cannot go with a group: it goes by a statement of its own, which waits for locks. */
  single: boolean
  /** How often it has gone by itself: whoever waits for a lock goes on after the others. */
  tries: number
  readonly since: number
}

/**
 * Sends messages in groups: what waits while a commit is under way goes with the next one, by one statement and one
 * write to the disk. Each message has an outcome of its own. Of an author, and of a channel, one statement is under way
 * at most: an author's messages are sent in their order, and a channel's are committed in the order of their ids.
 */
export class SendGroups {
  /** In the order of arrival, and how many are each account's. */
  #waiting: Waiting[] = []
  readonly #counts = new Map<number, number>()
  /** Those of the statements under way, and how many these are: of groups, and of single messages. */
  readonly #authors = new Set<number>()
  readonly #places = new Set<string>()
  readonly #underway = { group: 0, single: 0 }
  #scheduled = false
  #last_size = 0

  constructor(
    private readonly write: Write,
    private readonly coordinator: SendCoordinator,
  ) {}

  /**
   * Resolves when the message is committed, or refused.
   * @throws Problem `unavailable` when too many messages wait
   */
  async send(message: Outgoing): Promise<Sent> {
    const own = this.#counts.get(message.author_id) ?? 0
    if (this.#waiting.length >= WAITING_MAX || own >= WAITING_PER_ACCOUNT_MAX)
      throw new Problem('unavailable', 'Too many messages wait to be sent', { retry_after: 1 })
    const sent = Promise.withResolvers<Sent>()
    const fixed = { message, place: placeOf(message), weight: weightOf(message), since: performance.now() }
    this.#waiting.push({ ...fixed, sent, single: false, tries: 0 })
    this.coordinator.noteWaiting(this.#waiting.length)
    this.#counts.set(message.author_id, own + 1)
    // After the requests that have just come in: they go together.
    if (!this.#scheduled) this.#beginSoon(performance.now() + COLLECT_MS_MAX)
    this.#scheduled = true
    return sent.promise
  }

  /** Whoever sent with the last group has an answer, and may send again, before frames to many sockets are written. */
  #beginSoon(deadline: number): void {
    setImmediate(() => {
      const isSmall = this.#waiting.length < this.#last_size && this.#underway.group === 0
      if (isSmall && this.coordinator.isAwaited && performance.now() < deadline) this.#beginSoon(deadline)
      else this.#begin()
    })
  }

  readonly #begin = (): void => {
    this.#scheduled = false
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
      this.#last_size = group.length
      void this.#run('group', group, groupStatement(group.map(({ message }) => message)))
    }
  }

  /** What can go by itself now: of each author the first that waits, so that none of theirs overtakes another. */
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

  /** What can go together now, in the order of arrival: of each account its share, then whatever there is room for. */
  #nextGroup(): Waiting[] {
    const group = new Set<Waiting>()
    const shares = new Map<number, number>()
    // Groups under way have different places and authors: one that took all places would leave nothing to the next.
    const known = new Set([...this.#places, ...this.#waiting.map(({ place }) => place)])
    const places_max = Math.max(GROUP_PLACES_MIN, Math.ceil(known.size / GROUPS_MAX))
    const taken = new Set<string>()
    let room = GROUP_CONTENT_MAX
    for (const share of [GROUP_ACCOUNT_SHARE, GROUP_MESSAGES_MAX]) {
      // Accounts and places of which a message was left out: none of their later ones overtakes it.
      const authors = new Set<number>()
      const places = new Set<string>()
      for (const one of this.#waiting) {
        const { author_id } = one.message
        const own = shares.get(author_id) ?? 0
        if (group.has(one)) continue
        const goes = !one.single && this.#isFree(one) && !authors.has(author_id) && !places.has(one.place)
        const fits = taken.size < places_max || taken.has(one.place) || own > 0
        if (goes && fits && own < share) {
          if (group.size === GROUP_MESSAGES_MAX || one.weight > room)
            return this.#waiting.filter((other) => group.has(other))
          group.add(one)
          taken.add(one.place)
          shares.set(author_id, own + 1)
          room -= one.weight
        } else {
          authors.add(author_id)
          if (one.single) places.add(one.place)
        }
      }
    }
    return this.#waiting.filter((one) => group.has(one))
  }

  async #run(kind: 'group' | 'single', batch: Waiting[], statement: SendStatement): Promise<void> {
    const taken = new Set(batch)
    this.#waiting = this.#waiting.filter((one) => !taken.has(one))
    this.coordinator.noteWaiting(this.#waiting.length)
    this.#underway[kind]++
    for (const { message, place } of batch) {
      this.#authors.add(message.author_id)
      this.#places.add(place)
      this.#count(message, -1)
    }
    const sending = this.write.once(statement, (sent) => sent.flatMap(eventsOf))
    const { rows, error } = await sending.then(
      (sent) => ({ rows: sent, error: undefined }),
      (cause: unknown) => ({ rows: [], error: cause }),
    )
    for (const { message, place } of batch) {
      this.#authors.delete(message.author_id)
      this.#places.delete(place)
    }
    this.#underway[kind]--
    // The error of one message has undone the others too: each goes alone. What is wrong with the database is all's.
    const isOfOne = batch.length > 1 && isRefused(error)
    const isLocked = ({ since }: Waiting) => isLockTimeout(error) && performance.now() - since < LOCKED_MS_MAX
    const again = new Set(batch.filter((one, at) => isOfOne || isLocked(one) || rows[at]?.outcome === 'busy'))
    for (const one of again) {
      one.single = true
      this.#count(one.message, 1)
    }
    this.#waiting.unshift(...again)
    this.coordinator.noteWaiting(this.#waiting.length)
    // Before the answers: the database works while they are written.
    this.#begin()
    batch.forEach((one, at) => {
      const row = rows[at]
      if (row && row.outcome !== 'busy') one.sent.resolve(row)
      else if (!again.has(one)) one.sent.reject(error)
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
