import { hash } from 'node:crypto'

/**
 * Marks of pairs: two words that follow each other, by 12 bits of a hash. A phrase of common words is looked up by the
 * marks of its pairs, because the words are in too many documents. The bits are few, so that the pairs of a channel
 * share their keys in the index: an entry of a shared key takes two to three bytes, a key of its own more than 30.
 * Different pairs may have the same mark, so the search also compares the terms of each document.
 */
const DIGITS = 3

/** Other marks (see document.ts) separate sequences of words. No word begins with # or +. */
const isMark = (term: string): boolean => term.startsWith('#')

/** The mark of a pair. Bench's SQL makes the same. */
const markOf = (first: string, second: string): string =>
  `+${hash('md5', `${first} ${second}`, 'hex').slice(0, DIGITS)}`

/** The marks of the pairs in a sequence of terms, each once. */
export function pairsOf(terms: string[]): string[] {
  const marks = new Set<string>()
  for (const [at, second] of terms.entries()) {
    const first = terms[at - 1]
    if (first !== undefined && !isMark(first) && !isMark(second)) marks.add(markOf(first, second))
  }
  return [...marks]
}
