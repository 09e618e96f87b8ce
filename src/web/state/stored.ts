/**
 * What a browser keeps of this page. A storage that is full, or that the browser forbids, never stops an act: what it
 * does not take lasts as long as the page.
 */
class Stored {
  /** What the storage has not taken; undefined for what it should have removed. */
  readonly #kept = new Map<string, string | undefined>()

  constructor(private readonly open: () => Storage) {}

  get length(): number {
    return this.keys().length
  }

  readonly key = (at: number): string | null => this.keys()[at] ?? null

  readonly getItem = (key: string): string | null =>
    this.#kept.has(key) ? (this.#kept.get(key) ?? null) : this.#tried((storage) => storage.getItem(key), null)

  readonly setItem = (key: string, text: string): void => {
    this.#kept.set(key, text)
    this.#tried((storage) => {
      storage.setItem(key, text)
      this.#kept.delete(key)
    }, undefined)
  }

  /** Keeps a text as long as the page. */
  readonly keepHere = (key: string, text: string): void => void this.#kept.set(key, text)

  readonly removeItem = (key: string): void => {
    this.#kept.set(key, undefined)
    this.#tried((storage) => {
      storage.removeItem(key)
      this.#kept.delete(key)
    }, undefined)
  }

  readonly keys = (): string[] => {
    const all = new Set(this.#tried((storage) => Object.keys(storage), []))
    for (const [key, text] of this.#kept)
      if (text === undefined) all.delete(key)
      else all.add(key)
    return [...all]
  }

  #tried<T>(act: (storage: Storage) => T, otherwise: T): T {
    try {
      return act(this.open())
    } catch {
      return otherwise
    }
  }
}

/** What all tabs of the browser share. */
export const onDevice = new Stored(() => localStorage)
/** What this tab keeps when it is loaded again. */
export const inTab = new Stored(() => sessionStorage)
