import { z } from 'zod'
import { codePoints, text, Time } from '../../core/schema.ts'

export const EMBEDS_MAX = 10
const FIELDS_MAX = 25
/** Characters in all embeds of a message together. */
export const EMBEDS_TEXT_MAX = 6_000
const URL_UNITS_MAX = 2048

const Link = z
  .string()
  .max(URL_UNITS_MAX)
  .regex(/^https?:\/\//i, 'Must be an http or https URL')
  .meta({ example: 'https://example.org/kingfishers' })

const Picture = z
  .object({
    url: z.string().max(URL_UNITS_MAX).meta({ example: '/media/previews/8c1f0d0c2b7a4e5f9a6b3c2d1e0f4a5b.webp' }),
    width: z.int(),
    height: z.int(),
  })
  .meta({ title: 'EmbedPicture' })

/** A card under a message. */
export const Embed = z
  .object({
    type: z.enum(['link', 'image', 'video', 'rich']).describe('the first three are previews of links'),
    url: Link.nullable().describe('of a preview the link, as it stands in the text'),
    title: text(1, 256).nullable(),
    description: text(1, 4096).nullable(),
    color: z
      .string()
      .regex(/^#[0-9a-f]{6}$/)
      .nullable()
      .meta({ example: '#3a7bd5' }),
    site_name: text(1, 256).nullable(),
    author: z.object({ name: text(1, 256), url: Link.nullable() }).nullable(),
    fields: z.array(z.object({ name: text(1, 256), value: text(1, 1024), inline: z.boolean() })).max(FIELDS_MAX),
    image: Picture.nullable().describe('shown large; a path is of this server'),
    thumbnail: Picture.nullable().describe('shown small'),
    footer: text(1, 2048).nullable(),
    timestamp: Time.nullable(),
  })
  .meta({ title: 'Embed' })
export type Embed = z.infer<typeof Embed>

/** The embeds of one message. */
export const Embeds = z
  .array(Embed)
  .max(EMBEDS_MAX)
  .refine((embeds) => embeds.reduce((sum, embed) => sum + textOf(embed), 0) <= EMBEDS_TEXT_MAX, {
    message: `Must hold at most ${EMBEDS_TEXT_MAX} characters together`,
  })
  .describe(`at most ${EMBEDS_TEXT_MAX} characters together`)

export const EmbedSuppression = z.strictObject({ suppressed: z.boolean() })

/** Number of characters that an embed shows. */
export function textOf({ title, description, site_name, author, fields, footer }: Embed): number {
  const texts = [title, description, site_name, author?.name, footer, ...fields.flatMap((f) => [f.name, f.value])]
  return texts.reduce((sum, part) => sum + codePoints(part ?? ''), 0)
}
