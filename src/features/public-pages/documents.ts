import { segment } from './address.ts'
import { Html, html, jsonInScript } from './html.ts'
import type { ListedPlace, PublicMessage, PublicPlace, PublicServer } from './places.ts'
import { NOT_PUBLIC, plainLine, richText, type Shown } from './rich-text.ts'
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
  shown: Shown
}

const DESCRIPTION_MAX = 200

const clip = (text: string): string => [...text].slice(0, DESCRIPTION_MAX).join('')

/** The path of a page by the present names. */
export function pathOf({ server, channel, thread }: Pick<PageContent, 'server' | 'channel' | 'thread'>): string {
  const places = [server, ...(channel ? [channel] : []), ...(thread ? [thread] : [])]
  return `/p/${places.map(({ id, name }) => segment(id, name)).join('/')}`
}

const pathUnder = ({ server, channel }: PageContent, thread: PublicPlace): string => pathOf({ server, channel, thread })

const timeTag = (time: string): Html => html`<time datetime="${time}">${time.slice(0, 16).replace('T', ' ')} UTC</time>`

/** The address of a picture of a public message. */
export const picturePath = (fileId: number): string => `/p/pictures/${fileId}`

const isPicture = ({ content_type, width }: PublicMessage['files'][number]): boolean =>
  width !== null && /^image\/(?:png|jpeg|webp|gif|avif)$/.test(content_type)

const fileTag = (file: PublicMessage['files'][number]): Html =>
  isPicture(file)
    ? html`<p>
        <img
          src="${picturePath(file.id)}"
          alt="${file.filename}"
          loading="lazy"
          width="${file.width ?? 0}"
          height="${file.height ?? 0}"
        />
      </p>`
    : html`<p class="quiet">${file.filename}</p>`

function messageTag(message: PublicMessage, { shown, answerId }: PageContent): Html {
  const { id, author, created_at, edited_at, content, files, reply, forwarded } = message
  const name = shown.names.author(author)
  const isAnswer = id === answerId
  const quoted =
    reply === undefined
      ? undefined
      : html`<blockquote>
          <p>
            ${reply === null ? NOT_PUBLIC : html`${shown.names.author(reply.author)}: ${clip(plainLine(reply.content, shown))}`}
          </p>
        </blockquote>`
  const copied =
    forwarded === undefined
      ? undefined
      : html`<blockquote>${forwarded === null ? html`<p>${NOT_PUBLIC}</p>` : richText(forwarded, shown)}</blockquote>`
  return html`<li>
    <article class="entry${isAnswer ? ' answer' : ''}" id="m${id}">
      <p class="by">
        <strong>${name}</strong>
        ${timeTag(created_at)}${edited_at === null ? '' : html` <span>edited</span>`}${isAnswer ? html` <strong>Answer</strong>` : ''}
      </p>
      ${quoted}${copied}
      <div dir="auto">${richText(content, shown)}</div>
      ${files.map(fileTag)}
    </article>
  </li> `
}

function threadTag(thread: ListedPlace, page: PageContent): Html {
  const { shown } = page
  return html`<li class="entry">
    <h2><a href="${pathUnder(page, thread)}">${thread.name}</a></h2>
    <p class="by">
      <strong>${shown.names.author(thread.author)}</strong>
      ${timeTag(thread.created_at)}${thread.answered ? html` <span>answered</span>` : ''}
    </p>
    <p dir="auto">${clip(plainLine(thread.content, shown))}</p>
  </li> `
}

const channelTag = (channel: PublicPlace, { server }: PageContent): Html =>
  html`<li class="entry">
    <h2><a href="${pathOf({ server, channel })}">${channel.name}</a></h2>
    <p dir="auto">${channel.topic}</p>
  </li> `

/** The title of a page, and a short text about it. */
function about({ server, channel, thread, messages, shown }: PageContent): { title: string; text: string } {
  const place = thread ?? channel ?? server
  const [first] = messages
  const text =
    thread && first ? plainLine(first.content, shown) : channel && !thread ? channel.topic : server.description
  return { title: place === server ? server.name : `${place.name} · ${server.name}`, text: clip(text) }
}

/** Structured data of a post. Source: schema.org DiscussionForumPosting and QAPage. */
function dataOf(page: PageContent, url: string): object | undefined {
  const { thread, messages, answerId, shown, channel } = page
  const [first, ...answers] = messages
  if (!thread || !first || page.query !== '') return undefined
  const person = ({ author }: PublicMessage) => ({ '@type': 'Person', name: shown.names.author(author) })
  const said = (message: PublicMessage) => ({
    text: plainLine(message.content, shown),
    author: person(message),
    url: `${url}#m${message.id}`,
  })
  const answer = answers.find(({ id }) => id === answerId)
  if (channel?.type === 'forum' && answer)
    return {
      '@context': 'https://schema.org',
      '@type': 'QAPage',
      mainEntity: {
        '@type': 'Question',
        name: thread.name,
        ...said(first),
        datePublished: first.created_at,
        answerCount: answers.length,
        acceptedAnswer: { '@type': 'Answer', ...said(answer), datePublished: answer.created_at },
      },
    }
  return {
    '@context': 'https://schema.org',
    '@type': 'DiscussionForumPosting',
    headline: thread.name,
    ...said(first),
    datePublished: first.created_at,
    comment: answers.map((one) => ({ '@type': 'Comment', ...said(one), datePublished: one.created_at })),
  }
}

/** A page as HTML, without scripts. */
export function htmlOf(page: PageContent): string {
  const { server, channel, thread, channels, messages, threads, next, query, shown } = page
  const path = pathOf(page)
  const url = `${shown.base}${path}`
  const { title, text } = about(page)
  const data = dataOf(page, url)
  const crumbs = [
    html`<a href="${pathOf({ server })}">${server.name}</a>`,
    ...(channel ? [html` › <a href="${pathOf({ server, channel })}">${channel.name}</a>`] : []),
  ]
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <meta name="description" content="${text}" />
        <link rel="canonical" href="${url}${query}" />
        <meta property="og:type" content="${thread ? 'article' : 'website'}" />
        <meta property="og:title" content="${title}" />
        <meta property="og:description" content="${text}" />
        <meta property="og:url" content="${url}${query}" />
        <meta property="og:site_name" content="${server.name}" />
        ${
          channel
            ? html`<link
                rel="alternate"
                type="application/atom+xml"
                title="${channel.name}"
                href="${pathOf({ server, channel })}/feed.atom"
              /> `
            : ''
        }
        <link rel="alternate" type="application/json" href="${path}.json${query}" />
        <style>
          ${new Html(STYLE)}
        </style>
        ${
          data
            ? html`<script type="application/ld+json">
                ${jsonInScript(data)}
              </script> `
            : ''
        }
      </head>
      <body>
        <header><nav aria-label="Place">${crumbs}</nav></header>
        <main>
          <h1 dir="auto">${(thread ?? channel ?? server).name}</h1>
          ${!channel && server.description ? html`<p dir="auto">${server.description}</p>` : ''}${channel && !thread && channel.topic ? html`<p dir="auto">${channel.topic}</p>` : ''}
          ${
            channel
              ? ''
              : html`<ul class="entries">
                  ${channels.map((one) => channelTag(one, page))}
                </ul>`
          }
          ${
            threads.length > 0
              ? html`<ul class="entries">
                  ${threads.map((one) => threadTag(one, page))}
                </ul>`
              : ''
          }
          ${
            messages.length > 0
              ? html`<ol class="entries">
                  ${messages.map((one) => messageTag(one, page))}
                </ol>`
              : ''
          }
          ${next ? html`<nav aria-label="Pages"><a rel="next" href="${path}${next}">Next page</a></nav>` : ''}
        </main>
      </body>
    </html> `.text
}

/** The same as data. */
export function jsonOf(page: PageContent): string {
  const { server, channel, thread, channels, messages, threads, next, answerId, shown } = page
  const path = pathOf(page)
  const place = ({ id, name, type, topic }: PublicPlace) => ({ id, name, type, topic })
  return JSON.stringify({
    url: `${shown.base}${path}`,
    server: { id: server.id, name: server.name, description: server.description },
    channel: channel ? place(channel) : null,
    thread: thread ? { ...place(thread), answer_message_id: answerId } : null,
    ...(channel
      ? {}
      : { channels: channels.map((one) => ({ ...place(one), path: pathOf({ server, channel: one }) })) }),
    threads: threads.map((one) => ({
      ...place(one),
      path: pathUnder(page, one),
      author: shown.names.author(one.author),
      beginning: plainLine(one.content, shown),
      created_at: one.created_at,
      answered: one.answered,
    })),
    messages: messages.map((one) => ({
      id: one.id,
      author: shown.names.author(one.author),
      text: plainLine(one.content, shown),
      created_at: one.created_at,
      edited_at: one.edited_at,
      reply: one.reply && { author: shown.names.author(one.reply.author), text: plainLine(one.reply.content, shown) },
      files: one.files.map((file) => ({
        name: file.filename,
        ...(isPicture(file) ? { url: picturePath(file.id) } : {}),
      })),
    })),
    next: next ? `${path}.json${next}` : null,
  })
}

/** The Atom feed of a channel: its newest posts, or messages. Source: RFC 4287. */
export function atomOf(page: PageContent): string {
  const { server, channel, threads, messages, shown } = page
  const url = `${shown.base}${pathOf(page)}`
  const entries = [
    ...threads.map((one) => ({
      url: `${shown.base}${pathUnder(page, one)}`,
      title: one.name,
      author: shown.names.author(one.author),
      at: one.created_at,
      text: plainLine(one.content, shown),
    })),
    ...messages.map((one) => ({
      url: `${url}?after=${one.id - 1}#m${one.id}`,
      title: clip(plainLine(one.content, shown)).slice(0, 80) || '…',
      author: shown.names.author(one.author),
      at: one.edited_at ?? one.created_at,
      text: plainLine(one.content, shown),
    })),
  ].toSorted((a, b) => (a.at < b.at ? 1 : -1))
  const updated = entries[0]?.at ?? channel?.created_at ?? ''
  return html`<?xml version="1.0" encoding="utf-8"?>
    <feed xmlns="http://www.w3.org/2005/Atom">
      <id>${url}</id>
      <title>${channel?.name} · ${server.name}</title>
      <updated>${updated}</updated>
      <link rel="alternate" type="text/html" href="${url}" />
      <link rel="self" type="application/atom+xml" href="${url}/feed.atom" />
      ${entries.map(
        (entry) =>
          html`<entry>
            <id>${entry.url}</id>
            <title>${entry.title}</title>
            <updated>${entry.at}</updated>
            <author><name>${entry.author}</name></author>
            <link rel="alternate" type="text/html" href="${entry.url}" />
            <summary>${entry.text}</summary>
          </entry> `,
      )}</feed
    > `.text
}

/** A sitemap of these paths. Source: sitemaps.org. */
export const sitemapOf = (base: string, paths: string[]): string =>
  html`<?xml version="1.0" encoding="utf-8"?>
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
      ${paths.map((path) => html`<url><loc>${base}${path}</loc></url> `)}</urlset
    > `.text

/** The addresses of the sitemaps of servers. */
export const sitemapIndexOf = (base: string, paths: string[]): string =>
  html`<?xml version="1.0" encoding="utf-8"?>
    <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
      ${paths.map((path) => html`<sitemap><loc>${base}${path}</loc></sitemap> `)}</sitemapindex
    > `.text
