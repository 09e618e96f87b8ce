import { mentionsIn } from '../../core/markup/references.ts'
import { fold, foldedReadings } from './fold.ts'
import { drawnHosts, hostsIn, inviteIn, isListed } from './links.ts'
import type { Rule, Trigger } from './model.ts'
import { PatternSet } from './pattern-set.ts'
import { type Squashed, squash, WordIndex } from './word-index.ts'

/** Words that are added between two breaks, so that no request waits for a large set. */
const WORDS_PER_SLICE = 500

/** A pattern may hold as much memory as this many words. */
const WORDS_PER_PATTERN = 1000

/** A text in the forms in which triggers look at it. */
interface Reading {
  text: string
  /** Folded, in every reading. */
  folded: string[]
}

/** A file, as far as rules look at it. */
export interface JudgedFile {
  filename: string
  content_type: string
}

/** A rule that a text breaks, and the part of the rule or text that was found. */
export interface Hit {
  rule: Rule
  found: string
}

/** Finds a match of one rule in a text and files; undefined if there is none. */
type Finder = (readings: Reading[], files: JudgedFile[]) => string | undefined

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
    for (const [at, word] of trigger.words.entries()) {
      this.#words.add(this.#listedWords.push({ rule, word }) - 1, word)
      if (at % WORDS_PER_SLICE === WORDS_PER_SLICE - 1) await pause()
    }
    if (trigger.allow.length === 0) return
    const allowed = new WordIndex()
    for (const word of trigger.allow) allowed.add(0, word)
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
    const readings = [...texts, ...files.map(({ filename }) => filename)].flatMap((text) =>
      text === '' ? [] : [{ text, folded: foldedReadings(text) }],
    )
    if (this.#listedWords.length > 0)
      for (const { folded } of readings) for (const reading of folded) this.#judgeWords(squash(reading), hits)
    if (this.#patternRules.length > 0 && !isPaused) for (const reading of readings) this.#judgePatterns(reading, hits)
    for (const { rule, find } of this.#finders) {
      const found = hits.has(rule.id) ? undefined : find(readings, files)
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
    const allowedSpans = new Map<number, [from: number, to: number][]>()
    const isAllowed = (rule: Rule, from: number, to: number) => {
      const allowed = this.#allowed.get(rule.id)
      if (!allowed) return false
      const spans = allowedSpans.get(rule.id) ?? spansOf(allowed, text)
      allowedSpans.set(rule.id, spans)
      return spans.some((span) => span[0] <= from && to <= span[1])
    }
    this.#words.find(text, ({ list, from, to }) => {
      const found = this.#listedWords[list]
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

function finderOf(trigger: Exclude<JudgedRule['trigger'], { type: 'words' | 'patterns' }>): Finder {
  switch (trigger.type) {
    case 'links': {
      const { mode, hosts } = trigger
      const isDenying = mode === 'deny'
      return (readings) =>
        readings
          .flatMap(({ text }) => (isDenying ? hostsIn(text) : drawnHosts(text)))
          .find((host) => isListed(host, hosts) === isDenying)
    }
    case 'invites':
      return (readings) =>
        readings.map(({ text, folded }) => inviteIn(text, folded)).find((invite) => invite !== undefined)
    case 'mentions':
      return (readings) => {
        const named = readings.map(({ text }) => mentionsIn(text))
        const ids = new Set(named.flatMap(({ people, roles }) => [...people, ...roles.map((id) => `&${id}`)]))
        return ids.size > trigger.max ? `${ids.size}` : undefined
      }
    case 'attachments':
      return (_, files) => trigger.types.find((type) => files.some((file) => isOfType(file, type)))
  }
}

function isOfType({ filename, content_type }: JudgedFile, type: string): boolean {
  // Systems drop dots and spaces at the end of a name.
  if (!type.includes('/'))
    return fold(filename)
      .replace(/[\s.]+$/, '')
      .endsWith(`.${type}`)
  return type.endsWith('/*') ? content_type.startsWith(type.slice(0, -1)) : content_type === type
}
