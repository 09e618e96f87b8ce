import { z } from 'zod'
import { storageFull } from '../../core/disk-space.ts'
import { BODY_CODES, PLACE_CODES } from '../../core/errors.ts'
import { CursorQuery } from '../../core/paging.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import type { WindowPolicy } from '../../http/limits/limiter.ts'
import { cursorList, slice } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import { guarded } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { changeSound, createSound, deleteSound, soundColumns } from './change.ts'
import { Sound, SOUND_BYTES_MAX, SoundDraft, SoundPatch } from './model.ts'

const tags = ['Sounds']
const ServerPath = z.object({ server_id: DecimalId })
const SoundPath = z.object({ sound_id: DecimalId.describe('the sound') })

/** Low, because each reads a file and writes an object. */
const CHANGES: WindowPolicy = { name: 'sounds', max: 60, windowS: 3600 }

/** The sounds of a server. `voice.sound` plays one in a call. */
export const soundRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .get(
      '/api/servers/:server_id/sounds',
      async ({ params: { server_id }, query, request }) =>
        cursorList<Sound>(
          request,
          query,
          'oldest',
          (row) => row.id,
          (scan) => parts.sql`select ${soundColumns(parts.sql)} from sounds s
            where s.server_id = ${server_id} and ${slice(parts.sql, 's.id', scan)}`,
        ),
      {
        params: ServerPath,
        query: CursorQuery,
        member: 'none',
        detail: { summary: 'List the sounds of a server', tags },
        response: answers({ 200: z.array(Sound) }, ...PLACE_CODES),
      },
    )
    .post(
      '/api/servers/:server_id/sounds',
      async ({ params: { server_id }, me, caller, body, status }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        await parts.space.demand()
        if (await parts.objects.isFull(SOUND_BYTES_MAX)) throw storageFull()
        return status(201, await createSound(parts, server_id, me.id, body))
      },
      {
        params: ServerPath,
        body: SoundDraft,
        member: 'manage_emoji',
        detail: { summary: 'Create a sound from an uploaded file', tags },
        response: answers(
          { 201: Sound },
          'too_many_sounds',
          'too_many_bytes',
          'already_attached',
          'upload_missing',
          'storage_full',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .put(
      '/api/sounds/:sound_id',
      async ({ params: { sound_id }, me, caller, body }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        return parts.write((sql) => changeSound(sql, sound_id, me.id, body))
      },
      {
        params: SoundPath,
        body: SoundPatch,
        detail: { summary: 'Rename a sound, or change its emoji (manage_emoji)', tags },
        response: answers({ 200: Sound }, ...PLACE_CODES, ...BODY_CODES),
      },
    )
    .delete(
      '/api/sounds/:sound_id',
      async ({ params: { sound_id }, me, status }) => {
        await parts.write((sql) => deleteSound(sql, sound_id, me.id))
        return status(204, undefined)
      },
      {
        params: SoundPath,
        detail: { summary: 'Delete a sound (manage_emoji)', tags },
        response: answers({ 204: Nothing }, ...PLACE_CODES),
      },
    )
