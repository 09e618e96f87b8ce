import { codePoints } from '../../core/schema.ts'
import { isVisible } from '../../core/visible.ts'
import type { Embed } from '../previews/model.ts'
import { cut, linkOf } from './payload.ts'

/** Characters in all embeds of a message together. */
const TEXT_MAX = 6_000
const EMBEDS_MAX = 10
const FIELDS_MAX = 25
const BLANK = '\u200b'

/** An embed converted from another service's format, with texts of any length. */
export interface Draft {
  title?: string
  url?: string
  description?: string
  color?: string | null
  author?: { name: string; url?: string }
  site_name?: string
  fields?: { name: string; value: string; inline: boolean }[]
  footer?: string
  timestamp?: string | null
}

/** Fits embeds into all limits: long texts are cut, and surplus embeds are dropped. */
export function fitEmbeds(drafts: Draft[]): Embed[] {
  let textLeft = TEXT_MAX
  const fit = (text: string | undefined, max: number): string | null => {
    const cutText =
      text === undefined || !isVisible(text) || textLeft < 2 ? '' : cut(text.trim(), Math.min(max, textLeft))
    textLeft -= codePoints(cutText)
    return cutText === '' ? null : cutText
  }
  const embeds = drafts.slice(0, EMBEDS_MAX).map((draft): Embed => {
    const title = fit(draft.title, 256)
    const name = fit(draft.author?.name, 256)
    const site_name = fit(draft.site_name, 256)
    const footer = fit(draft.footer, 2048)
    const description = fit(draft.description, 4096)
    const fields = (draft.fields ?? []).slice(0, FIELDS_MAX).flatMap(({ inline, ...field }) => {
      const [label, value] = [fit(field.name, 256), fit(field.value, 1024)]
      if (label === null && value === null) return []
      textLeft -= 2
      return [{ name: label ?? BLANK, value: value ?? BLANK, inline }]
    })
    return {
      type: 'rich',
      url: linkOf(draft.url ?? ''),
      title,
      description,
      color: draft.color ?? null,
      site_name,
      author: name === null ? null : { name, url: linkOf(draft.author?.url ?? '') },
      fields,
      image: null,
      thumbnail: null,
      footer,
      timestamp: draft.timestamp ?? null,
    }
  })
  return embeds.filter(
    ({ title, description, author, fields, footer }) =>
      [title, description, author, footer].some((part) => part !== null) || fields.length > 0,
  )
}
