import { Problem } from '../../core/errors.ts'
import { isReserved } from '../../core/look-alikes.ts'
import { showsNothing } from '../../core/markup/references.ts'
import { isVisible, withoutHidden } from '../../core/visible.ts'
import { CONTENT_MAX } from '../messages/model.ts'
import { avatarOf } from '../previews/embed-pictures.ts'
import { type Draft, fitEmbeds } from './fit-embeds.ts'
import { callsEveryone, markdownOf, plainOf } from './mrkdwn.ts'
import { colorOf, cut, linkOf, listAt, textAt, timeOf, valueAt } from './payload.ts'
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

const markdownAt = (payload: unknown, ...path: string[]): string =>
  markdownOf(textAt(payload, ...path).slice(0, TEXT_MAX))
const plainAt = (payload: unknown, ...path: string[]): string => plainOf(textAt(payload, ...path).slice(0, TEXT_MAX))

/** The text object of a block: plain, or with markup. */
const textObject = (payload: unknown, ...path: string[]): string =>
  textAt(payload, ...path, 'type') === 'mrkdwn'
    ? markdownAt(payload, ...path, 'text')
    : textAt(payload, ...path, 'text').slice(0, TEXT_MAX)

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
function element(node: unknown): string {
  const type = textAt(node, 'type')
  if (type === 'image') return link(textAt(node, 'alt_text') || 'image', textAt(node, 'image_url'))
  if (type === 'button' || type === 'workflow_button') return link(textAt(node, 'text', 'text'), textAt(node, 'url'))
  return textObject({ node }, 'node')
}

const joinTexts = (parts: string[], separator: string): string =>
  parts.filter((part) => part.trim() !== '').join(separator)

/** The text of a `rich_text` element, which nests sections, lists and quotes. */
function richText(node: unknown, depth = 0): string {
  const style = (text: string): string => {
    if (text.trim() === '') return text
    if (valueAt(node, 'style', 'code') === true) return `\`${text}\``
    const bold = valueAt(node, 'style', 'bold') === true ? `**${text}**` : text
    const italic = valueAt(node, 'style', 'italic') === true ? `*${bold}*` : bold
    return valueAt(node, 'style', 'strike') === true ? `~~${italic}~~` : italic
  }
  const children = (): string[] =>
    depth > 4
      ? []
      : listAt(node, 'elements')
          .slice(0, 100)
          .map((part) => richText(part, depth + 1))
  switch (textAt(node, 'type')) {
    case 'text':
      return style(textAt(node, 'text').slice(0, TEXT_MAX))
    case 'link':
      return link(textAt(node, 'text'), textAt(node, 'url'))
    case 'emoji':
      return `:${textAt(node, 'name')}:`
    case 'user':
      return `@${textAt(node, 'user_id')}`
    case 'broadcast':
      return `@${textAt(node, 'range') === 'here' ? 'here' : 'everyone'}`
    case 'rich_text_list':
      return children()
        .map((item) => `- ${item.trim()}`)
        .join('\n')
    case 'rich_text_quote':
      return children().join('').replaceAll(/^/gm, '> ')
    case 'rich_text_preformatted':
      return `\`\`\`\n${children().join('').replaceAll('```', '')}\n\`\`\``
    case 'rich_text':
      return children().join('\n')
    default:
      return children().join('')
  }
}

/** A block as Markdown. Source: https://docs.slack.dev/reference/block-kit/blocks */
function block(node: unknown): string {
  const elements = () => listAt(node, 'elements').slice(0, ELEMENTS_MAX).map(element)
  switch (textAt(node, 'type')) {
    case 'header':
      return `### ${textAt(node, 'text', 'text').replaceAll('\n', ' ').trim()}`
    case 'section': {
      const fields = listAt(node, 'fields')
        .slice(0, ELEMENTS_MAX)
        .map((field) => textObject({ field }, 'field'))
      return joinTexts([textObject(node, 'text'), ...fields, element(valueAt(node, 'accessory'))], '\n')
    }
    case 'context':
      return joinTexts(elements(), ' · ')
    case 'divider':
      return '———'
    case 'actions':
      return joinTexts(elements(), ' · ')
    case 'image':
      return link(textAt(node, 'title', 'text') || textAt(node, 'alt_text') || 'image', textAt(node, 'image_url'))
    case 'rich_text':
      return richText(node)
    case 'markdown':
      return textAt(node, 'text').slice(0, TEXT_MAX)
    default:
      return ''
  }
}

const blocks = (payload: unknown): string => joinTexts(listAt(payload, 'blocks').slice(0, BLOCKS_MAX).map(block), '\n')

function attachment(payload: unknown): Draft {
  const color = textAt(payload, 'color')
  const actions = listAt(payload, 'actions')
    .slice(0, ELEMENTS_MAX)
    .map((action) => link(textAt(action, 'text'), textAt(action, 'url')))
  const fields = listAt(payload, 'fields').map((field) => ({
    name: plainAt(field, 'title'),
    value: markdownAt(field, 'value'),
    inline: valueAt(field, 'short') === true,
  }))
  const text = joinTexts([markdownAt(payload, 'text'), blocks(payload)], '\n')
  const picture = link('image', textAt(payload, 'image_url') || textAt(payload, 'thumb_url'))
  const title = plainAt(payload, 'title')
  const description = joinTexts([text, joinTexts(actions, ' · '), picture], '\n')
  return {
    title,
    url: textAt(payload, 'title_link'),
    // The fallback is only for attachments that are otherwise empty.
    description: description === '' && title === '' && fields.length === 0 ? plainAt(payload, 'fallback') : description,
    color: COLORS.get(color) ?? colorOf(color.startsWith('#') ? color : `#${color}`),
    author: { name: plainAt(payload, 'author_name'), url: textAt(payload, 'author_link') },
    fields,
    footer: plainAt(payload, 'footer'),
    timestamp: timeOf(textAt(payload, 'ts')),
  }
}

/**
 * Parses the body of Slack's incoming webhooks; long texts are cut.
 * @param hasPictures true if pictures are fetched
 * @throws Problem `bad_request`
 */
export function slackPost(payload: unknown, hasPictures: boolean): Post {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) throw new Problem('bad_request')
  const attachments = listAt(payload, 'attachments').slice(0, ATTACHMENTS_MAX)
  const blockText = blocks(payload)
  // If there are blocks, the text is only a fallback for clients that cannot show them.
  const text = blockText === '' ? markdownAt(payload, 'text') : blockText
  const before = attachments.map((entry) => markdownAt(entry, 'pretext'))
  const raw = JSON.stringify([valueAt(payload, 'text'), listAt(payload, 'blocks'), attachments]).slice(0, RAW_MAX)
  const name = cut(
    withoutHidden(textAt(payload, 'username').slice(0, 1000))
      .replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
      .trim(),
    NAME_MAX,
  )
  const content = cut(joinTexts([text, ...before], '\n'), CONTENT_MAX)
  return {
    content: showsNothing(content) ? '' : content,
    embeds: fitEmbeds(attachments.map(attachment)),
    pictures: avatarOf(linkOf(textAt(payload, 'icon_url')), hasPictures),
    mentions: { people: [], roles: [], everyone: callsEveryone(raw) },
    author_name: isVisible(name) && !isReserved(name) ? name : null,
  }
}
