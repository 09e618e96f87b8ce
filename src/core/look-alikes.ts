/**
 * Pairs of a letter and the Latin letter it resembles. Capitals are listed only where the small letter looks
 * different.
 */
const PAIRS =
  'аa αa ɑa вb ьb ƅb сc ϲc ᴄc ԁd еe εe єe ᴇe ɡg нh һh հh ʜh Ηh іi ιi ıi ' +
  'јj кk κk ӏl ⅼl мm ᴍm пn ηn ոn ɴn Νn оo οo օo ᴏo øo рp ρp ԛq гr ʀr ѕs ' +
  'ꜱs тt τt ᴛt υu սu ᴜu ѵv νv ᴠv ԝw ωw хx χx уy үy γy ʏy Υy ᴢz'
/** The Latin letter that a letter of another script looks like. */
export const LATIN_LOOK_ALIKES = new Map(PAIRS.split(' ').map((pair) => [pair.slice(0, -1), pair.slice(-1)]))
const SIGNS = '0o 1l 3e 5s 7t |l $s @a'
const LETTER_OF = new Map(SIGNS.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)]))

const replaceSigns = (text: string, by: Map<string, string>): string =>
  Array.from(text, (sign) => by.get(sign) ?? by.get(sign.toLowerCase()) ?? sign).join('')

/** Replaces look-alikes by Latin letters, in lower case and without accents. */
export const latinOf = (text: string): string =>
  replaceSigns(text.normalize('NFKD').replace(/\p{M}/gu, ''), LATIN_LOOK_ALIKES).toLowerCase()

/** Names that mention many people at once. */
const CALLS = ['everyone', 'here']
/** Names that would pass for the server or for a deleted account. */
const OWN = ['system', 'deleteduser']

function looksLike(name: string, words: string[]): boolean {
  const latin = latinOf(name).replaceAll('rn', 'm')
  const letters = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')
  return [letters(latin), letters(replaceSigns(latin.replace(/^@/, ''), LETTER_OF))].some((one) => words.includes(one))
}

/** True if a name looks like everyone or here. */
export const isCall = (name: string): boolean => looksLike(name, CALLS)

/** True if a name looks like everyone or here, or would pass for the server itself. */
export const isReserved = (name: string): boolean => looksLike(name, [...CALLS, ...OWN])
