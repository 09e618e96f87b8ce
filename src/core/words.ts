/** UTF-16 units of an index term; the rest of a longer word is not searched. */
const WORD_UNITS_MAX = 64
/** Half of a surrogate pair, left over where a word was cut. */
const HALF_CHARACTER = /\p{Surrogate}$/u

/** Letters without a Unicode decomposition, by the letters that people type without that keyboard. */
const PLAIN: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
  // Arabic, Persian and Urdu keyboards use different code points for one letter, or for its final form.
  '\u0671': '\u0627', // alef with wasla: alef; with hamza and madda NFKD makes it alef
  '\u0649': '\u064a', // alef maksura, which Egypt writes for yeh: yeh
  '\u06cc': '\u064a', // Farsi yeh
  '\u06a9': '\u0643', // keheh: kaf
  '\u06aa': '\u0643', // swash kaf
  '\u0629': '\u0647', // teh marbuta: heh
  '\u06c1': '\u0647', // heh goal
  '\u06c3': '\u0647', // teh marbuta goal
  '\u06d5': '\u0647', // ae, which heh with yeh above is made of
}
/** Digit zero of each script with its own digits; 1 to 9 follow it. */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040,
  0x17e0, 0x1810,
]
for (const zero of ZEROS) for (let n = 0; n < 10; n++) PLAIN[String.fromCharCode(zero + n)] = String(n)
const PLAIN_LETTERS = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')

/**
 * Invisible characters: soft hyphen, joiners and non-joiners, zero-width spaces, directions. People do not type them
 * when they search. Joiners inside emoji stay.
 */
export const INVISIBLE =
  '\\u00ad\\u061c\\u180b-\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufeff'
const HIDDEN = new RegExp(`(?<=\\p{Extended_Pictographic})(\\u200d)(?=\\p{Extended_Pictographic})|[${INVISIBLE}]`, 'gu')
/**
 * Marks that people omit when they search: accents, Hebrew points, Arabic vowels and tatweel, the nukta of Devanagari
 * and Gurmukhi, the selectors and skin tones of emoji. Other marks, as in Thai, distinguish words.
 */
const LEFT_OUT = new RegExp(
  `[${[
    '\\u0300-\\u036f',
    '\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7',
    '\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e8\\u06ea-\\u06ed',
    '\\u093c\\u0a3c',
    '\\ufe00-\\ufe0f\\u{1f3fb}-\\u{1f3ff}',
  ].join('')}]`,
  'gu',
)

/** Combining marks, and the half-width voiced sound marks, which NFKD turns into combining marks. */
const MARK = '[\\p{M}\\uff9e\\uff9f]'
const LONG_RUN = new RegExp(`(${MARK}{30})${MARK}+`, 'gu')
/** Keeps at most 30 combining marks in a row, because normalising them takes quadratic time. */
const withFewMarks = (text: string): string => text.replace(LONG_RUN, '$1')

/** Fast path for most names: a list of names is folded at every key stroke. */
const PLAIN_TEXT = /^[\x20-\x7e]*$/

/** Folds a text for comparison: no case, accents or compatibility forms. */
export function folded(text: string): string {
  if (PLAIN_TEXT.test(text)) return text.toLowerCase()
  const plain = withFewMarks(text.toLowerCase()).normalize('NFKD').replace(LEFT_OUT, '').replace(HIDDEN, '$1')
  // Removing characters may have joined runs of marks.
  return withFewMarks(plain)
    .toLowerCase()
    .replace(PLAIN_LETTERS, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFC')
}

/** Scripts without spaces between words, and Hangul, whose words take suffixes. */
export const UNSPACED = `[ー々〆${['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('')}]`
const EMOJI = '\\p{RI}{2}|\\p{Extended_Pictographic}(?:\\u200d\\p{Extended_Pictographic})*'
const PIECE = new RegExp(`(?<unspaced>${UNSPACED}+)|(?<emoji>${EMOJI})|(?:(?!${UNSPACED})[\\p{L}\\p{M}\\p{N}])+`, 'gu')

const LETTER = new RegExp(`^${UNSPACED}$`, 'u')

/** A word of a text. */
export interface Word {
  text: string
  /** True for an overlapping pair of a run without spaces; the next term begins inside this one. */
  isPair: boolean
}

/** Splits a folded text into index terms, in order. A run without spaces yields overlapping pairs. */
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

/** Mentions of people, roles and channels, which are not indexed. Emoji keep their names. */
const MENTION = /<(?:@&?|#)\d{1,16}>/g
const CUSTOM_EMOJI = /<a?:([A-Za-z0-9_]{2,32}):\d{1,16}>/g

/** The index terms of a message, in order. */
export const wordsOf = (content: string): string[] =>
  [...runsOf(folded(content.replace(MENTION, ' ').replace(CUSTOM_EMOJI, ' $1 ')))].map((word) => word.text)

/** Boundaries inside a file name's word: `QuarterlyReport2024` has three parts. */
const BORDER = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu

/** The index terms of a file name in order, followed by the parts of compound words. */
export function wordsOfName(filename: string): string[] {
  const words = wordsOf(filename)
  const knownWords = new Set(words)
  return [...words, ...wordsOf(filename.replace(BORDER, ' ')).filter((part) => !knownWords.has(part))]
}

/**
 * Consecutive index terms to look for when searching for a phrase. In scripts without spaces the last character is not
 * a term by itself, because the message may continue.
 * @returns the terms, and whether the last one also matches as a prefix
 */
export function sequenceOf(text: string): { words: string[]; isOpen: boolean } {
  const all = [...runsOf(folded(text))]
  const [last, before] = [all.at(-1), all.at(-2)]
  if (before?.isPair && !last?.isPair) all.pop()
  return {
    words: all.map((word) => word.text),
    isOpen: last !== undefined && !before?.isPair && LETTER.test(last.text),
  }
}

/** One part of a search query: a word or "phrase", wanted or -unwanted. */
interface Piece {
  text: string
  isUnwanted: boolean
  isPhrase: boolean
}

/** The parts of a search query in order. An unclosed quote extends to the end. */
export const piecesOf = (q: string): Piece[] =>
  [...q.matchAll(/(-?)"([^"]*)(?:"|$)|(-?)([^\s"]+)/gu)].map(([, minus, phrase, sign, word]) => ({
    text: phrase ?? word ?? '',
    isUnwanted: (minus ?? sign) === '-',
    isPhrase: phrase !== undefined,
  }))
