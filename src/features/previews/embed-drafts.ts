import { z } from 'zod'
import { GivenTime, isWebAddress } from '../../core/schema.ts'
import { shows, withoutPictures } from './embed-pictures.ts'
import { Embed, EMBEDS_MAX, EMBEDS_TEXT_MAX, textOf } from './model.ts'
import type { WantedPicture } from './wanted-pictures.ts'

const Address = z.string().max(2048).refine(isWebAddress, 'Must be an http or https URL')
const Picture = z.strictObject({ url: Address.meta({ example: 'https://example.org/owl.png' }) })

const { title, description, color, site_name, author, fields, footer } = Embed.shape
const Author = z.strictObject({ name: author.unwrap().shape.name, url: Address.nullable().default(null) })
const Field = z.strictObject({ ...fields.element.shape, inline: z.boolean().default(false) })

/** A card that a bot attaches to a message. */
const EmbedDraft = z
  .strictObject({
    title: title.default(null),
    url: Address.nullable().default(null),
    description: description.default(null),
    color: color.default(null),
    site_name: site_name.default(null),
    author: Author.nullable().default(null),
    fields: z.array(Field).max(25).default([]),
    image: Picture.nullable().default(null).describe('fetched by the server, where it fetches previews'),
    thumbnail: Picture.nullable().default(null),
    footer: footer.default(null),
    timestamp: GivenTime.nullable().default(null),
  })
  .meta({ title: 'EmbedDraft' })
type EmbedDraft = z.infer<typeof EmbedDraft>

/** A card as stored in a message. A card with only a picture links to it. */
function cardOf({ image, thumbnail, ...draft }: EmbedDraft): Embed {
  const embed: Embed = { type: 'rich', ...draft, image: null, thumbnail: null }
  const url = image?.url ?? thumbnail?.url
  return shows(embed) || url === undefined ? embed : { ...embed, title: 'image', url: embed.url ?? url }
}

/** The cards of one message from a bot. */
export const EmbedDrafts = z
  .array(EmbedDraft.refine((draft) => shows(cardOf(draft)), 'Must show something'))
  .max(EMBEDS_MAX)
  .refine((drafts) => drafts.reduce((sum, draft) => sum + textOf(cardOf(draft)), 0) <= EMBEDS_TEXT_MAX, {
    message: `Must hold at most ${EMBEDS_TEXT_MAX} characters together`,
  })
  .describe('only of bots: cards under the text')
export type EmbedDrafts = z.infer<typeof EmbedDrafts>

/** The cards without their pictures, and the pictures to fetch. @param isOn false if pictures are not fetched */
export const embedsOf = (drafts: EmbedDrafts, isOn: boolean): { embeds: Embed[]; pictures: WantedPicture[] } =>
  withoutPictures(
    drafts.map((draft) => ({
      embed: cardOf(draft),
      image: draft.image?.url ?? null,
      thumbnail: draft.thumbnail?.url ?? null,
    })),
    isOn,
  )
