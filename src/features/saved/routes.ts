import { z } from 'zod'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, PLACE_CODES, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { OffsetQuery } from '../../core/paging.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import { json } from '../../http/answers.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { offsetList } from '../../http/lists.ts'
import { guarded } from '../access/guard.ts'
import { bodiesWithMine } from '../reactions/mine.ts'
import type { Sessions } from '../sessions/store.ts'
import { SAVED_MAX, SavedMark, SavedMessage, SavedPatch } from './model.ts'
import { save, savedPage, unsave } from './saved.ts'

const tags = ['Saved messages']
const MessagePath = z.object({ message_id: DecimalId })

/** Low, because each change is an event. */
const CHANGES: BucketPolicy = { name: 'saved', burst: 30, refillPerS: 1 }
/** Low, because a page checks access to every channel with saved messages. */
const READINGS: BucketPolicy = { name: 'saved list', burst: 20, refillPerS: 1 }

const LIST = `Due reminders first, then the latest saved first. Messages that the caller may not read now are not
listed. Deleting a message, or leaving its server or group, removes it from the list for good.`
const SAVING = `Absent fields stay as they are; an empty body saves the message. A reminder sends \`saved.updated\` with
\`due: true\` when its time comes, and stays due until its time is changed or removed, or the message is no longer
saved.`

/** Messages that an account has saved for itself. */
export const savedRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .get(
      '/api/saved',
      async ({ me, caller, query, request }) => {
        await parts.limits.take(caller, READINGS, `user:${me.id}`)
        const rows = await offsetList(request, query, (limit, offset) => savedPage(parts.sql, me.id, limit, offset))
        const bodies = await bodiesWithMine(
          parts.sql,
          me.id,
          rows.map(({ body }) => body),
        )
        return json(`[${rows.map(({ mark }, at) => `${mark.slice(0, -1)},"message":${bodies[at]}}`).join(',')}]`)
      },
      {
        query: OffsetQuery,
        detail: { summary: 'List the saved messages of the caller', description: LIST, tags },
        response: answers({ 200: z.array(SavedMessage) }, ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
    .put(
      '/api/saved/:message_id',
      async ({ me, caller, params: { message_id }, body }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        await parts.space.demand()
        return parts.write((sql, emit) => save(sql, emit, me.id, message_id, body))
      },
      {
        params: MessagePath,
        body: SavedPatch,
        detail: {
          summary: `Save a message (read_history), or change its note or reminder; at most ${SAVED_MAX} per account`,
          description: SAVING,
          tags,
        },
        response: answers({ 200: SavedMark }, 'too_many_saved', 'storage_full', ...PLACE_CODES, ...BODY_CODES),
      },
    )
    .delete(
      '/api/saved/:message_id',
      async ({ me, caller, params: { message_id }, status }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        await parts.write((sql, emit) => unsave(sql, emit, me.id, message_id))
        return status(204, undefined)
      },
      {
        params: MessagePath,
        detail: { summary: 'Remove a message from the saved ones of the caller', tags },
        response: answers({ 204: Nothing }, ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
