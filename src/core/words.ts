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
  ħ: 'h',
  ŧ: 't',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
  // Keyboards for Arabic, Persian and Urdu have different code points for one letter, or for its form at the end.
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
/** The digits 0 of scripts that have digits of their own; the others follow them. */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040,
  0x17e0, 0x1810,
]
for (const zero of ZEROS) for (let n = 0; n < 10; n++) PLAIN[String.fromCharCode(zero + n)] = String(n)
const PLAIN_LETTERS = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')

/**
 * Characters that show nothing of their own: soft hyphen, joiners and non-joiners, zero-width spaces, directions.
 * People do not type them when they search. One that joins emoji stays.
 */
export const INVISIBLE =
  '\\u00ad\\u061c\\u180b-\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufeff'
const HIDDEN = new RegExp(`(?<=\\p{Extended_Pictographic})(\\u200d)(?=\\p{Extended_Pictographic})|[${INVISIBLE}]`, 'gu')
/**
 * Marks that people leave out when they search: accents, Hebrew points, Arabic vowels and tatweel, the nukta of
 * Devanagari and Gurmukhi, the selectors and skin tones of emoji. Those of other scripts, such as Thai, and other marks
 * of Devanagari make different words.
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

/** The voiced sound marks of half width are letters that NFKD makes combining marks of. */
const MARK = '[\\p{M}\\uff9e\\uff9f]'
const LONG_RUN = new RegExp(`(${MARK}{30})${MARK}+`, 'gu')
/** Normalising is quadratic in a run of combining marks, so that no text keeps more than 30 in a row. */
const withFewMarks = (text: string): string => text.replace(LONG_RUN, '$1')

/** Most names: folding a list of them at each key must not take long. */
const PLAIN_TEXT = /^[\x20-\x7e]*$/

/** A text as it is compared: without case, accents and compatibility forms. */
export function folded(text: string): string {
  if (PLAIN_TEXT.test(text)) return text.toLowerCase()
  const plain = withFewMarks(text.toLowerCase()).normalize('NFKD').replace(LEFT_OUT, '').replace(HIDDEN, '$1')
  // What was left out may have stood between marks.
  return withFewMarks(plain)
    .toLowerCase()
    .replace(PLAIN_LETTERS, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFC')
}

/** Scripts that are written without spaces between words, and Hangul, whose words grow by endings and other words. */
export const UNSPACED = `[ー々〆${['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('')}]`
const EMOJI = '\\p{RI}{2}|\\p{Extended_Pictographic}(?:\\u200d\\p{Extended_Pictographic})*'
const PIECE = new RegExp(`(?<unspaced>${UNSPACED}+)|(?<emoji>${EMOJI})|(?:(?!${UNSPACED})[\\p{L}\\p{M}\\p{N}])+`, 'gu')

const LETTER = new RegExp(`^${UNSPACED}$`, 'u')

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

/** Where a name of a file has further words: `QuarterlyReport2024` is three. */
const BORDER = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu

/** The words of a file's name, in their order, then the parts of those that are written as one. */
export function wordsOfName(filename: string): string[] {
  const words = wordsOf(filename)
  const known = new Set(words)
  return [...words, ...wordsOf(filename.replace(BORDER, ' ')).filter((part) => !known.has(part))]
}

/**
 * The words that follow each other in a message where a text stands in it. Of a run without spaces at the end the last
 * letter is no word of its own, since the message may go on.
 * @returns the words, and whether the last of them may be the beginning of a longer one even without being asked
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
