import { RE2JS, RE2Set } from 're2js'

/** A pass over a text that takes longer is slow, in milliseconds. */
const SLOW_MS = 2
/** After this many slow passes, the patterns are tried one by one. */
const SLOW_MAX = 3
/** A pass that takes longer keeps other requests waiting, in milliseconds. */
const STUCK_MS = 50
/** Memory for states that texts have led to, in bytes: of all patterns, and of each if they are tried one by one. */
const MEMORY_BYTES_MAX = 1024 * 1024
const PATTERN_BYTES_MAX = 128 * 1024

const setOf = (sources: string[], bytesMax: number): RE2Set => {
  const set = new RE2Set(RE2Set.UNANCHORED, RE2JS.CASE_INSENSITIVE, bytesMax)
  for (const source of sources) set.add(source)
  set.compile()
  return set
}

/**
 * Patterns that are looked for in one pass over a text. Together they may have far more states than each of them; a
 * set that proves slow is replaced by its patterns, each of which was timed when it was saved.
 */
export class PatternSet {
  #sets: RE2Set[]
  #slowCount = 0

  /** @param onStuck called after a pass that took far too long */
  constructor(
    readonly sources: string[],
    private readonly onStuck: () => void = () => {},
  ) {
    this.#sets = sources.length === 0 ? [] : [setOf(sources, MEMORY_BYTES_MAX)]
  }

  /** The indexes of the patterns that match. */
  match(text: string): number[] {
    const begin = performance.now()
    const isTogether = this.#sets.length === 1
    const matches = this.#sets.flatMap((set, at) => {
      const found = set.match(text)
      return isTogether || found.length === 0 ? found : [at]
    })
    const passMs = performance.now() - begin
    if (passMs > STUCK_MS) this.onStuck()
    if (isTogether && passMs > SLOW_MS && ++this.#slowCount >= SLOW_MAX)
      this.#sets = this.sources.map((source) => setOf([source], PATTERN_BYTES_MAX))
    return matches
  }
}
