import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { Id, text, Time } from '../../core/schema.ts'
import { withoutHidden } from '../../core/visible.ts'

/** Stickers per server, not counting deleted ones. */
export const STICKERS_PER_SERVER_MAX = 60
/** Size of an uploaded picture. */
export const STICKER_BYTES_MAX = 512 * 1024
/** Longest side of a sticker; larger pictures are scaled down. */
export const STICKER_EDGE_PX = 320
export const STICKER_NAME_MAX = 30
export const STICKER_ALT_MAX = 200
const STICKER_TAGS_MAX = 200

const clean = (value: string) => withoutHidden(value).replace(/\s+/g, ' ').trim()
const Name = text(2, STICKER_NAME_MAX, clean).meta({ example: 'Waving otter' })
const Alt = text(1, STICKER_ALT_MAX, clean).meta({ example: 'An otter waves with both paws' })

const Tags = text(0, STICKER_TAGS_MAX, clean)
  .describe('words by which it is found, besides its name and what it shows')
  .meta({ example: 'otter hello' })

const url = z
  .string()
  .describe(
    `the path of its picture, a WebP of at most ${STICKER_EDGE_PX} pixels, animated where the upload was; never ` +
      'changes. With `?still`, the first picture of an animated one',
  )
  .meta({ example: '/media/stickers/0f1e2d3c4b5a69788796a5b4c3d2e1f0' })

/** A sticker as a message shows it. */
export const ShownSticker = z
  .object({
    id: Id,
    name: z.string(),
    alt: z.string().describe('what it shows, for those who do not see it'),
    url,
    animated: z.boolean(),
  })
  .meta({ title: 'ShownSticker' })
export type ShownSticker = z.infer<typeof ShownSticker>

export const Sticker = z
  .object({ ...ShownSticker.shape, tags: z.string(), server_id: Id, creator_id: Id, created_at: Time })
  .meta({ title: 'Sticker' })
export type Sticker = z.infer<typeof Sticker>

export const StickerDraft = z.strictObject({
  name: Name,
  alt: Alt,
  tags: Tags.default(''),
  file_id: Id.describe(
    `an unattached upload of the caller's: PNG, APNG, WebP or GIF of at most ${STICKER_BYTES_MAX / 1024} KiB; it goes`,
  ),
})
export const StickerPatch = z
  .strictObject({ name: Name.optional(), alt: Alt.optional(), tags: Tags.optional() })
  .refine(({ name, alt, tags }) => [name, alt, tags].some((value) => value !== undefined), {
    path: ['name'],
    message: 'Change at least one field',
  })
  .meta({ example: { name: 'Waving otter' } })
export type StickerPatch = z.infer<typeof StickerPatch>

export const Assets = z
  .object({ bytes: z.int(), bytes_max: z.int() })
  .meta({ title: 'Assets', example: { bytes: 1_048_576, bytes_max: 67_108_864 } })

const members = 'members of the server'
const key = (d: { id: number }) => `sticker:${d.id}`

export const stickerEvents = {
  'sticker.created': durable(Sticker, key, members),
  'sticker.updated': durable(Sticker, key, members),
  'sticker.deleted': durable(z.object({ id: Id, server_id: Id }), key, members),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof stickerEvents> {}
}
