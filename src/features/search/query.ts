import { piecesOf, sequenceOf } from '../../core/words.ts'
import { pairsOf } from './pairs.ts'

/** Words and phrases per query, including those that are ignored. */
export const TERMS_MAX = 20
/** Words to look up in the index; further ones filter the results. */
const LOOKED_UP_MAX = 6
/** Pairs of words to look up. Four leave one document in 10^10 that has them by chance, at ten pairs a document. */
const PAIRS_MAX = 4
/** In an alphabet, a shorter prefix would match half of all messages. */
const BEGINNING = /^(?:.{3}|[^\p{ASCII}]{2})/u

/** A query for the index. */
export interface Question {
  /** Words and marks to look up, all of which a message must have; a final * makes a prefix. */
  terms: string[]
  /** Marks of pairs of words, which every such message has once its document is of the present rules. */
  pairs: string[]
  /** Sequences that a document's terms must contain, and must not. */
  with: string[]
  without: string[]
}

/**
 * Parses the typed text. The last word is a prefix.
 * @param q of at most a few hundred characters
 * @returns undefined if it has more than TERMS_MAX pieces
 */
export function questionOf(q: string): Question | undefined {
  const pieces = piecesOf(q)
  if (pieces.length > TERMS_MAX) return undefined
  const question: Question = { terms: [], pairs: [], with: [], without: [] }
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
    question.pairs.push(...pairsOf(isPrefix ? words.slice(0, -1) : words))
  }
  return withRarest(question)
}

/** A term as a sequence in a document's terms. */
export const sequenceOfTerm = (term: string): string => (term.endsWith('*') ? ` ${term.slice(0, -1)}` : ` ${term} `)

/** Looks up only the longest words: they are the rarest. */
function withRarest({ terms, pairs, ...question }: Question): Question {
  const sorted = [...new Set(terms)].toSorted((a, b) => b.length - a.length)
  const others = sorted.slice(LOOKED_UP_MAX).map(sequenceOfTerm)
  return {
    ...question,
    terms: sorted.slice(0, LOOKED_UP_MAX),
    pairs: [...new Set(pairs)].slice(0, PAIRS_MAX),
    with: [...question.with, ...others],
  }
}
