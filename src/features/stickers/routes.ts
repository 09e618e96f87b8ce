import { z } from 'zod'
import type { Parts } from '../../parts.ts'
import { storageFull } from '../../core/disk-space.ts'
import { BODY_CODES, PLACE_CODES } from '../../core/errors.ts'
import { CursorQuery } from '../../core/paging.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import type { WindowPolicy } from '../../http/limits/limiter.ts'
import { cursorList, slice } from '../../http/lists.ts'
import { assetBytes } from '../access/assets.ts'
import { guarded } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import {
  changeSticker,
  createSticker,
  DELETED_KEPT_MAX,
  deleteSticker,
  stickerColumns,
  visibleSticker,
} from './change.ts'
import { Assets, Sticker, STICKER_BYTES_MAX, StickerDraft, StickerPatch, STICKERS_PER_SERVER_MAX } from './model.ts'

const tags = ['Stickers']
const ServerPath = z.object({ server_id: DecimalId })
const StickerPath = z.object({ sticker_id: DecimalId })

const KEPT = `Messages that contain it still show it. The last ${DELETED_KEPT_MAX} deleted stickers of a server are
kept, as long as its other pictures leave space; \`sticker\` is null in messages with earlier ones.`

/** Low, because each change sends an event to every member, and pictures of deleted stickers are kept. */
const CHANGES: WindowPolicy = { name: 'stickers', max: 100, windowS: 3600 }

export const stickerRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .get(
      '/api/servers/:server_id/stickers',
      async ({ params: { server_id }, query, request }) =>
        cursorList<Sticker>(
          request,
          query,
          'oldest',
          (row) => row.id,
          (scan) => parts.sql`select ${stickerColumns(parts.sql)} from stickers s
            where s.server_id = ${server_id} and s.deleted_at is null and ${slice(parts.sql, 's.id', scan)}`,
        ),
      {
        params: ServerPath,
        query: CursorQuery,
        member: 'none',
        detail: { summary: 'List the stickers of a server', tags },
        response: answers({ 200: z.array(Sticker) }, ...PLACE_CODES),
      },
    )
    .get(
      '/api/servers/:server_id/assets',
      async ({ params: { server_id } }) => ({
        bytes: await assetBytes(parts.sql, server_id),
        bytes_max: parts.environment.SERVER_ASSETS_BYTES_MAX,
      }),
      {
        params: ServerPath,
        member: 'manage_emoji',
        detail: { summary: 'Get the bytes that the pictures and sounds of a server take, and the limit', tags },
        response: answers({ 200: Assets }, ...PLACE_CODES),
      },
    )
    .post(
      '/api/servers/:server_id/stickers',
      async ({ params: { server_id }, me, caller, body, status }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        await parts.space.demand()
        if (await parts.objects.isFull(STICKER_BYTES_MAX)) throw storageFull()
        const settle = await judgeTexts(parts, me.id, server_id, [body.name, body.alt])
        const sticker = await createSticker(parts, server_id, me.id, body)
        await settle?.()
        return status(201, sticker)
      },
      {
        params: ServerPath,
        body: StickerDraft,
        member: 'manage_emoji',
        detail: {
          summary: `Create a sticker from an uploaded picture; a server has at most ${STICKERS_PER_SERVER_MAX}`,
          tags,
        },
        response: answers(
          { 201: Sticker },
          'automod_blocked',
          'too_many_stickers',
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
      '/api/stickers/:sticker_id',
      async ({ params: { sticker_id }, me, caller, body }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        await parts.space.demand()
        const { server_id } = await visibleSticker(parts.sql, sticker_id, me.id)
        const settle = await judgeTexts(parts, me.id, server_id, [body.name ?? '', body.alt ?? ''])
        const sticker = await parts.write((sql, emit) => changeSticker(sql, emit, sticker_id, me.id, body))
        await settle?.()
        return sticker
      },
      {
        params: StickerPath,
        body: StickerPatch,
        detail: { summary: 'Change the name or description of a sticker', tags },
        response: answers({ 200: Sticker }, 'automod_blocked', 'storage_full', ...PLACE_CODES, ...BODY_CODES),
      },
    )
    .delete(
      '/api/stickers/:sticker_id',
      async ({ params: { sticker_id }, me, caller, status }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        await parts.write((sql, emit) => deleteSticker(sql, emit, sticker_id, me.id))
        return status(204, undefined)
      },
      {
        params: StickerPath,
        detail: { summary: 'Delete a sticker', description: KEPT, tags },
        response: answers({ 204: Nothing }, ...PLACE_CODES),
      },
    )

/** Judges the texts of a sticker by the rules of its server. @throws Problem `automod_blocked` */
async function judgeTexts({ judge }: Pick<Parts, 'judge'>, author_id: number, server_id: number, texts: string[]) {
  if (judge.isIdle()) return undefined
  return judge.demand({ author_id, place: { server_id }, texts, bit: 'manage_emoji' })
}
