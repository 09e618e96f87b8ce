import { parse } from '../../core/markup/markdown.ts'
import { drawnText } from '../../core/markup/pieces.ts'
import { linesOf } from '../../core/markup/references.ts'
import { LATIN_LOOK_ALIKES } from '../../core/look-alikes.ts'

// Text as it is read: compatibility forms, case, invisible characters and marks make no difference. Words of rules and
// texts of members are folded alike, so two spellings that look the same compare as equal strings.

/** Characters that nobody sees: default ignorables, the Arabic elongation, the blank braille cell, controls. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u0640\u2800\ufff9-\ufffb]|(?!\s)\p{Cc}/gu
/** Single characters that NFKC would expand to whole phrases: 4,000 of them would be 72,000 characters. */
const PHRASES = /[\ufdfa\ufdfb]/g
const MARKED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}])\p{M}+/gu
const LONG_SPACE = /\s+/g
const ASCII = /^[\0-\x7f]*$/

/** Letters in boxes and circles, which NFKC keeps, and small capitals, by the letter that is read. */
const DRAWN_LETTERS = new Map<string, string>()
for (const first of [0x1f150, 0x1f170])
  for (let at = 0; at < 26; at++)
    DRAWN_LETTERS.set(String.fromCodePoint(first + at), String.fromCharCode('a'.charCodeAt(0) + at))
for (const pair of 'ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ɡg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz'.split(' '))
  DRAWN_LETTERS.set(pair.slice(0, 1), pair.slice(1))
const DRAWN = new RegExp(`[${[...DRAWN_LETTERS.keys()].join('')}]`, 'gu')

/** The text as it is read, in lower case, with single spaces. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.replace(LONG_SPACE, ' ').replace(UNSEEN, '').toLowerCase()
  const seen = text
    .replace(PHRASES, ' ')
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .replace(DRAWN, (letter) => DRAWN_LETTERS.get(letter) ?? letter)
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
  return seen.normalize('NFD').replace(MARKED, '$1').normalize('NFC').replace(LONG_SPACE, ' ')
}

/** Scripts whose letters look like each other's, as bits; other letters, marks and digits; and all between words. */
const [LATIN, CYRILLIC, GREEK, ARMENIAN, IN_WORD, NONE] = [1, 2, 4, 8, 16, 32]
const KINDS: [RegExp, number][] = [
  [/\p{Script=Latin}/u, LATIN],
  [/\p{Script=Cyrillic}/u, CYRILLIC],
  [/\p{Script=Greek}/u, GREEK],
  [/\p{Script=Armenian}/u, ARMENIAN],
  // A half of a pair may be one of a letter. These scripts have no letters beyond, once a text is folded.
  [/[\p{L}\p{M}\p{N}\p{Cs}]/u, IN_WORD],
]
/** By UTF-16 unit; 0 until it is needed. */
const KIND_OF = new Uint8Array(0x10000)

function kindOf(unit: number): number {
  const kind = KIND_OF[unit] ?? 0
  if (kind > 0) return kind
  const sign = String.fromCharCode(unit)
  return (KIND_OF[unit] = KINDS.find(([pattern]) => pattern.test(sign))?.[1] ?? NONE)
}

/** Letters by other letters, both as UTF-16 units; 0 for none. */
function tableOf(pairs: Iterable<readonly [string, string]>): Uint16Array {
  const table = new Uint16Array(0x10000)
  for (const [from, to] of pairs) if (from.length === 1) table[from.charCodeAt(0)] = to.charCodeAt(0)
  return table
}
const pairsOf = (text: string) => text.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)] as const)
const LATIN_OF = tableOf(LATIN_LOOK_ALIKES)
/** Cyrillic and Greek letters by the Latin ones that are written for them. */
const CYRILLIC_OF = tableOf(pairsOf('aа bв cс eе hн iі jј kк mм nп oо pр rг sѕ tт uи wш xх yу zз'))
const GREEK_OF = tableOf(pairsOf('aα eε iι kκ nη oο pρ sσ tτ uυ vν wω xχ yγ'))

interface MixedWord {
  from: number
  to: number
  scripts: number
}

/** The words of a text that mix scripts. */
function mixedWordsIn(text: string): MixedWord[] {
  const words: MixedWord[] = []
  let [from, scripts] = [0, 0]
  for (let at = 0; at <= text.length; at++) {
    const kind = at < text.length ? kindOf(text.charCodeAt(at)) : NONE
    if (kind === NONE) {
      if ((scripts & (scripts - 1)) !== 0) words.push({ from, to: at, scripts })
      from = at + 1
      scripts = 0
    } else scripts |= kind & ~IN_WORD
  }
  return words
}

/** A word that mixes scripts, read in one of them. */
function readIn(script: number, letterOf: Uint16Array | undefined, text: string, { from, to }: MixedWord): string {
  const units: number[] = []
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at)
    const latin = kindOf(unit) === script ? unit : LATIN_OF[unit] || unit
    units.push(letterOf?.[latin] || latin)
  }
  return String.fromCharCode(...units)
}

/**
 * Readings of a folded text. Words that mix scripts are read in each of them, because a look-alike may stand for a
 * letter of either; words of a single script are left as they are. The words of rules are read alike.
 */
export function readingsOf(folded: string): string[] {
  if (ASCII.test(folded)) return [folded]
  const words = mixedWordsIn(folded)
  if (words.length === 0) return [folded]
  const inScript = (script: number, letterOf?: Uint16Array) => {
    let [reading, end] = ['', 0]
    for (const word of words) {
      reading += folded.slice(end, word.from) + readIn(script, letterOf, folded, word)
      end = word.to
    }
    return reading + folded.slice(end)
  }
  const scripts = words.reduce((sum, word) => sum | word.scripts, 0)
  const readings = new Set([inScript(LATIN)])
  if (scripts & CYRILLIC) readings.add(inScript(CYRILLIC, CYRILLIC_OF))
  if (scripts & GREEK) readings.add(inScript(GREEK, GREEK_OF))
  return [...readings]
}

/** Text that is drawn from right to left whatever its letters: up to the end of the override, or of the line. */
const REVERSED = /\u202e([^\u202c\u2069\n]*)/g

/** A text as it is written, and also as it is drawn if an override turns part of it round. */
const ordersOf = (text: string): string[] =>
  text.includes('\u202e') ? [text, text.replace(REVERSED, (_, run: string) => [...run].reverse().join(''))] : [text]

/** Marks of Markdown, which are not drawn. */
const MARKED_UP = /[*_~|`\\]|\]\(/

/** Every folded reading of a text: as it is written, and as it is drawn if Markdown hides part of it. */
export function foldedReadings(text: string): string[] {
  const foldAll = (each: string) => ordersOf(each).flatMap((one) => readingsOf(fold(one)))
  const written = foldAll(text)
  if (!MARKED_UP.test(text)) return written
  const drawn = [...linesOf(parse(text))].map(drawnText).join('\n')
  return [...new Set([...written, ...foldAll(drawn)])]
}
