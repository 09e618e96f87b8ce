import { expect } from 'bun:test'
import type { Answer, Person } from './harness.ts'

/** Target of an answer's Link header. */
export const nextOf = ({ headers }: Answer): string | undefined =>
  /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]

/** Follows a list's `next` links to the end; returns its rows. */
export async function walk<T = any>(who: Person, path: string): Promise<T[]> {
  const rows: T[] = []
  for (let next: string | undefined = path; next !== undefined;) {
    const page: Answer<T[]> = await who.get(next)
    expect([next, page.status]).toEqual([next, 200])
    rows.push(...page.body)
    next = nextOf(page)
  }
  return rows
}
