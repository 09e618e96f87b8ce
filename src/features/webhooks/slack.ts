import { Problem } from '../../core/errors.ts'
import { isReserved } from '../../core/look-alikes.ts'
import { showsNothing } from '../../core/markup/references.ts'
import { isVisible, withoutHidden } from '../../core/visible.ts'
import { CONTENT_MAX } from '../messages/model.ts'
import { avatarOf } from '../previews/embed-pictures.ts'
import { type Draft, fitted } from './fitted.ts'
import { colorOf, cut, linkOf, listAt, textAt, timeOf, valueAt } from './given.ts'
import { callsEveryone, markdownOf, plainOf } from './mrkdwn.ts'
import type { Post } from './post.ts'

const NAME_MAX = 80
const ATTACHMENTS_MAX = 10
const BLOCKS_MAX = 50
const ELEMENTS_MAX = 25
/** UTF-16 units of one text to convert to Markdown. */
const TEXT_MAX = 12_000
/** UTF-16 units to search for mentions of everyone. */
const RAW_MAX = 60_000

/**
 * Slack's named colours. Source: https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments
 */
const COLORS = new Map([
  ['good', '#2eb886'],
  ['warning', '#daa038'],
  ['danger', '#a30200'],
])

const markdownAt = (given: unknown, ...path: string[]): string => markdownOf(textAt(given, ...path).slice(0, TEXT_MAX))
const plainAt = (given: unknown, ...path: string[]): string => plainOf(textAt(given, ...path).slice(0, TEXT_MAX))

/** The text object of a block: plain, or with markup. */
const textObject = (given: unknown, ...path: string[]): string =>
  textAt(given, ...path, 'type') === 'mrkdwn'
    ? markdownAt(given, ...path, 'text')
    : textAt(given, ...path, 'text').slice(0, TEXT_MAX)

/** A link with a label; empty without an address. */
function link(label: string, url: string): string {
  const href = linkOf(url)
  const name = label
    .replaceAll(/[[\]\n]/g, ' ')
    .trim()
    .slice(0, 250)
  return href === null ? '' : name === '' || /^https?:/i.test(name) ? href : `[${name}](<${href}>)`
}

/** The links of a button or picture in a block. */
function element(given: unknown): string {
  const type = textAt(given, 'type')
  if (type === 'image') return link(textAt(given, 'alt_text') || 'image', textAt(given, 'image_url'))
  if (type === 'button' || type === 'workflow_button') return link(textAt(given, 'text', 'text'), textAt(given, 'url'))
  return textObject({ given }, 'given')
}

const joined = (parts: string[], by: string): string => parts.filter((part) => part.trim() !== '').join(by)

/** The text of a `rich_text` element, which nests sections, lists and quotes. */
function richText(given: unknown, depth = 0): string {
  const style = (text: string): string => {
    if (text.trim() === '') return text
    if (valueAt(given, 'style', 'code') === true) return `\`${text}\``
    const bold = valueAt(given, 'style', 'bold') === true ? `**${text}**` : text
    const italic = valueAt(given, 'style', 'italic') === true ? `*${bold}*` : bold
    return valueAt(given, 'style', 'strike') === true ? `~~${italic}~~` : italic
  }
  const inside = (): string[] =>
    depth > 4
      ? []
      : listAt(given, 'elements')
          .slice(0, 100)
          .map((part) => richText(part, depth + 1))
  switch (textAt(given, 'type')) {
    case 'text':
      return style(textAt(given, 'text').slice(0, TEXT_MAX))
    case 'link':
      return link(textAt(given, 'text'), textAt(given, 'url'))
    case 'emoji':
      return `:${textAt(given, 'name')}:`
    case 'user':
      return `@${textAt(given, 'user_id')}`
    case 'broadcast':
      return `@${textAt(given, 'range') === 'here' ? 'here' : 'everyone'}`
    case 'rich_text_list':
      return inside()
        .map((item) => `- ${item.trim()}`)
        .join('\n')
    case 'rich_text_quote':
      return inside().join('').replaceAll(/^/gm, '> ')
    case 'rich_text_preformatted':
      return `\`\`\`\n${inside().join('').replaceAll('```', '')}\n\`\`\``
    case 'rich_text':
      return inside().join('\n')
    default:
      return inside().join('')
  }
}

/** A block as Markdown. Source: https://docs.slack.dev/reference/block-kit/blocks */
function block(given: unknown): string {
  const elements = () => listAt(given, 'elements').slice(0, ELEMENTS_MAX).map(element)
  switch (textAt(given, 'type')) {
    case 'header':
      return `### ${textAt(given, 'text', 'text').replaceAll('\n', ' ').trim()}`
    case 'section': {
      const fields = listAt(given, 'fields')
        .slice(0, ELEMENTS_MAX)
        .map((field) => textObject({ field }, 'field'))
      return joined([textObject(given, 'text'), ...fields, element(valueAt(given, 'accessory'))], '\n')
    }
    case 'context':
      return joined(elements(), ' · ')
    case 'divider':
      return '———'
    case 'actions':
      return joined(elements(), ' · ')
    case 'image':
      return link(textAt(given, 'title', 'text') || textAt(given, 'alt_text') || 'image', textAt(given, 'image_url'))
    case 'rich_text':
      return richText(given)
    case 'markdown':
      return textAt(given, 'text').slice(0, TEXT_MAX)
    default:
      return ''
  }
}

const blocks = (given: unknown): string => joined(listAt(given, 'blocks').slice(0, BLOCKS_MAX).map(block), '\n')

function attachment(given: unknown): Draft {
  const color = textAt(given, 'color')
  const actions = listAt(given, 'actions')
    .slice(0, ELEMENTS_MAX)
    .map((action) => link(textAt(action, 'text'), textAt(action, 'url')))
  const fields = listAt(given, 'fields').map((field) => ({
    name: plainAt(field, 'title'),
    value: markdownAt(field, 'value'),
    inline: valueAt(field, 'short') === true,
  }))
  const said = joined([markdownAt(given, 'text'), blocks(given)], '\n')
  const picture = link('image', textAt(given, 'image_url') || textAt(given, 'thumb_url'))
  const title = plainAt(given, 'title')
  const shown = joined([said, joined(actions, ' · '), picture], '\n')
  return {
    title,
    url: textAt(given, 'title_link'),
    // The fallback is only for attachments that are otherwise empty.
    description: shown === '' && title === '' && fields.length === 0 ? plainAt(given, 'fallback') : shown,
    color: COLORS.get(color) ?? colorOf(color.startsWith('#') ? color : `#${color}`),
    author: { name: plainAt(given, 'author_name'), url: textAt(given, 'author_link') },
    fields,
    footer: plainAt(given, 'footer'),
    timestamp: timeOf(textAt(given, 'ts')),
  }
}

/**
 * Parses the body of Slack's incoming webhooks; long texts are cut.
 * @param hasPictures true if pictures are fetched
 * @throws Problem `bad_request`
 */
export function slackPost(given: unknown, hasPictures: boolean): Post {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new Problem('bad_request')
  const attachments = listAt(given, 'attachments').slice(0, ATTACHMENTS_MAX)
  const shown = blocks(given)
  // If there are blocks, the text is only a fallback for clients that cannot show them.
  const said = shown === '' ? markdownAt(given, 'text') : shown
  const before = attachments.map((one) => markdownAt(one, 'pretext'))
  const raw = JSON.stringify([valueAt(given, 'text'), listAt(given, 'blocks'), attachments]).slice(0, RAW_MAX)
  const name = cut(
    withoutHidden(textAt(given, 'username').slice(0, 1000))
      .replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
      .trim(),
    NAME_MAX,
  )
  const content = cut(joined([said, ...before], '\n'), CONTENT_MAX)
  return {
    content: showsNothing(content) ? '' : content,
    embeds: fitted(attachments.map(attachment)),
    pictures: avatarOf(linkOf(textAt(given, 'icon_url')), hasPictures),
    mentions: { people: [], roles: [], everyone: callsEveryone(raw) },
    author_name: isVisible(name) && !isReserved(name) ? name : null,
  }
}
