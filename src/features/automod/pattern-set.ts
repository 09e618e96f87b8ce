import { RE2JS, RE2Set } from 're2js'
import { compilePattern } from './patterns.ts'

/** A pass over a text that takes longer is slow, in milliseconds. */
const SLOW_MS = 2
/** After this many slow passes, the patterns are tried one by one. */
const SLOW_MAX = 3

/**
 * Patterns that are looked for in one pass over a text. Together they may have far more states than each of them; a
 * set that proves slow is replaced by its patterns, each of which was timed when it was saved.
 */
export class PatternSet {
  #set: RE2Set | undefined
  readonly #patterns: RE2JS[]
  #slowCount = 0

  constructor(readonly sources: string[]) {
    this.#patterns = sources.map(compilePattern)
    if (sources.length === 0) return
    this.#set = new RE2Set(RE2Set.UNANCHORED, RE2JS.CASE_INSENSITIVE)
    for (const source of sources) this.#set.add(source)
    this.#set.compile()
  }

  /** The indexes of the patterns that match. */
  match(text: string): number[] {
    if (!this.#set) return this.#patterns.flatMap((pattern, at) => (pattern.test(text) ? [at] : []))
    const begin = performance.now()
    const matches = this.#set.match(text)
    if (performance.now() - begin > SLOW_MS && ++this.#slowCount >= SLOW_MAX) this.#set = undefined
    return matches
  }
}
