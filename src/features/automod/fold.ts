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

/** Scripts whose letters look like each other's. */
const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian'].map((name) => new RegExp(`\\p{Script=${name}}`, 'u'))
const WORDS = /[\p{L}\p{M}\p{N}]+/gu
const isMixed = (text: string): boolean => SCRIPTS.filter((script) => script.test(text)).length > 1

const pairsOf = (text: string) => new Map(text.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)]))
/** Latin letters by the Cyrillic and Greek ones that they are written for. */
const CYRILLIC_OF = pairsOf('aа bв cс eе hн iі jј kк mм nп oо pр rг sѕ tт uи wш xх yу zз')
const GREEK_OF = pairsOf('aα eε iι kκ nη oο pρ sσ tτ uυ vν wω xχ yγ')

/**
 * Readings of a folded text. Words that mix scripts are read in each of them, because a look-alike may stand for a
 * letter of either; words of a single script are left as they are.
 */
function readingsOf(folded: string): string[] {
  if (ASCII.test(folded) || !isMixed(folded)) return [folded]
  const inScript = (script: RegExp, letterOf: Map<string, string>) =>
    folded.replace(WORDS, (word) => {
      if (!isMixed(word)) return word
      return Array.from(word, (letter) => {
        if (script.test(letter)) return letter
        const latin = LATIN_LOOK_ALIKES.get(letter) ?? letter
        return letterOf.get(latin) ?? latin
      }).join('')
    })
  const inLatin = inScript(/\p{Script=Latin}/u, new Map())
  const inCyrillic = inScript(/\p{Script=Cyrillic}/u, CYRILLIC_OF)
  return [...new Set([folded, inLatin, inCyrillic, inScript(/\p{Script=Greek}/u, GREEK_OF)])]
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
