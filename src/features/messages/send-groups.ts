import { createHash } from 'node:crypto'
import { Problem } from '../../core/errors.ts'
import type { Permission } from '../../core/permissions.ts'
import { type Database, databaseProblem } from '../../database/database.ts'
import type { Write } from '../../events/write.ts'
import { mentionsIn } from './model.ts'

const GROUP_MESSAGES_MAX = 64
/** UTF-16 units of the contents. */
const GROUP_CONTENT_MAX = 128 * 1024
/** An account's messages of one group, while others wait too. */
const GROUP_ACCOUNT_SHARE = 4
const GROUPS_MAX = 2
/** Messages that wait for locks, each on a connection of its own. */
const SINGLES_MAX = 4
const WAITING_MAX = 10_000
const WAITING_PER_ACCOUNT_MAX = 100

/** A message of an account that is to be sent. */
export interface Outgoing {
  author_id: number
  channel_id: number
  content: string
  reply_to_id: number | null
  file_ids: number[]
  nonce: string | null
}

/** What send_message answers. */
export interface Sent {
  outcome:
    | 'created'
    | 'repeated'
    | 'nonce_conflict'
    | 'reply_unknown'
    | 'file_unknown'
    | 'already_attached'
    | 'missing_permission'
    | 'not_found'
  missing: Permission
  event_id: number
  topic: string
  body: string
}

/** What it answers where no lock is waited for: a message that would wait is `busy`. */
type Tried = Sent | (Omit<Sent, 'outcome'> & { outcome: 'busy' })

interface Waiting {
  readonly message: Outgoing
  readonly sent: PromiseWithResolvers<Sent>
  /** Set once it cannot go with a group: it goes by a statement of its own, which waits for locks. */
  single: boolean
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
  readonly #channels = new Set<number>()
  readonly #underway = { group: 0, single: 0 }
  #scheduled = false

  constructor(private readonly write: Write) {}

  /**
   * Resolves when the message is committed, or refused.
   * @throws Problem `unavailable` when too many messages wait
   */
  async send(message: Outgoing): Promise<Sent> {
    const own = this.#counts.get(message.author_id) ?? 0
    if (this.#waiting.length >= WAITING_MAX || own >= WAITING_PER_ACCOUNT_MAX)
      throw new Problem('unavailable', 'Too many messages wait to be sent', { retry_after: 1 })
    const sent = Promise.withResolvers<Sent>()
    this.#waiting.push({ message, sent, single: false })
    this.#counts.set(message.author_id, own + 1)
    // After the requests that have just come in: they go together.
    if (!this.#scheduled) setImmediate(this.#begin)
    this.#scheduled = true
    return sent.promise
  }

  readonly #begin = (): void => {
    this.#scheduled = false
    while (this.#underway.single < SINGLES_MAX) {
      const single = this.#waiting.find((one) => one.single && this.#isFree(one.message))
      if (!single) break
      void this.#run('single', [single])
    }
    while (this.#underway.group < GROUPS_MAX) {
      const group = this.#nextGroup()
      if (group.length === 0) break
      void this.#run('group', group)
    }
  }

  #isFree({ author_id, channel_id }: Outgoing): boolean {
    return !this.#authors.has(author_id) && !this.#channels.has(channel_id)
  }

  /** What can go together now, in the order of arrival: of each account its share, then whatever there is room for. */
  #nextGroup(): Waiting[] {
    const group = new Set<Waiting>()
    const shares = new Map<number, number>()
    let room = GROUP_CONTENT_MAX
    for (const share of [GROUP_ACCOUNT_SHARE, GROUP_MESSAGES_MAX]) {
      // Accounts and channels of which a message was left out: none of their later ones overtakes it.
      const authors = new Set<number>()
      const channels = new Set<number>()
      for (const one of this.#waiting) {
        const { author_id, channel_id, content } = one.message
        const own = shares.get(author_id) ?? 0
        if (group.has(one)) continue
        const goes = !one.single && this.#isFree(one.message) && !authors.has(author_id) && !channels.has(channel_id)
        if (goes && own < share) {
          if (group.size === GROUP_MESSAGES_MAX || content.length > room)
            return this.#waiting.filter((other) => group.has(other))
          group.add(one)
          shares.set(author_id, own + 1)
          room -= content.length
        } else {
          authors.add(author_id)
          if (one.single) channels.add(channel_id)
        }
      }
    }
    return this.#waiting.filter((one) => group.has(one))
  }

  async #run(kind: 'group' | 'single', batch: Waiting[]): Promise<void> {
    const taken = new Set(batch)
    this.#waiting = this.#waiting.filter((one) => !taken.has(one))
    this.#underway[kind]++
    for (const { message } of batch) {
      this.#authors.add(message.author_id)
      this.#channels.add(message.channel_id)
      this.#count(message, -1)
    }
    const { rows, error } = await this.#send(kind, batch).then(
      (sent) => ({ rows: sent, error: undefined }),
      (cause: unknown) => ({ rows: [], error: cause }),
    )
    for (const { message } of batch) {
      this.#authors.delete(message.author_id)
      this.#channels.delete(message.channel_id)
    }
    this.#underway[kind]--
    // The error of one message has undone the others too: each goes alone. What is wrong with the database is all's.
    const isOfOne = batch.length > 1 && error !== undefined && databaseProblem(error)?.code !== 'unavailable'
    const again = new Set(batch.filter((_, at) => isOfOne || rows[at]?.outcome === 'busy'))
    for (const one of again) {
      one.single = true
      this.#count(one.message, 1)
    }
    this.#waiting.unshift(...again)
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

  #send(kind: 'group' | 'single', batch: Waiting[]): Promise<Tried[]> {
    const statement = (sql: Database) => {
      const [only, ...others] = batch.map(({ message }) => parametersOf(message))
      return only && others.length === 0
        ? sql<Tried[]>`select outcome, missing, event_id, topic, body from send_message(
            ${only.author_id}, ${only.channel_id}, ${only.content}, ${only.mentions}, ${only.reply_to_id},
            ${only.file_ids}, ${only.nonce}, decode(${only.hash}, 'hex'), ${kind === 'group'})`
        : sql<Tried[]>`select outcome, missing, event_id, topic, body from send_messages(
            ${JSON.stringify([only, ...others])}::text::json)`
    }
    return this.write.once(statement, (rows) =>
      rows.flatMap((row, at) => {
        const channel_id = batch[at]?.message.channel_id
        return row.outcome === 'created' ? [{ type: 'message.created', channel_id, ...row }] : []
      }),
    )
  }
}

/** The parameters of send_message. The hash tells whether a nonce is used again for the same request. */
function parametersOf(message: Outgoing) {
  const { content, reply_to_id, file_ids, nonce } = message
  const request = JSON.stringify([content, reply_to_id, file_ids])
  const hash = nonce === null ? null : createHash('sha256').update(request).digest('hex')
  return { ...message, mentions: mentionsIn(content), hash }
}
