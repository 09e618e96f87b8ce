import { type ApiError, type Call } from './rest.ts'
import type { BodyOf } from './endpoints.ts'

const RETRY_MS = 3_000

/** Where a message goes: a channel, or a conversation. */
export type Place = { channel_id: number } | { user_id: number }
export const placeKey = (place: Place): string => ('channel_id' in place ? `c${place.channel_id}` : `u${place.user_id}`)

/** A message that the server has not taken yet. */
export interface Draft {
  place: Place
  nonce: string
  content: string
  file_ids: number[]
  reply_to_id: number | null
  created_at: string
  /** Why it was refused: it waits for the person to try again or give up. */
  refused?: string
}

/** Where drafts survive a reload. */
export interface Shelf {
  read(): string | null
  write(text: string): void
}

/**
 * Messages on their way: sent one after another in each place, again and again while the server is away, each under
 * its nonce, so that none is doubled. What the server refuses stays until it is retried or dropped.
 */
export class Outbox {
  #drafts: Draft[] = []
  readonly #busy = new Set<string>()
  readonly #watchers = new Set<() => void>()

  constructor(
    private readonly call: Call,
    private readonly onSent: (draft: Draft, message: unknown) => void,
    private readonly shelf?: Shelf,
  ) {
    this.#drafts = stored(shelf)
  }

  /** Drafts of a place, oldest first. */
  of = (place: Place): Draft[] => this.#drafts.filter((draft) => placeKey(draft.place) === placeKey(place))

  watch(watcher: () => void): void {
    this.#watchers.add(watcher)
  }

  /** Puts a message on its way. */
  send(place: Place, message: Pick<Draft, 'content' | 'file_ids' | 'reply_to_id'>): Draft {
    const draft = { place, ...message, nonce: crypto.randomUUID(), created_at: new Date().toISOString() }
    this.#drafts.push(draft)
    this.#changed()
    void this.#work(placeKey(place))
    return draft
  }

  retry(nonce: string): void {
    for (const draft of this.#drafts) if (draft.nonce === nonce) delete draft.refused
    this.#changed()
    this.flush()
  }

  /** Gives a message up, or learns by another way that it has arrived. */
  drop(nonce: string): void {
    const kept = this.#drafts.filter((draft) => draft.nonce !== nonce)
    if (kept.length === this.#drafts.length) return
    this.#drafts = kept
    this.#changed()
  }

  /** Tries everything that waits, now. */
  flush(): void {
    for (const key of new Set(this.#drafts.map((draft) => placeKey(draft.place)))) void this.#work(key)
  }

  async #work(key: string): Promise<void> {
    if (this.#busy.has(key)) return
    this.#busy.add(key)
    const next = () => this.#drafts.find((draft) => placeKey(draft.place) === key && draft.refused === undefined)
    for (let draft = next(); draft; draft = next()) {
      try {
        const message = await this.#post(draft)
        this.onSent(draft, message)
        this.drop(draft.nonce)
      } catch (error) {
        const { isPassing, message } = error as ApiError
        if (isPassing) {
          setTimeout(() => this.#work(key), RETRY_MS)
          break
        }
        draft.refused = message
        this.#changed()
      }
    }
    this.#busy.delete(key)
  }

  #post({ place, content, file_ids, reply_to_id, nonce }: Draft) {
    const cargo = { content, file_ids, nonce }
    if ('user_id' in place) {
      const body: BodyOf<'POST /api/dm/messages'> = { recipient_id: place.user_id, ...cargo }
      return this.call('POST /api/dm/messages', {}, body)
    }
    return this.call('POST /api/channels/:channel_id/messages', place, { ...cargo, reply_to_id })
  }

  #changed(): void {
    this.shelf?.write(JSON.stringify(this.#drafts))
    for (const watcher of this.#watchers) watcher()
  }
}

function stored(shelf: Shelf | undefined): Draft[] {
  try {
    const drafts: unknown = JSON.parse(shelf?.read() ?? '[]')
    return Array.isArray(drafts) ? drafts : []
  } catch {
    // What another version has written is not worth a refusal to start.
    return []
  }
}
