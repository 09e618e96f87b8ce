import { type Block, parse, plainText } from '../../core/markup.ts'
import { type Inline } from '../../core/markup/pieces.ts'
import { hrefsIn, mentionsIn } from '../../core/markup/references.ts'
import { type Markup, markup } from './markup.ts'
import type { ShownNames } from './shown-names.ts'

/** Stands for what a page does not show: it says nothing about whether that exists. */
export const NOT_PUBLIC = 'a message that is not public'
/** A link of this installation to a channel, and perhaps to a message in it. */
const PLACE = /^\/(?:c|app\/servers\/\d+\/channels)\/(\d{1,15})(?:\/(\d{1,15}))?\/?$/

/** Context of the texts of a page. */
export interface Context {
  names: ShownNames
  /** The origin of this installation. */
  base: string
  /** True inside a link, which contains no other. */
  isInLink?: boolean
}

/** Ids that texts refer to. */
export interface References {
  people: number[]
  channels: number[]
  messages: number[]
}

/** The ids of accounts, channels and messages that a text refers to. */
export function referencesIn(content: string, base: string): References {
  const tokens = [...content.matchAll(/<#(\d{1,15})>/g)].map(([, id]) => Number(id))
  const places = hrefsIn(content).flatMap((href) => ownPlace(href, base) ?? [])
  return {
    people: mentionsIn(content).people,
    channels: [...tokens, ...places.map(({ channel_id }) => channel_id)],
    messages: places.flatMap(({ message_id }) => message_id ?? []),
  }
}

/** A channel of this installation, and perhaps a message in it. */
interface OwnPlace {
  channel_id: number
  message_id: number | undefined
}

function ownPlace(href: string, base: string): OwnPlace | undefined {
  const url = URL.parse(href)
  if (url?.origin !== new URL(base).origin) return undefined
  const [, channel, message] = PLACE.exec(url.pathname) ?? []
  return channel === undefined
    ? undefined
    : { channel_id: Number(channel), message_id: message === undefined ? undefined : Number(message) }
}

/** A message's text as HTML. */
export const richText = (content: string, context: Context): Markup =>
  markup`${parse(content).map((block) => ofBlock(block, context))}`

/** A message in one line without marks. */
export const plainLine = (content: string, { names, base }: Context): string =>
  plainText(content, {
    nameOf: (id) => names.person(id),
    tokenNameOf: (token) => nameOfToken(token, names),
    timeOf: (seconds) => timeOf(seconds),
    linkNameOf: (href) => {
      const own = ownPlace(href, base)
      return own && (linked(own, names)?.text ?? NOT_PUBLIC)
    },
  })

/** The text and path of a link to a place of this installation; undefined if that is not public. */
function linked({ channel_id, message_id }: OwnPlace, names: ShownNames): { text: string; path: string } | undefined {
  const place = names.place(channel_id)
  if (!place || (message_id !== undefined && !names.hasMessage(message_id))) return undefined
  const at = message_id === undefined ? '' : `?after=${message_id - 1}#m${message_id}`
  return { text: `#${place.name}`, path: `${place.path}${at}` }
}

/** Dates of pages are in UTC. */
const timeOf = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

function nameOfToken(token: string, names: ShownNames): string {
  if (token.startsWith('<#')) return `#${names.place(Number(token.slice(2, -1)))?.name ?? 'not public'}`
  return token.startsWith('<@&') ? '@role' : token
}

function ofBlock(block: Block, context: Context): Markup {
  switch (block.kind) {
    case 'code':
      return markup`<pre><code>${block.text}</code></pre>`
    case 'quote':
      return markup`<blockquote>${block.inside.map((inner) => ofBlock(inner, context))}</blockquote>`
    case 'list': {
      const items = block.items.map(
        ({ inside, below }) =>
          markup`<li>${ofInlines(inside, context)}${below.map((list) => ofBlock(list, context))}</li>`,
      )
      return block.first === undefined
        ? markup`<ul>
            ${items}
          </ul>`
        : markup`<ol start="${block.first}">
            ${items}
          </ol>`
    }
    case 'table':
      return ofTable(block, context)
    case 'heading':
      // The page has its own headings above.
      return markup`<p class="heading"><strong>${ofInlines(block.inside, context)}</strong></p>`
    default:
      return markup`<p>${ofInlines(block.inside, context)}</p>`
  }
}

/** A wide table scrolls by itself. */
function ofTable({ sides, head, rows }: Extract<Block, { kind: 'table' }>, context: Context): Markup {
  const cell = (inside: Inline[], at: number) =>
    markup`<td class="${sides[at] ?? 'start'}">${ofInlines(inside, context)}</td>`
  const title = (inside: Inline[], at: number) =>
    markup`<th scope="col" class="${sides[at] ?? 'start'}">${ofInlines(inside, context)}</th>`
  return markup`<div class="table" tabindex="0" role="group">
    <table>
      <thead>
        <tr>
          ${head.map(title)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) => markup`<tr>
          ${row.map(cell)}
        </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

const TAGS = { bold: 'strong', italic: 'em', underline: 'u', strike: 's' } as const

const ofInlines = (pieces: Inline[], context: Context): Markup[] => pieces.map((piece) => ofInline(piece, context))

function ofInline(piece: Inline, context: Context): Markup {
  const { names } = context
  switch (piece.kind) {
    case 'text':
      return markup`${piece.text}`
    case 'break':
      return markup`<br />`
    case 'code':
      return markup`<code>${piece.text}</code>`
    case 'spoiler':
      return markup`<span class="spoiler" tabindex="0">${ofInlines(piece.inside, context)}</span>`
    case 'mention':
      return markup`<span class="mention">@${names.person(piece.user_id)}</span>`
    case 'token': {
      const place = piece.token.startsWith('<#') ? names.place(Number(piece.token.slice(2, -1))) : undefined
      return place && !context.isInLink
        ? markup`<a href="${place.path}">#${place.name}</a>`
        : markup`${nameOfToken(piece.token, names)}`
    }
    case 'emoji':
      return markup`:${piece.name}:`
    case 'time':
      return markup`<time datetime="${new Date(piece.seconds * 1000).toISOString()}">${timeOf(piece.seconds)}</time>`
    case 'link':
      return linkTo(piece, context)
    default:
      return wrap(TAGS[piece.kind], ofInlines(piece.inside, context))
  }
}

function wrap(tag: (typeof TAGS)[keyof typeof TAGS], inside: Markup[]): Markup {
  switch (tag) {
    case 'strong':
      return markup`<strong>${inside}</strong>`
    case 'em':
      return markup`<em>${inside}</em>`
    case 'u':
      return markup`<u>${inside}</u>`
    default:
      return markup`<s>${inside}</s>`
  }
}

/** A link; one into this installation shows the public page of its place, or nothing of it. */
function linkTo({ href, inside }: Extract<Inline, { kind: 'link' }>, context: Context): Markup {
  const text = ofInlines(inside, { ...context, isInLink: true })
  const own = ownPlace(href, context.base)
  const isForeign = /^https?:/i.test(href) && URL.parse(href)?.origin !== new URL(context.base).origin
  if (!own) return isForeign ? markup`<a href="${href}" rel="nofollow ugc noopener">${text}</a>` : markup`${text}`
  const place = linked(own, context.names)
  return place ? markup`<a href="${place.path}">${place.text}</a>` : markup`${NOT_PUBLIC}`
}
