import { folded, INVISIBLE, piecesOf, sequenceOf, UNSPACED } from '../../core/words.ts'

/** A part of a text, and whether it matches the search. */
export interface Marked {
  text: string
  isHit: boolean
}

const UNSPACED_RUN = new RegExp(`${UNSPACED}+`, 'u')
const RUNS = new RegExp(
  `(${UNSPACED_RUN.source}|(?:(?!${UNSPACED_RUN.source})[\\p{L}\\p{M}\\p{N}${INVISIBLE}])+|\\p{Extended_Pictographic})`,
  'u',
)

/** A text in parts, with the words that a question `q` found. */
export function markHits(text: string, q: string): Marked[] {
  const pieces = piecesOf(q).filter((piece) => !piece.isUnwanted)
  const words = pieces.flatMap((piece) => sequenceOf(piece.text).words)
  const runs = pieces.flatMap((piece) => folded(piece.text).match(new RegExp(UNSPACED_RUN, 'gu')) ?? [])
  const last = pieces.at(-1)?.isPhrase === false ? words.at(-1) : undefined
  return text.split(RUNS).flatMap((part) => {
    if (part === '') return []
    const plain = folded(part)
    if (UNSPACED_RUN.test(part) && plain.length === part.length) return within(part, plain, runs)
    const isHit = words.includes(plain) || (last !== undefined && last.length > 1 && plain.startsWith(last))
    return [{ text: part, isHit: plain !== '' && isHit }]
  })
}

/** Marks the first place of each run in a text without spaces. */
function within(part: string, plain: string, runs: string[]): Marked[] {
  const run = runs.find((each) => plain.includes(each))
  if (run === undefined) return [{ text: part, isHit: false }]
  const at = plain.indexOf(run)
  const tail = part.slice(at + run.length)
  return [
    { text: part.slice(0, at), isHit: false },
    { text: part.slice(at, at + run.length), isHit: true },
    ...(tail ? within(tail, plain.slice(at + run.length), runs) : []),
  ].filter(({ text }) => text !== '')
}
