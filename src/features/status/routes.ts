import { Elysia } from 'elysia'
import { BODY_CODES, found, Problem, TOKEN_CODES } from '../../core/errors.ts'
import { answers } from '../../core/schema.ts'
import type { WindowPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { signedIn } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'
import { callersOf, chooseCallers } from './callers.ts'
import { choiceJson, choose } from './choose.ts'
import { CALLERS_MAX, DndCallers, DndCallersDraft, OwnStatus, StatusDraft } from './model.ts'
import { type Choice, ownStatus } from './shown.ts'

const tags = ['Accounts']
/** Each change goes to everyone who sees the account. */
const CHANGES: WindowPolicy = { name: 'status', max: 5, windowS: 60 }
const CALLER_CHANGES: WindowPolicy = { name: 'dnd callers', max: 30, windowS: 60 }

const CHOOSING = `Replaces the whole status. Others see \`online\`, \`idle\`, \`dnd\` or \`offline\`, with the text and
the emoji, wherever they see presence. An invisible account is \`offline\` to them: it announces no typing, and
@here does not notify it. In a call it is seen like everyone else. With \`dnd\` no notice is sent to its devices, and
calls ring only from the friends on the list of PUT /api/auth/status/callers.`

/** The account's own status, and whose calls ring while it does not want to be disturbed. */
export const statusRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia({ prefix: '/api/auth/status' })
    .use(signedIn(parts, sessions))
    .get(
      '',
      async ({ me }) => {
        const [row] = await parts.sql<{ choice: Choice | null }[]>`
          select ${choiceJson(parts.sql, 'u')} as choice from users u where id = ${me.id} and deleted_at is null`
        return ownStatus(found(row, 'token_revoked').choice ?? undefined)
      },
      {
        detail: { summary: 'Get the status that the account chose', tags },
        response: answers({ 200: OwnStatus }, ...TOKEN_CODES),
      },
    )
    .put(
      '',
      async ({ me, body, caller }) => {
        if (body.until !== null && Date.parse(body.until) <= Date.now())
          throw invalid('body.until', 'Must be in the future')
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        await parts.write((sql, _emit, notify) => choose(sql, notify, me.id, body))
        return body
      },
      {
        body: StatusDraft,
        detail: { summary: 'Choose a status; 5 times a minute', description: CHOOSING, tags },
        response: answers({ 200: OwnStatus }, ...BODY_CODES, ...TOKEN_CODES),
      },
    )
    .get('/callers', async ({ me }) => callersOf(parts.sql, me.id), {
      detail: { summary: 'List the friends whose calls ring although the account is not to be disturbed', tags },
      response: answers({ 200: DndCallers }, ...TOKEN_CODES),
    })
    .put(
      '/callers',
      async ({ me, body, caller }) => {
        await parts.limits.take(caller, CALLER_CHANGES, `user:${me.id}`)
        const ids = [...new Set(body.user_ids)]
        return parts.write(async (sql) => {
          if (!(await chooseCallers(sql, me.id, ids))) throw invalid('body.user_ids', 'Must be friends')
          return callersOf(sql, me.id)
        })
      },
      {
        body: DndCallersDraft,
        detail: {
          summary: `Choose up to ${CALLERS_MAX} friends whose calls ring although the account is not to be disturbed`,
          description: 'A friend who is removed leaves the list.',
          tags,
        },
        response: answers({ 200: DndCallers }, ...BODY_CODES, ...TOKEN_CODES),
      },
    )

const invalid = (path: string, message: string) =>
  new Problem('validation_failed', undefined, { errors: [{ path, message }] })
