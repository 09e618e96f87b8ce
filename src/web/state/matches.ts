import { folded } from '../../core/words.ts'

interface Candidate {
  id: number
  name: string
}

/** Candidates whose name contains the query; first those in which the name or a word begins with it. */
export function matches<T extends Candidate>(query: string, candidates: Iterable<T>, max: number): T[] {
  const sought = folded(query)
  const rankOf = (name: string): number => {
    const plain = folded(name)
    const at = plain.indexOf(sought)
    return at <= 0 ? at : plain[at - 1] === ' ' ? 1 : 2
  }
  return [...candidates]
    .map((candidate) => ({ candidate, rank: rankOf(candidate.name) }))
    .filter(({ rank }) => rank >= 0)
    .toSorted(
      (a, b) => a.rank - b.rank || a.candidate.name.localeCompare(b.candidate.name) || a.candidate.id - b.candidate.id,
    )
    .slice(0, max)
    .map(({ candidate }) => candidate)
}
