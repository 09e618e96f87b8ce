import type { AnswerOf } from './endpoints.ts'
import { type Draft, type DraftStorage, DraftStore, type Place, placeKey } from './draft-store.ts'
import { newNonce } from './nonce.ts'
import { ApiError, type Call } from './rest.ts'

export { type Draft, type Place, placeKey }

const RETRY_MS = 3_000

/** The server's answer to a sent message. */
export type SentMessage = AnswerOf<'POST /api/channels/:channel_id/messages' | 'POST /api/dm/messages'>

/** Time that a tab waits for another tab that sends in the same place. */
const TURN_MS_MAX = 10_000

/**
 * Sends drafts: in each place one after another, with retries while the server is unreachable. The tabs of a browser
 * share the drafts and take turns, so that each draft is sent once; without locks, its nonce lets the server store it
 * once. A refused draft stays until it is retried or dropped.
 */
export class Outbox {
  readonly #drafts: DraftStore
  readonly #busy = new Set<string>()
  readonly #watchers = new Set<() => void>()
  /** The nonces of drafts whose messages the gateway brought before the request was answered. */
  readonly #arrivedNonces = new Set<string>()
  /** The account whose drafts are sent. */
  accountId: number | undefined

  constructor(
    private readonly call: Call,
    private readonly callbacks: {
      onSent: (draft: Draft, message: SentMessage) => void
      onSlowmode: (draft: Draft, retryAfter: number) => void
      onRefused: (draft: Draft, error: unknown) => void
    },
    storage?: DraftStorage,
  ) {
    this.#drafts = new DraftStore(storage)
  }

  /** Sets the account whose drafts are sent; those of another account of the browser wait for its login. */
  useAccount(id: number): void {
    this.accountId = id
    // Earlier versions noted no sender.
    for (const draft of this.#drafts.all())
      if (draft.sender_id === undefined) this.#drafts.put({ ...draft, sender_id: id })
    this.#notify()
  }

  /** The drafts of the account, oldest first. */
  #draftsOfAccount = (): Draft[] =>
    this.#drafts.all().filter(({ sender_id }) => sender_id === undefined || sender_id === (this.accountId ?? sender_id))

  /** Drafts of a place whose messages have not arrived, oldest first. */
  of = (place: Place): Draft[] =>
    this.#draftsOfAccount().filter(
      (draft) => placeKey(draft.place) === placeKey(place) && !this.#arrivedNonces.has(draft.nonce),
    )

  watch(watcher: () => void): void {
    this.#watchers.add(watcher)
  }

  /** Adds a draft and begins to send it. */
  send(place: Place, message: Pick<Draft, 'content' | 'file_ids' | 'reply_to_id' | 'reply_mention'>): Draft {
    // Later than every other draft, since drafts are sent by their time.
    const newest = Math.max(0, ...this.#drafts.all().map((draft) => Date.parse(draft.created_at) || 0))
    const created_at = new Date(Math.max(Date.now(), newest + 1)).toISOString()
    const sender = this.accountId === undefined ? {} : { sender_id: this.accountId }
    const draft = { place, ...message, nonce: newNonce(), created_at, ...sender }
    this.#drafts.put(draft)
    this.#notify()
    void this.#sendAll(placeKey(place))
    return draft
  }

  /** Sends a refused draft again. @param change the changed fields */
  retry(nonce: string, change: Partial<Pick<Draft, 'reply_to_id'>> = {}): void {
    const { refused: _, lacks_reply: __, ...draft } = this.#drafts.get(nonce) ?? {}
    if ('nonce' in draft) this.#drafts.put({ ...draft, ...change })
    this.#notify()
    this.flush()
  }

  /** Call when the gateway has delivered a message of the account, which replaces its draft. */
  arrived(nonce: string): void {
    const draft = this.#drafts.get(nonce)
    if (!draft) return
    if (this.#busy.has(placeKey(draft.place))) this.#arrivedNonces.add(nonce)
    else this.#drafts.delete(nonce)
    this.#notify()
  }

  /** Removes a draft: it was given up, or its message has arrived. */
  drop(nonce: string): void {
    this.#arrivedNonces.delete(nonce)
    if (!this.#drafts.get(nonce)) return
    this.#drafts.delete(nonce)
    this.#notify()
  }

  /** Removes every draft of the account: it leaves this browser. */
  clear(): void {
    this.refresh()
    for (const { nonce } of this.#draftsOfAccount()) this.#drafts.delete(nonce)
    this.#notify()
  }

  /** Loads the drafts of other tabs, which those tabs send. */
  refresh(): void {
    this.#drafts.refresh()
    this.#notify()
  }

  /** Tries to send every draft now. */
  flush(): void {
    for (const key of new Set(this.#draftsOfAccount().map((draft) => placeKey(draft.place)))) void this.#sendAll(key)
  }

  async #sendAll(key: string): Promise<void> {
    if (this.#busy.has(key)) return
    this.#busy.add(key)
    const waitMs = await inTurn(`parley.outbox.${key}`, () => this.#sendEach(key))
    this.#busy.delete(key)
    if (waitMs === undefined) return
    if (waitMs > 0) setTimeout(() => this.#sendAll(key), waitMs)
    else if (this.#next(key)) void this.#sendAll(key)
  }

  #next = (key: string): Draft | undefined =>
    this.#draftsOfAccount().find((draft) => placeKey(draft.place) === key && draft.refused === undefined)

  /**
   * @returns delay of the next try, ms; 0 once all are sent or refused; undefined if the session has ended, so that the
   * drafts wait for the next login
   */
  async #sendEach(key: string): Promise<number | undefined> {
    // Another tab may have sent some of them.
    this.#drafts.refresh()
    for (let draft = this.#next(key); draft; draft = this.#next(key)) {
      try {
        const message = await this.#request(draft)
        this.callbacks.onSent(draft, message)
        this.drop(draft.nonce)
      } catch (error) {
        if (error instanceof ApiError && error.code === 'slowmode') {
          const retryAfter = error.retry_after ?? 1
          this.callbacks.onSlowmode(draft, retryAfter)
          return retryAfter * 1000
        }
        if (error instanceof ApiError && error.isTransient) return RETRY_MS
        if (error instanceof ApiError && error.status === 401 && this.accountId !== undefined) return undefined
        const refused = error instanceof Error ? error.message : String(error)
        this.#arrivedNonces.delete(draft.nonce)
        // The draft may have been dropped meanwhile.
        const lacks_reply = error instanceof ApiError && error.errors.some(({ path }) => path === 'body.reply_to_id')
        if (this.#drafts.get(draft.nonce)) this.#drafts.put({ ...draft, refused, ...(lacks_reply && { lacks_reply }) })
        this.#notify()
        this.callbacks.onRefused(draft, error)
      }
    }
    this.#notify()
    return 0
  }

  #request({ place, content, file_ids, reply_to_id, reply_mention = true, nonce }: Draft) {
    const body = { content, file_ids, nonce }
    return 'user_id' in place
      ? this.call('POST /api/dm/messages', {}, { ...body, recipient_id: place.user_id })
      : this.call('POST /api/channels/:channel_id/messages', place, { ...body, reply_to_id, reply_mention })
  }

  #notify(): void {
    for (const watcher of this.#watchers) watcher()
  }
}

/** Runs work while no other tab runs work of that name. Pages without TLS have no locks, and do not wait. */
async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = globalThis.navigator?.locks
  if (!locks) return work()
  let hasBegun = false
  const begin = () => {
    hasBegun = true
    return work()
  }
  return locks.request(name, { signal: AbortSignal.timeout(TURN_MS_MAX) }, begin).catch((error: unknown) => {
    // A tab that hangs does not block the others.
    if (hasBegun) throw error
    return work()
  })
}
