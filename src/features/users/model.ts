import { z } from 'zod'
import { codePoints } from '../../core/schema.ts'

export const SEARCH_RESULTS_MAX = 20

/** What is searched for: a whole username, or part of a display name. Source: contract.md §6. */
export const SearchQuery = z.object({
  q: z
    .string()
    .refine((q) => q.isWellFormed() && !q.includes('\0'), 'Must not contain NUL or lone surrogates')
    .overwrite((q) => q.normalize('NFC').trim())
    .refine((q) => codePoints(q) >= 2 && codePoints(q) <= 64, 'Must be 2 to 64 characters long')
    .meta({
      example: 'otter',
      minLength: 2,
      maxLength: 64,
      description: 'a whole username, or part of a display name',
    }),
})
