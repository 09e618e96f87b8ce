import { z } from 'zod'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, PLACE_CODES, Problem, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { answers, DecimalId, NoBody, Nothing } from '../../core/schema.ts'
import { json } from '../../http/answers.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { guarded } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { Scheduled, SCHEDULED_MAX, ScheduledDraft, ScheduledPatch } from './model.ts'
import { cancel, confirm, reschedule, schedule, scheduledOf } from './schedule.ts'

const tags = ['Scheduled messages']
const SchedulePath = z.object({ scheduled_id: DecimalId })

const CHANGES: BucketPolicy = { name: 'scheduled', burst: 20, refillPerS: 0.5 }

const SENDING = `At that time the message is sent as if its author sent it then, with the nonce \`scheduled:<id>\`:
permissions, slowmode and blocks apply. What cannot be sent is returned (\`state\`, \`reason\`). Leaving the server or
group, a kick and a ban delete it. The nonce of the draft is for repeating this request.`
const HOLDING = `A password reset, the end of all sessions, a suspension and the restore of a backup hold every
scheduled message. After the confirmation they wait again; those whose time has passed are returned (\`overdue\`).`

/** @throws Problem `not_for_bots` */
function demandPerson({ is_bot }: { is_bot: boolean }): void {
  if (is_bot) throw new Problem('not_for_bots')
}

/** Messages that an account sends later. */
export const scheduledRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .post(
      '/api/channels/:channel_id/scheduled',
      async ({ me, caller, params: { channel_id }, body }) => {
        demandPerson(me)
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        await parts.space.demand()
        const answer = await parts.write((sql, emit) => schedule(sql, emit, me.id, channel_id, body))
        return json(answer.body, answer.isNew ? 201 : 200)
      },
      {
        params: z.object({ channel_id: DecimalId }),
        body: ScheduledDraft,
        detail: {
          summary: `Schedule a message, at most ${SCHEDULED_MAX} per account`,
          description: SENDING,
          tags,
        },
        response: answers(
          { 200: Scheduled, 201: Scheduled },
          'too_many_scheduled',
          'nonce_conflict',
          'already_attached',
          'storage_full',
          'forbidden',
          'not_for_bots',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .get('/api/scheduled', async ({ me }) => json(await scheduledOf(parts.sql, me.id)), {
      detail: { summary: 'List the scheduled messages of the caller, the next first', tags },
      response: answers({ 200: z.array(Scheduled) }, ...TOKEN_CODES),
    })
    .put(
      '/api/scheduled/:scheduled_id',
      async ({ me, caller, params: { scheduled_id }, body }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        await parts.space.demand()
        return json(await parts.write((sql, emit) => reschedule(sql, emit, me.id, scheduled_id, body)))
      },
      {
        params: SchedulePath,
        body: ScheduledPatch,
        detail: { summary: 'Change a scheduled message; if it was held or returned, it waits again', tags },
        response: answers(
          { 200: Scheduled },
          'already_attached',
          'storage_full',
          'forbidden',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .delete(
      '/api/scheduled/:scheduled_id',
      async ({ me, caller, params: { scheduled_id }, status }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        await parts.write((sql, emit) => cancel(sql, emit, me.id, scheduled_id))
        return status(204, undefined)
      },
      {
        params: SchedulePath,
        detail: { summary: 'Cancel a scheduled message', tags },
        response: answers({ 204: Nothing }, 'not_found', ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
    .post(
      '/api/scheduled/confirm',
      async ({ me, caller, status }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        await parts.write((sql, emit) => confirm(sql, emit, me.id))
        return status(204, undefined)
      },
      {
        body: NoBody,
        detail: { summary: 'Confirm the held messages of the caller', description: HOLDING, tags },
        response: answers({ 204: Nothing }, ...BODY_CODES, ...TOKEN_CODES),
      },
    )
