/** UTF-16 units of a word; the rest of a longer one is not searched. */
const WORD_UNITS_MAX = 64
/** What the cut leaves of a character of two units. */
const HALF_CHARACTER = /\p{Surrogate}$/u

/** Letters that Unicode does not take apart, as people type them without their keyboard. */
const PLAIN: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
}
const PLAIN_LETTERS = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')
/**
 * Marks that people leave out when they search: accents, Hebrew points, Arabic vowels and tatweel, the selectors and
 * skin tones of emoji. Those of other scripts, such as Thai and Devanagari, make different words.
 */
const LEFT_OUT = new RegExp(
  `[${[
    '\\u0300-\\u036f',
    '\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7',
    '\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e8\\u06ea-\\u06ed',
    '\\ufe0e\\ufe0f\\u{1f3fb}-\\u{1f3ff}',
  ].join('')}]`,
  'gu',
)

/** The voiced sound marks of half width are letters that NFKD makes combining marks of. */
const MARK = '[\\p{M}\\uff9e\\uff9f]'
const LONG_RUN = new RegExp(`(${MARK}{30})${MARK}+`, 'gu')
/** Normalising is quadratic in a run of combining marks, so that no text keeps more than 30 in a row. */
const withFewMarks = (text: string): string => text.replace(LONG_RUN, '$1')

/** A text as it is compared: without case, accents and compatibility forms. */
export function folded(text: string): string {
  const plain = withFewMarks(text.toLowerCase()).normalize('NFKD').replace(LEFT_OUT, '')
  // What was left out may have stood between marks.
  return withFewMarks(plain)
    .toLowerCase()
    .replace(PLAIN_LETTERS, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFC')
}

/** Scripts that are written without spaces between words. */
const UNSPACED = `[ー々〆${['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('')}]`
const EMOJI = '\\p{RI}{2}|\\p{Extended_Pictographic}(?:\\u200d\\p{Extended_Pictographic})*'
const PIECE = new RegExp(`(?<unspaced>${UNSPACED}+)|(?<emoji>${EMOJI})|(?:(?!${UNSPACED})[\\p{L}\\p{M}\\p{N}])+`, 'gu')

/** A word of a text. */
export interface Word {
  text: string
  /** Whether another word goes on in it: of a run without spaces, each two neighbours are a word. */
  isPair: boolean
}

/** The words of a folded text in their order, where people see them. A run without spaces gives overlapping pairs. */
function* runsOf(text: string): Generator<Word> {
  for (const { 0: piece, groups } of text.matchAll(PIECE)) {
    if (groups?.['unspaced'] === undefined) {
      yield { text: piece.slice(0, WORD_UNITS_MAX).replace(HALF_CHARACTER, ''), isPair: false }
      continue
    }
    const letters = [...piece]
    for (const [at, letter] of letters.entries()) {
      const next = letters[at + 1]
      yield next === undefined ? { text: letter, isPair: false } : { text: letter + next, isPair: true }
    }
  }
}

/** What stands in a text for something else: mentions of people, roles and channels; of an emoji its name stays. */
const MENTION = /<(?:@&?|#)\d{1,16}>/g
const CUSTOM_EMOJI = /<a?:([A-Za-z0-9_]{2,32}):\d{1,16}>/g

/** The words of a message, in their order. */
export const wordsOf = (content: string): string[] =>
  [...runsOf(folded(content.replace(MENTION, ' ').replace(CUSTOM_EMOJI, ' $1 ')))].map((word) => word.text)

/**
 * The words that follow each other in a message where a text stands in it. Of a run without spaces the last letter
 * alone is no word of its own, since the message may go on.
 * @returns the words, and whether the last of them may be the beginning of a longer one even without being asked
 */
export function sequenceOf(text: string): { words: string[]; isOpen: boolean } {
  const words: string[] = []
  let before: Word | undefined
  let isOpen = false
  for (const word of runsOf(folded(text))) {
    const endsRun = !word.isPair && before?.isPair === true
    const letters = [...word.text]
    const isLetterOfRun = letters.length === 1 && new RegExp(`^${UNSPACED}$`, 'u').test(word.text)
    if (!endsRun) words.push(word.text)
    isOpen = isLetterOfRun && !endsRun
    before = word
  }
  return { words, isOpen }
}

/** One piece of what somebody typed: a word or "phrase", wanted or -unwanted. */
interface Piece {
  text: string
  isUnwanted: boolean
  isPhrase: boolean
}

/** The pieces of a question in their order; a quote that does not close holds until the end. */
export const piecesOf = (q: string): Piece[] =>
  [...q.matchAll(/(-?)"([^"]*)(?:"|$)|(-?)([^\s"]+)/gu)].map(([, minus, phrase, sign, word]) => ({
    text: phrase ?? word ?? '',
    isUnwanted: (minus ?? sign) === '-',
    isPhrase: phrase !== undefined,
  }))
