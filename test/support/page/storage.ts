/** A `Storage` class for one browser: a script of a test may replace its methods for that browser only. */
export const storageClass = (): new () => Storage => {
  class BrowserStorage {
    readonly #texts = new Map<string, string>()

    constructor() {
      const texts = this.#texts
      // Its keys are properties, as those of a browser's.
      return new Proxy(this, {
        ownKeys: () => [...texts.keys()],
        getOwnPropertyDescriptor: (_, name) => {
          const value = texts.get(String(name))
          return value === undefined ? undefined : { value, enumerable: true, configurable: true, writable: true }
        },
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name, target)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    }

    get length(): number {
      return this.#texts.size
    }
    key(at: number): string | null {
      return [...this.#texts.keys()][at] ?? null
    }
    getItem(key: string): string | null {
      return this.#texts.get(key) ?? null
    }
    setItem(key: string, text: string): void {
      this.#texts.set(key, String(text))
    }
    removeItem(key: string): void {
      this.#texts.delete(key)
    }
    clear(): void {
      this.#texts.clear()
    }
  }
  return BrowserStorage
}
