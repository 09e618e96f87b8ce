import { z } from 'zod'
import { text } from '../../core/schema.ts'

export const SEARCH_RESULTS_MAX = 20

/** A whole username, or part of a display name. */
export const SearchQuery = z.object({
  q: text(2, 64, (q) => q.trim()).meta({
    example: 'otter',
    description: 'a whole username, or part of a display name',
  }),
})
