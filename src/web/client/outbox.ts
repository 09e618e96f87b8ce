import type { AnswerOf } from './endpoints.ts'
import { ApiError, type Call } from './rest.ts'

const RETRY_MS = 3_000

/** Where a message goes: a channel, or the conversation with an account. */
export type Place = { channel_id: number } | { user_id: number }
export const placeKey = (place: Place): string => ('channel_id' in place ? `c${place.channel_id}` : `u${place.user_id}`)

/** The server's answer to a sent message. */
export type SentMessage = AnswerOf<'POST /api/channels/:channel_id/messages' | 'POST /api/dm/messages'>

/** A message that the server has not accepted yet. */
export interface Draft {
  place: Place
  nonce: string
  content: string
  file_ids: number[]
  reply_to_id: number | null
  created_at: string
  /** Why the server refused it: the draft waits until it is retried or dropped. */
  refused?: string
}

/** Keeps drafts over a reload. */
export interface DraftStorage {
  read(): string | null
  write(text: string): void
}

/**
 * Sends drafts: in each place one after another, repeated while the server is unreachable. Each draft has a nonce, so
 * that the server stores it once. A refused draft stays until it is retried or dropped.
 */
export class Outbox {
  #drafts: Draft[] = []
  readonly #busy = new Set<string>()
  readonly #watchers = new Set<() => void>()

  constructor(
    private readonly call: Call,
    private readonly onSent: (draft: Draft, message: SentMessage) => void,
    private readonly storage?: DraftStorage,
  ) {
    this.#drafts = stored(storage)
  }

  /** Drafts of a place, oldest first. */
  of = (place: Place): Draft[] => this.#drafts.filter((draft) => placeKey(draft.place) === placeKey(place))

  watch(watcher: () => void): void {
    this.#watchers.add(watcher)
  }

  /** Adds a draft and begins to send it. */
  send(place: Place, message: Pick<Draft, 'content' | 'file_ids' | 'reply_to_id'>): Draft {
    const draft = { place, ...message, nonce: crypto.randomUUID(), created_at: new Date().toISOString() }
    this.#drafts.push(draft)
    this.#changed()
    void this.#sendAll(placeKey(place))
    return draft
  }

  retry(nonce: string): void {
    for (const draft of this.#drafts) if (draft.nonce === nonce) delete draft.refused
    this.#changed()
    this.flush()
  }

  /** Removes a draft: it was given up, or its message has arrived. */
  drop(nonce: string): void {
    const kept = this.#drafts.filter((draft) => draft.nonce !== nonce)
    if (kept.length === this.#drafts.length) return
    this.#drafts = kept
    this.#changed()
  }

  /** Tries to send every draft now. */
  flush(): void {
    for (const key of new Set(this.#drafts.map((draft) => placeKey(draft.place)))) void this.#sendAll(key)
  }

  async #sendAll(key: string): Promise<void> {
    if (this.#busy.has(key)) return
    this.#busy.add(key)
    const next = () => this.#drafts.find((draft) => placeKey(draft.place) === key && draft.refused === undefined)
    for (let draft = next(); draft; draft = next()) {
      try {
        const message = await this.#request(draft)
        this.onSent(draft, message)
        this.drop(draft.nonce)
      } catch (error) {
        if (error instanceof ApiError && error.isTransient) {
          setTimeout(() => this.#sendAll(key), RETRY_MS)
          break
        }
        draft.refused = error instanceof Error ? error.message : String(error)
        this.#changed()
      }
    }
    this.#busy.delete(key)
  }

  #request({ place, content, file_ids, reply_to_id, nonce }: Draft) {
    const body = { content, file_ids, nonce }
    return 'user_id' in place
      ? this.call('POST /api/dm/messages', {}, { ...body, recipient_id: place.user_id })
      : this.call('POST /api/channels/:channel_id/messages', place, { ...body, reply_to_id })
  }

  #changed(): void {
    this.storage?.write(JSON.stringify(this.#drafts))
    for (const watcher of this.#watchers) watcher()
  }
}

function stored(storage: DraftStorage | undefined): Draft[] {
  try {
    const drafts: unknown = JSON.parse(storage?.read() ?? '[]')
    return Array.isArray(drafts) ? drafts : []
  } catch {
    // Another version may have written something else: start without drafts.
    return []
  }
}
