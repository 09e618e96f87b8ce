import type { AnswerOf } from './endpoints.ts'
import { type Draft, type DraftStorage, DraftStore, type Place, placeKey } from './draft-store.ts'
import { ApiError, type Call } from './rest.ts'

export { type Draft, type Place, placeKey }

const RETRY_MS = 3_000

/** The server's answer to a sent message. */
export type SentMessage = AnswerOf<'POST /api/channels/:channel_id/messages' | 'POST /api/dm/messages'>

/** How long a tab waits for another one that sends in the same place. */
const TURN_MS_MAX = 10_000

/**
 * Sends drafts: in each place one after another, repeated while the server is unreachable. The tabs of a browser share
 * the drafts and take turns, so that each is sent once; where they cannot, its nonce lets the server store it once. A
 * refused draft stays until it is retried or dropped.
 */
export class Outbox {
  readonly #drafts: DraftStore
  readonly #busy = new Set<string>()
  readonly #watchers = new Set<() => void>()
  #account_id: number | undefined

  constructor(
    private readonly call: Call,
    private readonly onSent: (draft: Draft, message: SentMessage) => void,
    storage?: DraftStorage,
  ) {
    this.#drafts = new DraftStore(storage)
  }

  /** Tells whose drafts these are, so that those of another account of the same browser wait for it. */
  useAccount(id: number): void {
    this.#account_id = id
    this.#changed()
  }

  /** The drafts of the account, oldest first. */
  #own = (): Draft[] =>
    this.#drafts
      .all()
      .filter(({ sender_id }) => sender_id === undefined || sender_id === (this.#account_id ?? sender_id))

  /** Drafts of a place, oldest first. */
  of = (place: Place): Draft[] => this.#own().filter((draft) => placeKey(draft.place) === placeKey(place))

  watch(watcher: () => void): void {
    this.#watchers.add(watcher)
  }

  /** Adds a draft and begins to send it. */
  send(place: Place, message: Pick<Draft, 'content' | 'file_ids' | 'reply_to_id'>): Draft {
    // Later than every other draft, since drafts are sent by their time.
    const newest = Math.max(0, ...this.#drafts.all().map((draft) => Date.parse(draft.created_at) || 0))
    const created_at = new Date(Math.max(Date.now(), newest + 1)).toISOString()
    const sender = this.#account_id === undefined ? {} : { sender_id: this.#account_id }
    const draft = { place, ...message, nonce: crypto.randomUUID(), created_at, ...sender }
    this.#drafts.put(draft)
    this.#changed()
    void this.#sendAll(placeKey(place))
    return draft
  }

  retry(nonce: string): void {
    const { refused: _, ...draft } = this.#drafts.get(nonce) ?? {}
    if ('nonce' in draft) this.#drafts.put(draft)
    this.#changed()
    this.flush()
  }

  /** Removes a draft: it was given up, or its message has arrived. */
  drop(nonce: string): void {
    if (!this.#drafts.get(nonce)) return
    this.#drafts.delete(nonce)
    this.#changed()
  }

  /** Removes every draft of the account: it leaves this browser. */
  clear(): void {
    this.refresh()
    for (const { nonce } of this.#own()) this.#drafts.delete(nonce)
    this.#changed()
  }

  /** Takes over what other tabs have written; they send it. */
  refresh(): void {
    this.#drafts.refresh()
    this.#changed()
  }

  /** Tries to send every draft now. */
  flush(): void {
    for (const key of new Set(this.#own().map((draft) => placeKey(draft.place)))) void this.#sendAll(key)
  }

  async #sendAll(key: string): Promise<void> {
    if (this.#busy.has(key)) return
    this.#busy.add(key)
    const reached = await inTurn(`parley.outbox.${key}`, () => this.#sendEach(key))
    this.#busy.delete(key)
    if (!reached) setTimeout(() => this.#sendAll(key), RETRY_MS)
    else if (this.#next(key)) void this.#sendAll(key)
  }

  #next = (key: string): Draft | undefined =>
    this.#own().find((draft) => placeKey(draft.place) === key && draft.refused === undefined)

  /** @returns whether the server could be reached */
  async #sendEach(key: string): Promise<boolean> {
    // Another tab may have sent some of them.
    this.#drafts.refresh()
    for (let draft = this.#next(key); draft; draft = this.#next(key)) {
      try {
        const message = await this.#request(draft)
        this.onSent(draft, message)
        this.drop(draft.nonce)
      } catch (error) {
        if (error instanceof ApiError && error.isTransient) return false
        const refused = error instanceof Error ? error.message : String(error)
        // It may have been given up meanwhile.
        if (this.#drafts.get(draft.nonce)) this.#drafts.put({ ...draft, refused })
        this.#changed()
      }
    }
    this.#changed()
    return true
  }

  #request({ place, content, file_ids, reply_to_id, nonce }: Draft) {
    const body = { content, file_ids, nonce }
    return 'user_id' in place
      ? this.call('POST /api/dm/messages', {}, { ...body, recipient_id: place.user_id })
      : this.call('POST /api/channels/:channel_id/messages', place, { ...body, reply_to_id })
  }

  #changed(): void {
    for (const watcher of this.#watchers) watcher()
  }
}

/** Runs work while no other tab runs work of that name. Pages without TLS have no locks, and do not wait. */
async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = globalThis.navigator?.locks
  if (!locks) return work()
  let begun = false
  const begin = () => {
    begun = true
    return work()
  }
  return locks.request(name, { signal: AbortSignal.timeout(TURN_MS_MAX) }, begin).catch((error: unknown) => {
    // A tab that hangs holds nobody up.
    if (begun) throw error
    return work()
  })
}
