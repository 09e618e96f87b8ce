import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { isReserved } from '../../core/look-alikes.ts'
import { Id, Time } from '../../core/schema.ts'

/** Custom emoji per server, not counting deleted ones. */
export const EMOJI_PER_SERVER_MAX = 250
/** Size of an uploaded picture. */
export const EMOJI_BYTES_MAX = 256 * 1024
const MESSAGES_AT_ONCE_MAX = 100

const Name = z
  .string()
  .max(32, { abort: true })
  .regex(/^[a-z0-9_]{2,32}$/, { abort: true, message: 'Must be 2 to 32 of a-z, 0-9 and _' })
  .meta({ example: 'kingfisher' })

export const CustomEmoji = z
  .object({
    id: Id,
    server_id: Id,
    name: Name,
    url: z
      .string()
      .describe(
        'the path of its picture, a WebP of at most 128 pixels, animated where the upload was; never changes. With ' +
          '`?still`, the first picture of an animated one',
      )
      .meta({ example: '/media/emoji/0f1e2d3c4b5a69788796a5b4c3d2e1f0' }),
    creator_id: Id,
    created_at: Time,
  })
  .meta({ title: 'CustomEmoji' })
export type CustomEmoji = z.infer<typeof CustomEmoji>

const OwnName = Name.refine((name) => !isReserved(name), 'Must not be "system", "everyone" or "here"')

export const EmojiDraft = z.strictObject({
  name: OwnName,
  file_id: Id.describe(
    `an unattached upload of the caller's: PNG, WebP or GIF of at most ${EMOJI_BYTES_MAX / 1024} KiB, or AVIF ` +
      'where the operating system reads it, as Linux does not; it goes',
  ),
})
export const EmojiPatch = z.strictObject({ name: OwnName })

export const UsedEmojiQuery = z.strictObject({ message_ids: z.array(Id).min(1).max(MESSAGES_AT_ONCE_MAX) })
export const UsedEmoji = z
  .object({ message_id: Id, id: Id, name: Name, url: z.string().meta({ example: '/media/emoji/0f1e2d3c4b5a6978' }) })
  .meta({ title: 'UsedEmoji' })
export type UsedEmoji = z.infer<typeof UsedEmoji>

const members = 'members of the server'
const key = (d: { id: number }) => `emoji:${d.id}`

export const emojiEvents = {
  'emoji.created': durable(CustomEmoji, key, members),
  'emoji.updated': durable(CustomEmoji, key, members),
  'emoji.deleted': durable(z.object({ id: Id, server_id: Id }), key, members),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof emojiEvents> {}
}
