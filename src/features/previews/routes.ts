import { Elysia } from 'elysia'
import { z } from 'zod'
import { BODY_CODES, found, Problem, ROOM_CODES } from '../../core/errors.ts'
import { answers, DecimalId } from '../../core/schema.ts'
import { callerOf } from '../../http/caller.ts'
import type { Parts } from '../../parts.ts'
import { audit } from '../audit/record.ts'
import { Message } from '../messages/model.ts'
import { changeMessage, messagePlace } from '../messages/place.ts'
import { guarded } from '../servers/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { EmbedSuppression } from './model.ts'
import { keyOf, PICTURE_NAME, PICTURES_PATH } from './pictures.ts'

const tags = ['Messages']
const YEAR_SECONDS = 31_536_000

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

/** The pictures of previews, at stable addresses that nobody guesses. */
export const pictureRoutes = ({ objects }: Parts) =>
  new Elysia()
    .onTransform(({ request, route }) => void (callerOf(request).route = route))
    .get(
      `${PICTURES_PATH}/:name`,
      async ({ params: { name } }) => {
        if (!PICTURE_NAME.test(name)) throw new Problem('not_found')
        const picture = found(await objects.get(keyOf(name)))
        return new Response(picture, {
          headers: {
            'content-type': 'image/webp',
            'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
            'content-security-policy': "default-src 'none'; sandbox",
            'cross-origin-resource-policy': 'cross-origin',
          },
        })
      },
      { detail: { hide: true } },
    )
