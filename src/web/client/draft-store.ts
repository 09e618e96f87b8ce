/** Destination of a message: a channel, or the conversation with an account. */
export type Place = { channel_id: number } | { user_id: number }
export const placeKey = (place: Place): string => ('channel_id' in place ? `c${place.channel_id}` : `u${place.user_id}`)

/** A message that the server has not accepted yet. */
export interface Draft {
  place: Place
  nonce: string
  content: string
  file_ids: number[]
  reply_to_id: number | null
  /** False if the reply does not mention the author of the original; absent means true. */
  reply_mention?: boolean
  created_at: string
  /** The account that wrote it; absent in drafts of earlier versions. */
  sender_id?: number
  /** Why the server refused it: the draft waits until it is retried or dropped. */
  refused?: string
  /** True if the server refused the message because the original of the reply is gone. */
  lacks_reply?: boolean
}

const PREFIX = 'parley.outbox.'
/** Earlier versions kept every draft in one array. */
const ARRAY = 'parley.outbox'

/** Storage in which drafts outlive the page: `localStorage`, or an object with the same methods. */
export type DraftStorage = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>

/**
 * The drafts of all tabs of a browser, each in a separate entry, so that tabs do not overwrite each other's. A draft
 * that does not fit into the storage stays in memory.
 */
export class DraftStore {
  readonly #drafts = new Map<string, Draft>()
  /** The text of each stored draft, by nonce. */
  readonly #storedTexts = new Map<string, string>()

  constructor(private readonly storage?: DraftStorage) {
    if (storage) adoptArray(storage)
    this.refresh()
  }

  /** Oldest first. */
  all(): Draft[] {
    return [...this.#drafts.values()].toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
  }

  get = (nonce: string): Draft | undefined => this.#drafts.get(nonce)

  put(draft: Draft): void {
    this.#drafts.set(draft.nonce, draft)
    const text = JSON.stringify(draft)
    try {
      this.storage?.setItem(PREFIX + draft.nonce, text)
      if (this.storage) this.#storedTexts.set(draft.nonce, text)
    } catch {
      // The storage is full or forbidden.
    }
  }

  delete(nonce: string): void {
    this.#drafts.delete(nonce)
    this.#storedTexts.delete(nonce)
    this.storage?.removeItem(PREFIX + nonce)
  }

  /** Applies the changes of other tabs. */
  refresh(): void {
    const { storage } = this
    if (!storage) return
    const storedNow = new Map<string, string>()
    for (let at = 0; at < storage.length; at++) {
      const key = storage.key(at)
      if (key?.startsWith(PREFIX)) storedNow.set(key.slice(PREFIX.length), storage.getItem(key) ?? '')
    }
    for (const nonce of this.#storedTexts.keys())
      if (!storedNow.has(nonce)) {
        this.#storedTexts.delete(nonce)
        this.#drafts.delete(nonce)
      }
    for (const [nonce, text] of storedNow) {
      if (this.#storedTexts.get(nonce) === text) continue
      const draft = parse(text)
      if (!isDraft(draft) || draft.nonce !== nonce) continue
      this.#storedTexts.set(nonce, text)
      this.#drafts.set(nonce, draft)
    }
  }
}

/** Splits the array of an earlier version into entries. */
function adoptArray(storage: DraftStorage): void {
  const drafts = parse(storage.getItem(ARRAY) ?? '[]')
  if (!Array.isArray(drafts)) return
  try {
    for (const draft of drafts) if (isDraft(draft)) storage.setItem(PREFIX + draft.nonce, JSON.stringify(draft))
    storage.removeItem(ARRAY)
  } catch {
    // The storage is full: the array stays for the next start.
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Another version may have written something else. */
const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' &&
  value !== null &&
  'place' in value &&
  typeof value.place === 'object' &&
  value.place !== null &&
  'nonce' in value &&
  typeof value.nonce === 'string' &&
  'content' in value &&
  typeof value.content === 'string' &&
  'file_ids' in value &&
  Array.isArray(value.file_ids) &&
  'created_at' in value &&
  typeof value.created_at === 'string'
