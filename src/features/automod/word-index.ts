import { fold, readingsOf } from './fold.ts'

// Finds thousands of words in one pass over a text. Runs of equal letters are squashed to one letter in both, and
// compared by their lengths at a match. At each place where a word may begin, a rolling hash of the text is looked up
// among the hashes of the words; only a hit compares strings. Building hashes each word once, so that no thread of its
// own is needed: 30,000 words take some 30 ms, in slices.

/** Kinds of characters, by code point. */
const OTHER = 1
const LETTER = 2
const DIGIT = 3
/** Letters of scripts that are written without spaces, in which words match within others. */
const UNSPACED = 4
const KINDS = new Uint8Array(0x10000)
const UNSPACED_SCRIPTS =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u

function kindOf(sign: string): number {
  if (UNSPACED_SCRIPTS.test(sign) && /[\p{L}\p{M}]/u.test(sign)) return UNSPACED
  if (/[\p{L}\p{M}]/u.test(sign)) return LETTER
  return /\p{N}/u.test(sign) ? DIGIT : OTHER
}

function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  const kind = KINDS[unit] ?? 0
  if (kind > 0) return kind
  // Both halves of a pair have the kind of the whole.
  if (unit >= 0xd800 && unit <= 0xdfff)
    return kindOf(String.fromCodePoint(text.codePointAt(unit < 0xdc00 ? at : at - 1) ?? unit))
  return (KINDS[unit] = kindOf(text.charAt(at)))
}

/** A folded text whose runs of equal letters are one letter each. */
export interface Squashed {
  letters: string
  /** The length of each letter's run. */
  runs: Uint8Array
  kinds: Uint8Array
}

const RUN_MAX = 255

export function squash(folded: string): Squashed {
  const runs = new Uint8Array(folded.length)
  const kinds = new Uint8Array(folded.length)
  let [letters, length, last] = ['', 0, -1]
  for (let at = 0; at < folded.length; at++) {
    const unit = folded.charCodeAt(at)
    const kind = kindAt(folded, at)
    const run = runs[length - 1] ?? 0
    if (unit === last && (kind === LETTER || kind === UNSPACED) && run < RUN_MAX) runs[length - 1] = run + 1
    else {
      letters += folded.charAt(at)
      kinds[length] = kind
      runs[length++] = 1
      last = unit
    }
  }
  return { letters, runs: runs.subarray(0, length), kinds: kinds.subarray(0, length) }
}

/** A word of a rule. `at` names its list, as the caller numbers them. */
interface Word {
  runs: Uint8Array
  /** False where the word may go on: at a `*`, and in scripts without spaces. */
  isStart: boolean
  isEnd: boolean
  list: number
}

/** A match: units of the squashed text. */
export interface Match {
  list: number
  from: number
  to: number
}

/** Multiplies the hash; odd and random, so that nobody can choose texts whose hashes collide. */
const FACTOR = (Math.floor(Math.random() * 2 ** 30) * 2 + 1) | 0
const next = (hash: number, unit: number): number => Math.imul(hash ^ unit, FACTOR) + 0x9e3779b9
const slotOf = (hash: number, mask: number): number => (hash ^ (hash >>> 15)) & mask
const BITS_PER_WORD = 16

const put = (bits: Uint8Array, slot: number): void =>
  void (bits[slot >> 3] = (bits[slot >> 3] ?? 0) | (1 << (slot & 7)))
const holds = (bits: Uint8Array, slot: number): boolean => (((bits[slot >> 3] ?? 0) >> (slot & 7)) & 1) === 1

/** Letters after which a place is given up unless some word begins with them. */
const BEGINNING = 3

/** The hashes of words and of their beginnings, as bits, and their lengths. */
class Probe {
  #mask = 0
  #bits = new Uint8Array(1)
  #beginnings = new Uint8Array(1)
  #lengths = new Uint8Array(1)

  constructor(words: string[]) {
    const bits = 2 ** Math.ceil(Math.log2(Math.max(8, words.length * BITS_PER_WORD)))
    this.#mask = bits - 1
    this.#bits = new Uint8Array(bits / 8)
    this.#beginnings = new Uint8Array(bits / 8)
    this.#lengths = new Uint8Array(words.reduce((max, { length }) => Math.max(max, length), 0) + 1)
    for (const word of words) {
      let hash = 0
      for (let at = 0; at < word.length; at++) {
        hash = next(hash, word.charCodeAt(at))
        if (at === BEGINNING - 1) put(this.#beginnings, slotOf(hash, this.#mask))
      }
      put(this.#bits, slotOf(hash, this.#mask))
      this.#lengths[word.length] = 1
    }
  }

  get isEmpty(): boolean {
    return this.#lengths.length === 1
  }

  /** The ends of candidates that begin here. */
  each(letters: string, from: number, candidate: (to: number) => boolean): boolean {
    const [lengths, bits, mask] = [this.#lengths, this.#bits, this.#mask]
    const end = Math.min(letters.length, from + lengths.length - 1)
    let hash = 0
    for (let at = from; at < end; at++) {
      hash = next(hash, letters.charCodeAt(at))
      const length = at - from + 1
      const slot = slotOf(hash, mask)
      if (lengths[length] === 1 && holds(bits, slot) && candidate(at + 1)) return true
      if (length === BEGINNING && !holds(this.#beginnings, slot)) return false
    }
    return false
  }
}

/**
 * Comparisons for one text. Only lists of hundreds of words that differ in the lengths of their runs need as many; the
 * rest of a text is not searched then.
 */
const CHECKS_MAX = 50_000

/** Words of many lists, to be found in texts. */
export class WordIndex {
  readonly #words = new Map<string, Word[]>()
  #starting = new Probe([])
  #floating = new Probe([])
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Adds a word as a rule has it: `*` at either end stands for more letters. Call `close` after the last one. */
  add(list: number, written: string): void {
    const folded = fold(written.replace(/^\*|\*$/g, '')).trim()
    if (folded !== '') for (const reading of readingsOf(folded)) this.#add(list, written, reading)
  }

  #add(list: number, written: string, reading: string): void {
    const { letters, runs, kinds } = squash(reading)
    const isBounded = (kind: number | undefined) => kind === LETTER || kind === DIGIT
    const isStart = !written.startsWith('*') && isBounded(kinds[0])
    const isEnd = !written.endsWith('*') && isBounded(kinds.at(-1))
    const word = { runs, isStart, isEnd, list }
    const same = this.#words.get(letters)
    if (same) same.push(word)
    else this.#words.set(letters, [word])
    this.#size++
  }

  close(): void {
    const keysOf = (isStart: boolean) =>
      [...this.#words].flatMap(([key, words]) => (words.some((word) => word.isStart === isStart) ? [key] : []))
    this.#starting = new Probe(keysOf(true))
    this.#floating = new Probe(keysOf(false))
  }

  /** Calls back for each match, until it returns true. */
  find(text: Squashed, isEnough: (match: Match) => boolean): void {
    const { letters, kinds } = text
    let from = 0
    let checksLeft = CHECKS_MAX
    const check = (to: number, isStart: boolean) => {
      const words = this.#words.get(letters.slice(from, to)) ?? []
      checksLeft -= words.length
      return checksLeft < 0 || findIn(words, text, from, to, isStart, isEnough)
    }
    const checkStarting = (to: number) => check(to, true)
    const checkFloating = (to: number) => check(to, false)
    for (; from < letters.length; from++) {
      if (isBoundary(kinds, from) && this.#starting.each(letters, from, checkStarting)) return
      if (!this.#floating.isEmpty && this.#floating.each(letters, from, checkFloating)) return
    }
  }
}

/** Calls back for the words that match a part of a text. @returns true once that is enough */
function findIn(
  words: Word[],
  text: Squashed,
  from: number,
  to: number,
  isStart: boolean,
  isEnough: (match: Match) => boolean,
): boolean {
  for (const word of words) {
    if (word.isStart !== isStart || (word.isEnd && !isBoundary(text.kinds, to)) || !fits(word, text, from)) continue
    if (isEnough({ list: word.list, from, to })) return true
  }
  return false
}

/** True if a word may begin or end before this unit. */
function isBoundary(kinds: Uint8Array, at: number): boolean {
  if (at === 0 || at >= kinds.length) return true
  const isOpen = (kind: number | undefined) => kind === OTHER || kind === UNSPACED
  return isOpen(kinds[at - 1]) || isOpen(kinds[at])
}

/** True if the runs agree. A run of three or more letters of a text stands for one and for two. */
function fits({ runs, isStart, isEnd }: Word, text: Squashed, from: number): boolean {
  for (let at = 0; at < runs.length; at++) {
    const [run, length] = [runs[at] ?? 0, text.runs[from + at] ?? 0]
    if (length === run || (length >= 3 && run <= 2 && text.kinds[from + at] !== DIGIT)) continue
    const isOpen = (at === 0 && !isStart) || (at === runs.length - 1 && !isEnd)
    if (!isOpen || length < run) return false
  }
  return true
}
