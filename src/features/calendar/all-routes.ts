import { Elysia } from 'elysia'
import type { Parts } from '../../parts.ts'
import type { Sessions } from '../sessions/store.ts'
import { calendarFeeds, feedRoutes } from './feed-routes.ts'
import { calendarRoutes } from './routes.ts'
import { signupRoutes } from './signup-routes.ts'

/** Events of servers, sign-ups, and calendars for programs. */
export const eventRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia()
    .use(calendarRoutes(parts, sessions))
    .use(signupRoutes(parts, sessions))
    .use(feedRoutes(parts, sessions))
    .use(calendarFeeds(parts))
