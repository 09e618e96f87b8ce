import { z } from 'zod'
import { text } from '../../core/schema.ts'

export const SEARCH_RESULTS_MAX = 20

/** What is searched for: a whole username, or part of a display name. Source: contract.md §6. */
export const SearchQuery = z.object({
  q: text(2, 64, (q) => q.trim()).meta({ example: 'otter' }),
})
