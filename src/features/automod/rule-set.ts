import { fold } from './fold.ts'
import { isListed } from './links.ts'
import type { Rule, Trigger } from './model.ts'
import { PatternSet } from './pattern-set.ts'
import { Reading } from './reading.ts'
import { type Squashed, squash, WordIndex } from './word-index.ts'

/** Words that are added between two breaks, so that no request waits for a large set. */
const WORDS_PER_SLICE = 500

/** A pattern may hold as much memory as this many words. */
const WORDS_PER_PATTERN = 1000

/** A file, as far as rules look at it. */
export interface JudgedFile {
  filename: string
  content_type: string
  alt?: string | null
}

/** The texts of a file that others read. */
export const textsOfFile = ({ filename, alt }: JudgedFile): string[] => [filename, alt ?? '']

/** A rule that a text breaks, and the part of the rule or text that was found. */
export interface Hit {
  rule: Rule
  found: string
}

/** Finds a match of one rule in a text and files; undefined if there is none. */
type Finder = (readings: Reading[], files: FoldedFile[]) => string | undefined

/** A file with its name as systems keep it: folded, without dots and spaces at the end. */
interface FoldedFile {
  name: string
  content_type: string
}

/** A rule with the trigger by which it is judged here. */
export interface JudgedRule {
  rule: Rule
  trigger: Exclude<Trigger, { type: 'profile' | 'spam' }>
}

/** Rules that are judged by texts and files, and by nothing else. Pure: no input or output, and no clock. */
export class RuleSet {
  readonly #words = new WordIndex()
  readonly #listedWords: { rule: Rule; word: string }[] = []
  /** Allowed words by rule. */
  readonly #allowed = new Map<number, WordIndex>()
  readonly #finders: { rule: Rule; find: Finder }[] = []
  /** The patterns of all rules, with the rule of each. */
  #patterns = new PatternSet([])
  #patternRules: Rule[] = []

  private constructor() {}

  /**
   * @param pause called between slices of the work
   * @param onStuck called after a search for patterns that took far too long
   */
  static async of(rules: JudgedRule[], pause: () => Promise<void>, onStuck?: () => void): Promise<RuleSet> {
    const set = new RuleSet()
    for (const { rule, trigger } of rules) {
      if (trigger.type === 'words') await set.#addWords(rule, trigger, pause)
      else if (trigger.type !== 'patterns') set.#finders.push({ rule, find: finderOf(trigger) })
      await pause()
    }
    const sources = rules.flatMap(({ rule, trigger }) =>
      trigger.type === 'patterns' ? trigger.patterns.map((source) => ({ rule, source })) : [],
    )
    set.#patterns = new PatternSet(
      sources.map(({ source }) => source),
      onStuck,
    )
    set.#patternRules = sources.map(({ rule }) => rule)
    set.#words.close()
    return set
  }

  async #addWords(
    rule: Rule,
    trigger: { words: string[]; allow: string[] },
    pause: () => Promise<void>,
  ): Promise<void> {
    for (const [at, word] of different(trigger.words).entries()) {
      this.#words.add(this.#listedWords.push({ rule, word }) - 1, word)
      if (at % WORDS_PER_SLICE === WORDS_PER_SLICE - 1) await pause()
    }
    if (trigger.allow.length === 0) return
    const allowed = new WordIndex()
    for (const word of different(trigger.allow)) allowed.add(0, word)
    allowed.close()
    this.#allowed.set(rule.id, allowed)
  }

  /** Memory is proportional to this; a word counts 1. */
  get size(): number {
    return this.#listedWords.length + this.#finders.length + this.#patternRules.length * WORDS_PER_PATTERN
  }

  /**
   * The rules that the texts and files break, each once.
   * @param isPaused true if patterns are left out
   */
  judge(texts: string[], files: JudgedFile[] = [], isPaused = false): Hit[] {
    const hits = new Map<number, Hit>()
    if (this.size === 0) return []
    const readings = [...texts, ...files.flatMap(textsOfFile)].flatMap((text) =>
      text === '' ? [] : [new Reading(text)],
    )
    const foldedFiles = files.map(({ filename, content_type }) => ({
      name: fold(filename).replace(/[\s.]+$/, ''),
      content_type,
    }))
    if (this.#listedWords.length > 0)
      for (const { folded } of readings) for (const reading of folded) this.#judgeWords(squash(reading), hits)
    if (this.#patternRules.length > 0 && !isPaused) for (const reading of readings) this.#judgePatterns(reading, hits)
    for (const { rule, find } of this.#finders) {
      const found = hits.has(rule.id) ? undefined : find(readings, foldedFiles)
      if (found !== undefined) hits.set(rule.id, { rule, found })
    }
    return [...hits.values()]
  }

  /** The text as it is written counts too where folding changes more than its case. */
  #judgePatterns({ text, folded }: Reading, hits: Map<number, Hit>): void {
    const texts = folded[0] === text.toLowerCase() ? folded : [...folded, text]
    for (const at of texts.flatMap((each) => this.#patterns.match(each))) {
      const rule = this.#patternRules[at]
      if (rule && !hits.has(rule.id)) hits.set(rule.id, { rule, found: this.#patterns.sources[at] ?? '' })
    }
  }

  #judgeWords(text: Squashed, hits: Map<number, Hit>): void {
    const allowedSpans = new Map<number, Spans>()
    const isAllowed = (rule: Rule, from: number, to: number) => {
      const allowed = this.#allowed.get(rule.id)
      if (!allowed) return false
      const spans = allowedSpans.get(rule.id) ?? spansOf(allowed, text)
      allowedSpans.set(rule.id, spans)
      return isWithin(spans, from, to)
    }
    this.#words.find(text, ({ list, from, to }) => {
      const found = this.#listedWords[list]
      if (found && !hits.has(found.rule.id) && !isAllowed(found.rule, from, to))
        hits.set(found.rule.id, { rule: found.rule, found: found.word })
      return false
    })
  }
}

/** Without words that are the same as they are read. */
const different = (words: string[]): string[] => [...new Map(words.map((word) => [fold(word), word])).values()]

/** By the unit of a text: the farthest end of a span that begins there or before. */
type Spans = Int32Array

function spansOf(allowed: WordIndex, text: Squashed): Spans {
  const ends = new Int32Array(text.letters.length + 1)
  allowed.find(text, ({ from, to }) => {
    ends[from] = Math.max(ends[from] ?? 0, to)
    return false
  })
  for (let at = 1; at < ends.length; at++) ends[at] = Math.max(ends[at] ?? 0, ends[at - 1] ?? 0)
  return ends
}

const isWithin = (ends: Spans, from: number, to: number): boolean => to <= (ends[from] ?? 0)

function finderOf(trigger: Exclude<JudgedRule['trigger'], { type: 'words' | 'patterns' }>): Finder {
  switch (trigger.type) {
    case 'links': {
      const isDenying = trigger.mode === 'deny'
      const hosts = new Set(trigger.hosts)
      return (readings) => {
        for (const reading of readings)
          for (const host of isDenying ? reading.allHosts : reading.drawnHosts)
            if (isListed(host, hosts) === isDenying) return host
        return undefined
      }
    }
    case 'invites':
      return (readings) => readings.map(({ invite }) => invite).find((invite) => invite !== undefined)
    case 'mentions':
      return (readings) => {
        const { size } = new Set(readings.flatMap(({ mentions }) => mentions))
        return size > trigger.max ? `${size}` : undefined
      }
    case 'attachments':
      return (_, files) => trigger.types.find((type) => files.some((file) => isOfType(file, type)))
  }
}

function isOfType({ name, content_type }: FoldedFile, type: string): boolean {
  if (!type.includes('/')) return name.endsWith(`.${type}`)
  return type.endsWith('/*') ? content_type.startsWith(type.slice(0, -1)) : content_type === type
}
