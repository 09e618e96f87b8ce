import { z } from 'zod'
import { BODY_CODES, Problem, ROOM_CODES } from '../../core/errors.ts'
import { answers, DecimalId } from '../../core/schema.ts'
import type { Parts } from '../../parts.ts'
import { audit } from '../audit/record.ts'
import { Message } from '../messages/model.ts'
import { publicPictures } from '../files/public-pictures.ts'
import { changeMessage, messagePlace } from '../messages/place.ts'
import { guarded } from '../servers/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { EmbedSuppression } from './model.ts'
import { keyOf, PICTURE_NAME, PICTURES_PATH } from './pictures.ts'

const tags = ['Messages']

/** What people do with the embeds of a message. */
export const embedRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions).put(
    '/api/messages/:message_id/embeds/suppressed',
    async ({ params: { message_id }, me, body: { suppressed } }) =>
      parts.write(async (sql, emit) => {
        const { author_id } = await messagePlace(sql, message_id, me.id)
        const bit = author_id === me.id ? undefined : 'manage_messages'
        const { place, message } = await changeMessage(sql, emit, message_id, me.id, bit, async ({ kind }) => {
          if (kind !== 'default') throw new Problem('forbidden', 'This message has no embeds')
          await sql`update messages set embeds_suppressed = ${suppressed} where id = ${message_id}`
        })
        if (author_id !== me.id && place.server_id !== null) {
          const entry = { server_id: place.server_id, actor_id: me.id, action: 'message.embeds_suppressed' as const }
          const { channel_id } = place
          await audit(sql, entry, ['message', message_id], null, { author_id, channel_id, suppressed })
        }
        return message
      }),
    {
      params: z.object({ message_id: DecimalId }),
      body: EmbedSuppression,
      detail: { summary: 'Hide or show the embeds of a message (author, or manage_messages)', tags },
      response: answers({ 200: Message }, 'forbidden', ...ROOM_CODES, ...BODY_CODES),
    },
  )

/** The pictures of previews. */
export const previewPictures = (parts: Parts) => publicPictures(parts, PICTURES_PATH, PICTURE_NAME, keyOf)
