import { clip } from '../../core/free-name.ts'
import { codePoints } from '../../core/schema.ts'
import { Embed, Embeds } from '../previews/model.ts'
import type { ExportedEmbed } from './discord-format.ts'
import { type Places, translate } from './discord-text.ts'
import { cleanText } from './names.ts'
import type { Report } from './report.ts'

const EMBEDS_MAX = 10
const FIELDS_MAX = 25
const URL_UNITS_MAX = 2048

/** An embed, and the addresses of its pictures in the export. */
export interface EmbedDraft {
  embed: Embed
  image: string | undefined
  thumbnail: string | undefined
}

/** An address that is safe to open in a browser: http or https, not `javascript:`. */
const link = (url: string | null | undefined): string | null =>
  url && url.length <= URL_UNITS_MAX && /^https?:\/\//i.test(url) && URL.canParse(url) && url.isWellFormed()
    ? url
    : null

/**
 * The embeds of a message, cut to this server's limits on number and length.
 * @param where the message, for the report
 */
export function embedsOf(exported: ExportedEmbed[], places: Places, report: Report, where: string): EmbedDraft[] {
  const drafts = exported.flatMap((one) => embedOf(pollResult(one), places, report, where) ?? [])
  const embeds = drafts.slice(0, EMBEDS_MAX)
  // Drop embeds from the end until the text fits into a message.
  while (embeds.length > 0 && !Embeds.safeParse(embeds.map(({ embed }) => embed)).success) embeds.pop()
  if (embeds.length < drafts.length) report.note('embed_cut', where, drafts.length - embeds.length)
  return embeds
}

function embedOf(one: ExportedEmbed, places: Places, report: Report, where: string): EmbedDraft | undefined {
  let isCut = false
  const translateText = (text: string | null | undefined) =>
    translate(text ?? '', { mentions: [], inlineEmojis: one.inlineEmojis }, places).text
  const cut = (text: string | null | undefined, max: number): string | null => {
    const clean = cleanText(text ?? '').trim()
    if (codePoints(clean) > max) isCut = true
    return clip(clean, max) || null
  }
  const fields = one.fields.flatMap(({ name, value, isInline }) => {
    const [heading, body] = [cut(name, 256), cut(translateText(value), 1024)]
    if (heading === null && body === null) return []
    return [{ name: heading ?? '\u200B', value: body ?? '\u200B', inline: isInline }]
  })
  const url = link(one.url)
  const author = cut(one.author?.name, 256)
  const footer = cut(one.footer?.text, 2048)
  const image = one.image?.url ?? one.images[0]?.url ?? undefined
  const thumbnail = one.thumbnail?.url ?? undefined
  const title = cut(one.title, 256)
  const description = cut(translateText(one.description), 4096)
  const isRich = url === null || fields.length > 0 || footer !== null
  const isPicture = !isRich && title === null && description === null
  if (one.video) report.note('embed_video', where)
  const embed: Embed = {
    type: isRich ? 'rich' : one.video ? 'video' : isPicture ? 'image' : 'link',
    url,
    title,
    description,
    color: /^#[0-9a-f]{6}$/i.test(one.color ?? '') ? (one.color ?? '').toLowerCase() : null,
    site_name: null,
    author: author === null ? null : { name: author, url: link(one.author?.url) },
    fields: fields.slice(0, FIELDS_MAX),
    image: null,
    thumbnail: null,
    footer,
    timestamp: timeOf(one.timestamp),
  }
  if (isCut || fields.length > FIELDS_MAX) report.note('embed_cut', where)
  const hasText = [title, description, author, footer].some((text) => text !== null) || fields.length > 0
  if (!hasText && image === undefined && thumbnail === undefined) return undefined
  // A link preview that is a picture shows it large.
  return isPicture ? { embed, image: image ?? thumbnail, thumbnail: undefined } : { embed, image, thumbnail }
}

function timeOf(text: string | null | undefined): string | null {
  const time = new Date(text ?? '')
  return text && time.getUTCFullYear() >= 1970 && time.getUTCFullYear() < 10_000 ? time.toISOString() : null
}

/** Discord puts the result of a poll into fields that only its own clients understand. */
function pollResult(one: ExportedEmbed): ExportedEmbed {
  const field = (name: string) => one.fields.find((entry) => entry.name === name)?.value ?? ''
  const [winner, votes, total] = [field('victor_answer_text'), field('victor_answer_votes'), field('total_votes')]
  if (field('poll_question_text') === '') return one
  const result = winner === '' ? `${total} votes` : `${winner}: ${votes} of ${total} votes`
  return { ...one, title: field('poll_question_text'), description: result, fields: [] }
}
