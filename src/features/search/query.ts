import { piecesOf, sequenceOf } from '../../core/words.ts'

/** Words and phrases of a question, those that are left out too. */
export const TERMS_MAX = 20
/** Words that are looked up in the index; the further ones are compared with what these find. */
const LOOKED_UP_MAX = 6
/** A shorter beginning of a word in an alphabet would find half of all messages. */
const BEGINNING = /^(?:.{3}|[^\p{ASCII}]{2})/u

/** A question to the index. */
export interface Question {
  /** Words and marks that the index is asked for, all of which a message has; those ending with * begin words. */
  terms: string[]
  /** Parts of a document's terms that it contains, and those that it does not. */
  with: string[]
  without: string[]
}

/**
 * What somebody typed, as a question to the index. The last word may be the beginning of one.
 * @param q of at most a few hundred characters
 * @returns undefined where it has more than TERMS_MAX pieces
 */
export function questionOf(q: string): Question | undefined {
  const pieces = piecesOf(q)
  if (pieces.length > TERMS_MAX) return undefined
  const question: Question = { terms: [], with: [], without: [] }
  for (const [at, { text, isUnwanted, isPhrase }] of pieces.entries()) {
    const { words, isOpen } = sequenceOf(text)
    const last = words.at(-1)
    if (last === undefined) continue
    const isLast = at === pieces.length - 1 && !isPhrase && !isUnwanted && BEGINNING.test(last)
    const isPrefix = isOpen || isLast
    const sequence = ` ${words.join(' ')}${isPrefix ? '' : ' '}`
    if (isUnwanted) {
      question.without.push(sequence)
      continue
    }
    if (words.length > 1) question.with.push(sequence)
    question.terms.push(...words.slice(0, -1), isPrefix ? `${last}*` : last)
  }
  return withRarest(question)
}

/** A term as a part of a document's terms. */
export const sequenceOfTerm = (term: string): string => (term.endsWith('*') ? ` ${term.slice(0, -1)}` : ` ${term} `)

/** Leaves the longest words to the index: they are the rarest. */
function withRarest({ terms, ...question }: Question): Question {
  const sorted = [...new Set(terms)].toSorted((a, b) => b.length - a.length)
  const others = sorted.slice(LOOKED_UP_MAX).map(sequenceOfTerm)
  return { ...question, terms: sorted.slice(0, LOOKED_UP_MAX), with: [...question.with, ...others] }
}
