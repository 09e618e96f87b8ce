/**
 * Browser storage that never throws. If it is full or blocked, a write falls back to memory and lasts as long as the
 * page.
 */
class Stored {
  /** Values in memory: refused by the storage, or set by keepHere; undefined for a key that it failed to remove. */
  readonly #inMemory = new Map<string, string | undefined>()

  constructor(private readonly open: () => Storage) {}

  get length(): number {
    return this.keys().length
  }

  readonly key = (at: number): string | null => this.keys()[at] ?? null

  readonly getItem = (key: string): string | null =>
    this.#inMemory.has(key) ? (this.#inMemory.get(key) ?? null) : this.#attempt((storage) => storage.getItem(key), null)

  readonly setItem = (key: string, text: string): void => {
    this.#inMemory.set(key, text)
    this.#attempt((storage) => {
      storage.setItem(key, text)
      this.#inMemory.delete(key)
    }, undefined)
  }

  /** Stores a text only in memory. */
  readonly keepHere = (key: string, text: string): void => void this.#inMemory.set(key, text)

  readonly removeItem = (key: string): void => {
    this.#inMemory.set(key, undefined)
    this.#attempt((storage) => {
      storage.removeItem(key)
      this.#inMemory.delete(key)
    }, undefined)
  }

  readonly keys = (): string[] => {
    const all = new Set(this.#attempt((storage) => Object.keys(storage), []))
    for (const [key, text] of this.#inMemory)
      if (text === undefined) all.delete(key)
      else all.add(key)
    return [...all]
  }

  #attempt<T>(act: (storage: Storage) => T, otherwise: T): T {
    try {
      return act(this.open())
    } catch {
      return otherwise
    }
  }
}

/** Storage shared by all tabs of the browser. */
export const onDevice = new Stored(() => localStorage)
/** Storage of this tab, which survives a reload. */
export const inTab = new Stored(() => sessionStorage)
