import { foldedReadings } from './fold.ts'
import type { Rule } from './model.ts'
import { type Squashed, squash, WordIndex } from './word-index.ts'

/** Words that are added between two breaks, so that no request waits for a large set. */
const WORDS_PER_SLICE = 500

/** A rule that a text breaks, and the word of it that was found. */
export interface Hit {
  rule: Rule
  found: string
}

/** A list of words: of one rule, to be found or to be allowed. */
interface WordList {
  rule: Rule
  word: string
}

/** The rules of a server, ready to judge texts. Pure: no input or output, and no clock. */
export class CompiledRules {
  readonly #words = new WordIndex()
  readonly #lists: WordList[] = []
  /** Allowed words by rule. */
  readonly #allowed = new Map<number, WordIndex>()

  private constructor(readonly rules: Rule[]) {}

  /** @param pause called between slices of the work */
  static async of(rules: Rule[], pause: () => Promise<void>): Promise<CompiledRules> {
    const compiled = new CompiledRules(rules)
    let count = 0
    for (const rule of rules) {
      if (rule.trigger.type !== 'words') continue
      for (const word of rule.trigger.words) {
        compiled.#words.add(compiled.#lists.push({ rule, word }) - 1, word)
        if (++count % WORDS_PER_SLICE === 0) await pause()
      }
      if (rule.trigger.allow.length === 0) continue
      const allowed = new WordIndex()
      for (const word of rule.trigger.allow) allowed.add(0, word)
      allowed.close()
      compiled.#allowed.set(rule.id, allowed)
    }
    compiled.#words.close()
    return compiled
  }

  /** The number of words, which memory is proportional to. */
  get size(): number {
    return this.#lists.length
  }

  /** The rules that the texts break, each once. */
  judge(texts: string[]): Hit[] {
    const hits = new Map<number, Hit>()
    for (const text of texts)
      if (text !== '') for (const reading of foldedReadings(text)) this.#judgeWords(squash(reading), hits)
    return [...hits.values()]
  }

  #judgeWords(text: Squashed, hits: Map<number, Hit>): void {
    if (this.#lists.length === 0) return
    const allowedSpans = new Map<number, [from: number, to: number][]>()
    const isAllowed = (rule: Rule, from: number, to: number) => {
      const allowed = this.#allowed.get(rule.id)
      if (!allowed) return false
      const spans = allowedSpans.get(rule.id) ?? spansOf(allowed, text)
      allowedSpans.set(rule.id, spans)
      return spans.some((span) => span[0] <= from && to <= span[1])
    }
    this.#words.find(text, ({ list, from, to }) => {
      const found = this.#lists[list]
      if (found && !hits.has(found.rule.id) && !isAllowed(found.rule, from, to))
        hits.set(found.rule.id, { rule: found.rule, found: found.word })
      return false
    })
  }
}

function spansOf(allowed: WordIndex, text: Squashed): [number, number][] {
  const spans: [number, number][] = []
  allowed.find(text, ({ from, to }) => {
    spans.push([from, to])
    return false
  })
  return spans
}
