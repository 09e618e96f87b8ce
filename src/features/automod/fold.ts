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

/** Scripts whose letters look like each other's, as bits; 0 for all other characters. */
const [LATIN, CYRILLIC, GREEK, ARMENIAN, NONE] = [1, 2, 4, 8, 16]
const SCRIPTS = new Map([
  [LATIN, /\p{Script=Latin}/u],
  [CYRILLIC, /\p{Script=Cyrillic}/u],
  [GREEK, /\p{Script=Greek}/u],
  [ARMENIAN, /\p{Script=Armenian}/u],
])
/** By UTF-16 unit; 0 until it is asked for. These scripts have no letters beyond, once a text is folded. */
const SCRIPT_OF = new Uint8Array(0x10000)

function scriptOf(unit: number): number {
  const script = SCRIPT_OF[unit] ?? 0
  if (script > 0) return script
  const sign = String.fromCharCode(unit)
  return (SCRIPT_OF[unit] = SCRIPTS.entries().find(([, pattern]) => pattern.test(sign))?.[0] ?? NONE)
}

/** The scripts of a text, as a sum of bits. */
function scriptsOf(text: string): number {
  let scripts = 0
  for (let at = 0; at < text.length; at++) scripts |= scriptOf(text.charCodeAt(at))
  return scripts & ~NONE
}
const isMixed = (scripts: number): boolean => (scripts & (scripts - 1)) !== 0

const WORDS = /[\p{L}\p{M}\p{N}]+/gu
const pairsOf = (text: string) => new Map(text.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)]))
/** Latin letters by the Cyrillic and Greek ones that they are written for. */
const CYRILLIC_OF = pairsOf('aа bв cс eе hн iі jј kк mм nп oо pр rг sѕ tт uи wш xх yу zз')
const GREEK_OF = pairsOf('aα eε iι kκ nη oο pρ sσ tτ uυ vν wω xχ yγ')

/** A word that mixes scripts, read in one of them. */
function readIn(script: number, letterOf: Map<string, string> | undefined, word: string): string {
  let read = ''
  for (const letter of word) {
    const latin = scriptOf(letter.charCodeAt(0)) === script ? letter : (LATIN_LOOK_ALIKES.get(letter) ?? letter)
    read += letterOf?.get(latin) ?? latin
  }
  return read
}

/**
 * Readings of a folded text. Words that mix scripts are read in each of them, because a look-alike may stand for a
 * letter of either; words of a single script are left as they are. The words of rules are read alike.
 */
export function readingsOf(folded: string): string[] {
  if (ASCII.test(folded)) return [folded]
  const scripts = scriptsOf(folded)
  if (!isMixed(scripts)) return [folded]
  const inScript = (script: number, letterOf?: Map<string, string>) =>
    folded.replace(WORDS, (word) => (isMixed(scriptsOf(word)) ? readIn(script, letterOf, word) : word))
  const inLatin = inScript(LATIN)
  const inCyrillic = scripts & CYRILLIC ? inScript(CYRILLIC, CYRILLIC_OF) : inLatin
  const inGreek = scripts & GREEK ? inScript(GREEK, GREEK_OF) : inLatin
  return [...new Set([inLatin, inCyrillic, inGreek])]
}

/** Marks of Markdown, which are not drawn. */
const MARKED_UP = /[*_~|`\\]|\]\(/

/** Every folded reading of a text: as it is written, and as it is drawn if Markdown hides part of it. */
export function foldedReadings(text: string): string[] {
  const written = readingsOf(fold(text))
  if (!MARKED_UP.test(text)) return written
  const drawn = [...linesOf(parse(text))].map(drawnText).join('\n')
  return [...new Set([...written, ...readingsOf(fold(drawn))])]
}
