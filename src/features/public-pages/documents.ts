import { segment } from './address.ts'
import { jsonInScript, Markup, markup } from './markup.ts'
import type { ListedPlace, PublicMessage, PublicPlace, PublicServer } from './places.ts'
import { type Context, NOT_PUBLIC, plainLine, richText } from './rich-text.ts'
import { STYLE } from './style.ts'

/** Everything that a page shows. */
export interface PageContent {
  server: PublicServer
  channels: PublicPlace[]
  channel?: PublicPlace | undefined
  thread?: PublicPlace | undefined
  messages: PublicMessage[]
  threads: ListedPlace[]
  answerId: number | null
  /** The query of the next page. */
  next: string | undefined
  /** The query of this page; empty for the first. */
  query: string
  context: Context
}

const DESCRIPTION_MAX = 200

function clip(text: string, max = DESCRIPTION_MAX): string {
  const characters = [...text]
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`
}

/** The path of a page by the present names. */
export function pathOf({ server, channel, thread }: Pick<PageContent, 'server' | 'channel' | 'thread'>): string {
  const places = [server, ...(channel ? [channel] : []), ...(thread ? [thread] : [])]
  return `/p/${places.map(({ id, name }) => segment(id, name)).join('/')}`
}

const pathUnder = ({ server, channel }: PageContent, thread: PublicPlace): string => pathOf({ server, channel, thread })

const timeTag = (time: string): Markup =>
  markup`<time datetime="${time}">${time.slice(0, 16).replace('T', ' ')} UTC</time>`

/** The address of a picture of a public message. */
const picturePath = (fileId: number): string => `/p/pictures/${fileId}`

type PublicFile = PublicMessage['files'][number]

/** A picture, or the name of another file. */
function fileTag({ id, filename, alt, isPicture, width, height }: PublicFile): Markup {
  if (!isPicture) return markup`<p class="quiet">${filename}</p>`
  const size = markup`width="${width ?? 0}" height="${height ?? 0}"`
  return markup`<p><img src="${picturePath(id)}" alt="${alt ?? filename}" loading="lazy" ${size}></p>`
}

/** A sticker, which stands still for who wants less motion. */
const stickerTag = ({ alt, url }: NonNullable<PublicMessage['sticker']>): Markup =>
  markup`<p><picture><source srcset="${url}?still" media="(prefers-reduced-motion)"><img src="${url}" alt="${alt}"
loading="lazy" width="160"></picture></p>`

/** Everything that a message says, in one line. */
export const lineOf = ({ content, cards }: PublicMessage, context: Context): string =>
  [content, ...cards]
    .map((part) => plainLine(part, context))
    .filter(Boolean)
    .join(' · ')

/** The message that a message replies to, and the one that it forwards, as far as they are public. */
function quotesOf({ reply, forwarded }: PublicMessage, context: Context): Markup[] {
  const saidBefore = reply && `${context.names.author(reply.author)}: ${clip(plainLine(reply.content, context))}`
  const unknown = markup`<p>${NOT_PUBLIC}</p>`
  const copy = forwarded === null ? unknown : richText(forwarded ?? '', context)
  return [
    ...(reply === undefined ? [] : [markup`<blockquote><p>${saidBefore ?? NOT_PUBLIC}</p></blockquote>`]),
    ...(forwarded === undefined ? [] : [markup`<blockquote>${copy}</blockquote>`]),
  ]
}

function messageTag(message: PublicMessage, { context, answerId }: PageContent): Markup {
  const { id, author, created_at, edited_at, content, cards, files, sticker } = message
  const isAnswer = id === answerId
  const facts = [
    markup`<strong>${context.names.author(author)}</strong> ${timeTag(created_at)}`,
    ...(edited_at === null ? [] : [markup` <span>edited</span>`]),
    ...(isAnswer ? [markup` <strong>Answer</strong>`] : []),
  ]
  const text = markup`<div dir="auto" lang="">${[content, ...cards].map((part) => richText(part, context))}</div>`
  return markup`<li><article class="entry${isAnswer ? ' answer' : ''}" id="m${id}"><p class="by">${facts}</p>
${quotesOf(message, context)}${text}${sticker ? stickerTag(sticker) : ''}${files.map(fileTag)}</article></li>
`
}

function threadTag(thread: ListedPlace, page: PageContent): Markup {
  const { context } = page
  const { name, author, created_at, answered, content } = thread
  const by = markup`<strong>${context.names.author(author)}</strong> ${timeTag(created_at)}`
  return markup`<li class="entry"><h2><a href="${pathUnder(page, thread)}">${name}</a></h2>
<p class="by">${by}${answered ? markup` <span>answered</span>` : ''}</p>
<p dir="auto" lang="">${clip(plainLine(content, context))}</p></li>
`
}

const channelTag = (channel: PublicPlace, { server }: PageContent): Markup =>
  markup`<li class="entry"><h2><a href="${pathOf({ server, channel })}">${channel.name}</a></h2>
<p dir="auto" lang="">${channel.topic}</p></li>
`

/** The title of a page, and a short text about it. */
function about({ server, channel, thread, messages, context }: PageContent): { title: string; text: string } {
  const place = thread ?? channel ?? server
  const [first] = messages
  const text = thread ? first && lineOf(first, context) : channel ? channel.topic : server.description
  return { title: place === server ? server.name : `${place.name} · ${server.name}`, text: clip(text ?? '') }
}

/** Structured data of a message; undefined for one that shows nothing. */
function messageData(message: PublicMessage, page: PageContent, url: string) {
  const { author, created_at, edited_at, files, id } = message
  const text = lineOf(message, page.context)
  const picture = files.find(({ isPicture }) => isPicture)
  if (text === '' && !picture) return undefined
  return {
    ...(text === '' ? {} : { text }),
    ...(picture ? { image: `${page.context.base}${picturePath(picture.id)}` } : {}),
    author: { '@type': 'Person', name: page.context.names.author(author) },
    url: `${url}#m${id}`,
    datePublished: created_at,
    ...(edited_at === null ? {} : { dateModified: edited_at }),
  }
}

/**
 * Structured data of a post. Source: schema.org's DiscussionForumPosting and QAPage, with what Google requires of
 * them.
 */
function dataOf(page: PageContent, url: string): object | undefined {
  const { thread, messages, answerId, channel } = page
  if (!thread || page.query !== '') return undefined
  const [first, ...rest] = messages.map((message) => ({ id: message.id, data: messageData(message, page, url) }))
  if (!first?.data) return undefined
  const comments = rest.flatMap(({ id, data }) => (data ? [{ id, data }] : []))
  const answers = comments.filter(({ data }) => 'text' in data)
  const accepted = answers.find(({ id }) => id === answerId)
  if (channel?.type === 'forum' && accepted) {
    const suggested = answers.filter((one) => one !== accepted)
    return {
      '@context': 'https://schema.org',
      '@type': 'QAPage',
      mainEntity: {
        '@type': 'Question',
        name: thread.name,
        ...first.data,
        answerCount: answers.length,
        acceptedAnswer: { '@type': 'Answer', ...accepted.data },
        ...(suggested.length > 0
          ? { suggestedAnswer: suggested.map(({ data }) => ({ '@type': 'Answer', ...data })) }
          : {}),
      },
    }
  }
  return {
    '@context': 'https://schema.org',
    '@type': 'DiscussionForumPosting',
    headline: thread.name,
    ...first.data,
    comment: comments.map(({ data }) => ({ '@type': 'Comment', ...data })),
  }
}

/** The head of a page: what search engines and other sites read of it. */
function headOf(page: PageContent): Markup {
  const { server, channel, thread, messages, query, context } = page
  const path = pathOf(page)
  const url = `${context.base}${path}`
  const { title, text } = about(page)
  const data = dataOf(page, url)
  const feed = channel && `${pathOf({ server, channel })}/feed.atom`
  const picture = thread && messages.flatMap(({ files }) => files).find(({ isPicture }) => isPicture)
  return markup`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${text}">
<link rel="canonical" href="${url}${query}">
<meta property="og:type" content="${thread ? 'article' : 'website'}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${text}">
<meta property="og:url" content="${url}${query}">
<meta property="og:site_name" content="${server.name}">
${picture ? markup`<meta property="og:image" content="${context.base}${picturePath(picture.id)}">` : ''}
<link rel="alternate" type="application/json" href="${path}.json${query}">
${feed ? markup`<link rel="alternate" type="application/atom+xml" title="${channel.name}" href="${feed}">` : ''}
<style>${new Markup(STYLE)}</style>
${data ? markup`<script type="application/ld+json">${jsonInScript(data)}</script>` : ''}`
}

/** A page as HTML, without scripts. */
export function htmlOf(page: PageContent): string {
  const { server, channel, thread, channels, messages, threads, next } = page
  const text = channel ? (thread ? '' : channel.topic) : server.description
  const list = (entries: Markup[]) => (entries.length > 0 ? markup`<ul class="entries">${entries}</ul>` : '')
  const crumbs = [
    markup`<a href="${pathOf({ server })}">${server.name}</a>`,
    ...(channel ? [markup` › <a href="${pathOf({ server, channel })}">${channel.name}</a>`] : []),
  ]
  return markup`<!doctype html>
<html lang="en">
<head>
${headOf(page)}</head>
<body>
<header><nav aria-label="Place">${crumbs}</nav></header>
<main>
<h1 dir="auto" lang="">${(thread ?? channel ?? server).name}</h1>
${text === '' ? '' : markup`<p dir="auto" lang="">${text}</p>`}
${list(channel ? [] : channels.map((one) => channelTag(one, page)))}
${list(threads.map((one) => threadTag(one, page)))}
${messages.length > 0 ? markup`<ol class="entries">${messages.map((one) => messageTag(one, page))}</ol>` : ''}
${next ? markup`<nav aria-label="Pages"><a rel="next" href="${pathOf(page)}${next}">Next page</a></nav>` : ''}
</main>
</body>
</html>
`.text
}

/** The same as data. */
export function jsonOf(page: PageContent): string {
  const { server, channel, thread, channels, messages, threads, next, answerId, context } = page
  const path = pathOf(page)
  const place = ({ id, name, type, topic }: PublicPlace) => ({ id, name, type, topic })
  const fileOf = ({ id, filename, alt, isPicture }: PublicFile) => ({
    name: filename,
    ...(isPicture ? { url: picturePath(id), alt: alt ?? filename } : {}),
  })
  return JSON.stringify({
    url: `${context.base}${path}`,
    server: { id: server.id, name: server.name, description: server.description },
    channel: channel ? place(channel) : null,
    thread: thread ? { ...place(thread), answer_message_id: answerId } : null,
    channels: channels.map((one) => ({ ...place(one), path: pathOf({ server, channel: one }) })),
    threads: threads.map((one) => ({
      ...place(one),
      path: pathUnder(page, one),
      author: context.names.author(one.author),
      beginning: plainLine(one.content, context),
      created_at: one.created_at,
      answered: one.answered,
    })),
    messages: messages.map(
      ({ id, author, content, cards, created_at, edited_at, reply, forwarded, files, sticker }) => ({
        id,
        author: context.names.author(author),
        text: plainLine(content, context),
        cards: cards.map((card) => plainLine(card, context)),
        created_at,
        edited_at,
        reply: reply && { author: context.names.author(reply.author), text: plainLine(reply.content, context) },
        forwarded: forwarded && plainLine(forwarded, context),
        files: files.map(fileOf),
        ...(sticker ? { sticker } : {}),
      }),
    ),
    next: next ? `${path}.json${next}` : null,
  })
}
