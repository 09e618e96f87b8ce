import { z } from 'zod'
import { GivenTime } from '../../core/schema.ts'
import type { Embed } from '../../features/previews/model.ts'
import { discordTimeOrNull } from './users.ts'

// Embeds in both directions. Icons are left out: Parley shows none.

const pictureOf = (picture: Embed['image'], base: string) =>
  picture && { ...picture, url: picture.url.startsWith('/') ? base + picture.url : picture.url }

const TYPES = { link: 'link', image: 'image', video: 'video', rich: 'rich' } as const

/** @param base the origin of this server, for pictures that it serves */
export const discordEmbed = (embed: Embed, base: string) => ({
  type: TYPES[embed.type],
  ...(embed.title === null ? {} : { title: embed.title }),
  ...(embed.description === null ? {} : { description: embed.description }),
  ...(embed.url === null ? {} : { url: embed.url }),
  ...(embed.color === null ? {} : { color: Number.parseInt(embed.color.slice(1), 16) }),
  ...(embed.timestamp === null ? {} : { timestamp: discordTimeOrNull(embed.timestamp) }),
  ...(embed.footer === null ? {} : { footer: { text: embed.footer } }),
  ...(embed.site_name === null ? {} : { provider: { name: embed.site_name } }),
  ...(embed.author === null ? {} : { author: { name: embed.author.name, url: embed.author.url ?? undefined } }),
  ...(embed.image === null ? {} : { image: pictureOf(embed.image, base) }),
  ...(embed.thumbnail === null ? {} : { thumbnail: pictureOf(embed.thumbnail, base) }),
  fields: embed.fields,
})

const optional = z.string().nullish()
const Url = z.object({ url: optional }).nullish()
/** An embed as libraries send it; what Parley does not show is ignored. */
const EmbedBody = z.object({
  title: optional,
  description: optional,
  url: optional,
  color: z.int().min(0).max(0xffffff).nullish(),
  timestamp: GivenTime.nullish(),
  footer: z.object({ text: optional }).nullish(),
  author: z.object({ name: optional, url: optional }).nullish(),
  fields: z.array(z.object({ name: z.string(), value: z.string(), inline: z.boolean().nullish() })).nullish(),
  image: Url,
  thumbnail: Url,
})
export const EmbedBodies = z.array(EmbedBody).max(10)

/** Only web addresses: a file of the same message is shown below the text anyway. */
const picture = (url: string | null | undefined) => (url && /^https?:/i.test(url) ? { url } : null)
const blank = (text: string | null | undefined) => text || null

/** An embed as Parley's API takes it. */
export const parleyEmbed = (embed: z.infer<typeof EmbedBody>) => ({
  title: blank(embed.title),
  description: blank(embed.description),
  url: blank(embed.url),
  color: embed.color === null || embed.color === undefined ? null : `#${embed.color.toString(16).padStart(6, '0')}`,
  timestamp: embed.timestamp ?? null,
  footer: blank(embed.footer?.text),
  author: embed.author?.name ? { name: embed.author.name, url: blank(embed.author.url) } : null,
  fields: (embed.fields ?? []).map(({ name, value, inline }) => ({ name, value, inline: inline ?? false })),
  image: picture(embed.image?.url),
  thumbnail: picture(embed.thumbnail?.url),
})
