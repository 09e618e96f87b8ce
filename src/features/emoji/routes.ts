import { z } from 'zod'
import type { Parts } from '../../parts.ts'
import { storageFull } from '../../core/disk-space.ts'
import { BODY_CODES, PLACE_CODES, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { CursorQuery } from '../../core/paging.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import type { BucketPolicy, WindowPolicy } from '../../http/limits/limiter.ts'
import { cursorList, slice } from '../../http/lists.ts'
import { guarded } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { createEmoji, DELETED_KEPT_MAX, deleteEmoji, emojiColumns, renameEmoji } from './change.ts'
import { CustomEmoji, EMOJI_BYTES_MAX, EmojiDraft, EmojiPatch, UsedEmoji, UsedEmojiQuery } from './model.ts'

const tags = ['Emoji']
const ServerPath = z.object({ server_id: DecimalId })
const EmojiPath = z.object({ emoji_id: DecimalId })

/** Low, because each checks access to as many channels as it names messages. */
const LOOKS: BucketPolicy = { name: 'emoji-used', burst: 30, refillPerS: 3 }

const USED = `Show \`<:name:id>\` as plain text if the id is not in the list: the author may not use that emoji there.
The last ${DELETED_KEPT_MAX} deleted emoji of a server are kept; earlier ones become plain text too.`

/** Low, because each change sends an event to every member, and pictures of deleted emoji are kept. */
const CHANGES: WindowPolicy = { name: 'emoji', max: 100, windowS: 3600 }

export const emojiRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .get(
      '/api/servers/:server_id/emoji',
      async ({ params: { server_id }, query, request }) =>
        cursorList<CustomEmoji>(
          request,
          query,
          'oldest',
          (row) => row.id,
          (scan) => parts.sql`select ${emojiColumns(parts.sql)} from emojis e
            where e.server_id = ${server_id} and e.deleted_at is null and ${slice(parts.sql, 'e.id', scan)}`,
        ),
      {
        params: ServerPath,
        query: CursorQuery,
        member: 'none',
        detail: { summary: 'List the custom emoji of a server', tags },
        response: answers({ 200: z.array(CustomEmoji) }, ...PLACE_CODES),
      },
    )
    .post(
      '/api/servers/:server_id/emoji',
      async ({ params: { server_id }, me, caller, body, status }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        await parts.space.demand()
        if (await parts.objects.isFull(EMOJI_BYTES_MAX)) throw storageFull()
        return status(201, await createEmoji(parts, server_id, me.id, body))
      },
      {
        params: ServerPath,
        body: EmojiDraft,
        member: 'manage_emoji',
        detail: { summary: 'Create a custom emoji from an uploaded picture', tags },
        response: answers(
          { 201: CustomEmoji },
          'emoji_name_taken',
          'too_many_emoji',
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
      '/api/emoji/:emoji_id',
      async ({ params: { emoji_id }, me, caller, body: { name } }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        return parts.write((sql, emit) => renameEmoji(sql, emit, emoji_id, me.id, name))
      },
      {
        params: EmojiPath,
        body: EmojiPatch,
        detail: { summary: 'Rename a custom emoji (manage_emoji)', tags },
        response: answers({ 200: CustomEmoji }, 'emoji_name_taken', ...PLACE_CODES, ...BODY_CODES),
      },
    )
    .delete(
      '/api/emoji/:emoji_id',
      async ({ params: { emoji_id }, me, status }) => {
        await parts.write((sql, emit) => deleteEmoji(sql, emit, emoji_id, me.id))
        return status(204, undefined)
      },
      {
        params: EmojiPath,
        detail: { summary: 'Delete a custom emoji (manage_emoji); messages that contain it still show it', tags },
        response: answers({ 204: Nothing }, ...PLACE_CODES),
      },
    )
    .post(
      '/api/emoji/used',
      async ({ body: { message_ids }, me, caller }) => {
        await parts.limits.take(caller, LOOKS, `user:${me.id}`)
        return parts.sql<UsedEmoji[]>`
        select m.id as message_id, e.id, e.name, '/media/emoji/' || e.key as url
        from messages m cross join lateral channel_access(m.channel_id, ${me.id}) ca
        cross join lateral shown_emojis(m) shown (id) join emojis e on e.id = shown.id
        where m.id = any(${message_ids}) and can_view(ca.permissions) and holds(ca.permissions, 'read_history')
        order by m.id, e.id`
      },
      {
        body: UsedEmojiQuery,
        detail: {
          summary: 'List the custom emoji in messages, their forwards and reactions, including deleted emoji',
          description: USED,
          tags,
        },
        response: answers({ 200: z.array(UsedEmoji) }, ...SHAPE_CODES, ...BODY_CODES, ...TOKEN_CODES),
      },
    )
