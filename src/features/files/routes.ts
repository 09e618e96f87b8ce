import { z } from 'zod'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { storageFull } from '../../core/disk-space.ts'
import { BODY_CODES, Problem, PLACE_CODES, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import { audit } from '../audit/record.ts'
import { changeMessage, messagePlace } from '../access/place.ts'
import { demand, guarded } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { demandUnattached, downloadOf, lockServersShowing, removeFile, visibleFile, visibleFiles } from './access.ts'
import { Download, Downloads, DownloadsDraft, File, FileDraft, Upload, UploadDraft, Variant } from './model.ts'
import { recordUpload, reserveUpload } from './upload.ts'

const tags = ['Files']
const FilePath = z.object({ file_id: DecimalId })

/** Stricter than the general limit, because an upload reserves space and costs a copy. */
const UPLOADS: BucketPolicy = { name: 'uploads', burst: 30, refillPerS: 1 }

/** Stricter than the general limit, because a hundred signatures block the event loop for 40 ms. */
const DOWNLOADS: BucketPolicy = { name: 'downloads', burst: 20, refillPerS: 2 }

const GUEST_FILE_BYTES_MAX = 8 * 1024 ** 2

export const fileRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .post(
      '/api/files/upload-url',
      async ({ me, caller, body, status }) => {
        const { MAX_FILE_BYTES } = parts.environment
        const bytesMax = me.is_guest ? Math.min(MAX_FILE_BYTES, GUEST_FILE_BYTES_MAX) : MAX_FILE_BYTES
        if (body.size > bytesMax) {
          const message = `Must be at most ${bytesMax} bytes`
          throw new Problem('validation_failed', message, { errors: [{ path: 'body.size', message }] })
        }
        await parts.limits.take(caller, UPLOADS, `user:${me.id}`)
        await parts.space.demand()
        if (await parts.objects.isFull(body.size)) throw storageFull()
        const { key, content_type, size, expires_at } = await reserveUpload(parts, me.id, body)
        const expiresS = Math.max(1, Math.floor((Date.parse(expires_at) - Date.now()) / 1000))
        const signedPut = await parts.objects.presignPut({ key, content_type, size, expiresS, base: caller.base })
        return status(201, {
          upload_url: signedPut.url,
          method: 'PUT' as const,
          headers: signedPut.headers,
          key,
          expires_at,
        })
      },
      {
        body: UploadDraft,
        detail: { summary: 'Get a pre-signed URL for an upload; PUT the bytes there, then POST /api/files', tags },
        response: answers(
          { 201: Upload },
          'too_many_uploads',
          'too_many_bytes',
          'storage_full',
          ...BODY_CODES,
          ...TOKEN_CODES,
        ),
      },
    )
    .post(
      '/api/files',
      async ({ me, caller, body, status }) => {
        await parts.limits.take(caller, UPLOADS, `user:${me.id}`)
        await parts.space.demand()
        return status(201, await recordUpload(parts, me.id, body))
      },
      {
        body: FileDraft,
        detail: { summary: 'Create a file from an upload; its key works once', tags },
        response: answers(
          { 201: File },
          'not_found',
          'upload_missing',
          'storage_full',
          'upload_mismatch',
          ...BODY_CODES,
          ...TOKEN_CODES,
        ),
      },
    )
    .get(
      '/api/files/:file_id',
      async ({ params, me }) => {
        const file = await visibleFile(parts.sql, params.file_id, me.id)
        if (file.message_id === null) return File.parse(file)
        // Everyone may see an avatar or icon, but a message only those who may read it.
        const [carrier] = await parts.sql`
          select 1 from messages m cross join lateral channel_access(m.channel_id, ${me.id}) ca
          where m.id = ${file.message_id} and can_view(ca.permissions) and holds(ca.permissions, 'read_history')`
        return File.parse(carrier ? file : { ...file, message_id: null, dm_message_id: null })
      },
      {
        params: FilePath,
        detail: { summary: 'Get a file', tags },
        response: answers({ 200: File }, 'not_found', ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
    .get(
      '/api/files/:file_id/download-url',
      async ({ params, me, caller, query }) => {
        const file = await visibleFile(parts.sql, params.file_id, me.id)
        return downloadOf(parts.objects, file, caller.base, query.variant)
      },
      {
        params: FilePath,
        query: z.object({
          variant: Variant.describe('`thumbnail`: a small picture of an image; 404 where there is none'),
        }),
        detail: { summary: 'Get a pre-signed download URL; `variant=thumbnail` for images', tags },
        response: answers({ 200: Download }, 'not_found', ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
    .post(
      '/api/files/download-urls',
      async ({ me, caller, body: { ids, variant } }) => {
        await parts.limits.take(caller, DOWNLOADS, `user:${me.id}`)
        const files = await visibleFiles(parts.sql, ids, me.id)
        const downloads = files
          .filter((file) => variant === 'original' || file.thumbnail_key !== null)
          .map(async (file) => [file.id, await downloadOf(parts.objects, file, caller.base, variant)] as const)
        return Object.fromEntries(await Promise.all(downloads))
      },
      {
        body: DownloadsDraft,
        detail: { summary: 'Get pre-signed download URLs of several files, or of their thumbnails', tags },
        response: answers({ 200: Downloads }, ...BODY_CODES, ...TOKEN_CODES),
      },
    )
    .get(
      '/api/messages/:message_id/files',
      async ({ params, me }) => {
        demand((await messagePlace(parts.sql, params.message_id, me.id)).permissions, 'read_history')
        const rows = await parts.sql<{ file: File }[]>`
          select file_json(f) as file from files f
          where message_id = ${params.message_id} and (f.copied_from is null or copy_stands(f)) order by ordinal`
        return rows.map((row) => row.file)
      },
      {
        params: z.object({ message_id: DecimalId }),
        detail: { summary: 'List files of a message', tags },
        response: answers({ 200: z.array(File) }, ...PLACE_CODES),
      },
    )
    .delete(
      '/api/files/:file_id',
      async ({ params: { file_id }, me, status }) =>
        parts.write(async (sql, emit) => {
          const { message_id, uploader_id, filename } = await visibleFile(sql, file_id, me.id)
          await lockServersShowing(sql, sql`f.id = ${file_id}`)
          if (message_id !== null) {
            const bit = uploader_id === me.id ? undefined : 'manage_messages'
            const { place } = await changeMessage(sql, emit, message_id, me.id, bit, () =>
              removeFile(sql, emit, file_id),
            )
            if (uploader_id !== me.id && place.server_id !== null) {
              const entry = { server_id: place.server_id, actor_id: me.id, action: 'file.deleted' as const }
              await audit(sql, entry, ['file', file_id], { uploader_id, filename }, null)
            }
            return status(204, undefined)
          }
          if (uploader_id !== me.id) throw new Problem('forbidden', 'Only the uploader can delete this file')
          await demandUnattached(sql, file_id)
          await removeFile(sql, emit, file_id)
          return status(204, undefined)
        }),
      {
        params: FilePath,
        detail: { summary: 'Delete a file (its uploader, or manage_messages where it is attached)', tags },
        response: answers({ 204: Nothing }, 'forbidden', 'already_attached', ...PLACE_CODES),
      },
    )
