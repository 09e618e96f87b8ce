import { hash } from 'node:crypto'

/**
 * Marks of pairs: two words that follow each other, by 12 bits of a hash. A phrase of common words is looked up by the
 * marks of its pairs, since the words are in too many documents. Few bits, so that the pairs of a place share their keys
 * in the index, whose lists of documents take two to three bytes an entry; keys of one document take more than 30.
 * Pairs that share a mark by chance are told apart by the documents' terms: of 4,096 documents with both words, about
 * one for each pair in a document.
 */
const DIGITS = 3

/** Other marks (see document.ts) separate sequences of words. No word begins with #, or with + as the marks of pairs. */
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
