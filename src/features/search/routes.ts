import { Elysia } from 'elysia'
import { PLACE_CODES } from '../../core/errors.ts'
import { answers } from '../../core/schema.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { signedIn } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'
import { FoundMessages, MessageSearch, RESULTS_MAX } from './model.ts'
import { Searches } from './search.ts'

/** Low, because a search costs more than a list. */
const SEARCHES: BucketPolicy = { name: 'message-search', burst: 20, refillPerS: 1 }

export const searchRoutes = (parts: Parts, sessions: Sessions) => {
  const searches = new Searches(parts.read)
  return new Elysia().use(signedIn(parts, sessions)).get(
    '/api/search',
    async ({ me, caller, query }) => {
      await parts.limits.take(caller, SEARCHES, `user:${me.id}`)
      return searches.page(me.id, query)
    },
    {
      query: MessageSearch,
      detail: {
        summary: 'Search the messages that the caller may read, newest first',
        description: `At most ${RESULTS_MAX} a page. Upper and lower case and accents are the same. A message is found
          within a second or so after it was sent; an edited or deleted one is not found any more at once.`,
        tags: ['Messages'],
      },
      response: answers({ 200: FoundMessages }, ...PLACE_CODES),
    },
  )
}
