import type { Sql } from '../../database/database.ts'
import { type PageAddress, segment } from './address.ts'
import { atomOf, htmlOf, jsonOf, type PageContent, pathOf, sitemapOf } from './documents.ts'
import {
  ENTRIES_PER_PAGE,
  namesIn,
  newestMessages,
  type PublicChannelPart,
  publicAnswer,
  publicChannel,
  publicChannels,
  publicMessages,
  publicServer,
  publicThread,
  publicThreads,
  threadsOfServer,
} from './places.ts'
import { referencesIn } from './rich-text.ts'
import { ShownNames } from './shown-names.ts'

/** A page as it is sent. */
export interface Built {
  type: string
  body: string
  /** The path by the present names; another one is redirected to it. */
  path: string
  isIndexed: boolean
}

/** The part of a long page: after, or before, an id. */
export interface PagePart {
  after?: number | undefined
  before?: number | undefined
}

const TYPES = {
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  atom: 'application/atom+xml; charset=utf-8',
  sitemap: 'application/xml; charset=utf-8',
}
const ENDINGS = { html: '', json: '.json', atom: '/feed.atom', sitemap: '/sitemap.xml' }
const LARGEST_ID = Number.MAX_SAFE_INTEGER

/** Messages and threads of a place, and the query of what follows. */
async function entriesOf(sql: Sql, { channel, thread }: PublicChannelPart, form: PageAddress['form'], part: PagePart) {
  const nothing = { messages: [], threads: [], next: undefined }
  if (!channel) return nothing
  if (thread || (channel.type === 'text' && form !== 'atom')) {
    const rows = await publicMessages(sql, (thread ?? channel).id, part.after ?? 0)
    const messages = rows.slice(0, ENTRIES_PER_PAGE)
    const next = rows.length > messages.length ? `?after=${messages.at(-1)?.id}` : undefined
    const isFirst = part.after === undefined
    const threads =
      thread || !isFirst ? [] : (await publicThreads(sql, channel.id, LARGEST_ID)).slice(0, ENTRIES_PER_PAGE)
    return { messages, threads, next }
  }
  if (channel.type === 'text') return { ...nothing, messages: await newestMessages(sql, channel.id) }
  const rows = await publicThreads(sql, channel.id, part.before ?? LARGEST_ID)
  const threads = rows.slice(0, ENTRIES_PER_PAGE)
  return { messages: [], threads, next: rows.length > threads.length ? `?before=${threads.at(-1)?.id}` : undefined }
}

/**
 * Builds a public page from one snapshot of the database.
 * @returns undefined if the address leads to nothing that everybody may see
 */
export async function buildPage(
  sql: Sql,
  { server_id, channel_id, thread_id, form }: PageAddress,
  part: PagePart,
  base: string,
): Promise<Built | undefined> {
  const server = await publicServer(sql, server_id)
  if (!server) return undefined
  const channel = channel_id === undefined ? undefined : await publicChannel(sql, server.id, channel_id)
  const thread = channel && thread_id !== undefined ? await publicThread(sql, channel.id, thread_id) : undefined
  if ((channel_id !== undefined && !channel) || (thread_id !== undefined && !thread)) return undefined
  const channels = channel ? [] : await publicChannels(sql, server.id)
  // A server without public channels is as unknown as any other.
  if (!channel && channels.length === 0) return undefined
  const place = { server, channel, thread }
  const path = `${pathOf(place)}${ENDINGS[form]}`
  const built = { type: TYPES[form], path, isIndexed: server.public_indexed }
  if (form === 'sitemap') {
    const homes = new Map(channels.map((one) => [one.id, pathOf({ server, channel: one, thread: undefined })]))
    const threads = await threadsOfServer(sql, server.id)
    const below = threads.map(({ id, name, parent_id }) => `${homes.get(parent_id)}/${segment(id, name)}`)
    return {
      ...built,
      body: sitemapOf(base, [pathOf({ server, channel: undefined, thread: undefined }), ...homes.values(), ...below]),
    }
  }
  const { messages, threads, next } = await entriesOf(sql, place, form, part)
  const texts = [...messages, ...threads].flatMap((one) => [
    one.content,
    ...('reply' in one ? [one.reply?.content ?? '', one.forwarded ?? ''] : []),
  ])
  const references = texts.map((text) => referencesIn(text, base))
  const names = await namesIn(sql, {
    people: references.flatMap(({ people }) => people),
    channels: references.flatMap((each) => each.channels),
    messages: references.flatMap((each) => each.messages),
  })
  const query =
    part.after === undefined ? (part.before === undefined ? '' : `?before=${part.before}`) : `?after=${part.after}`
  const page: PageContent = {
    ...place,
    channels,
    messages,
    threads,
    next,
    query,
    answerId: thread ? await publicAnswer(sql, thread.id) : null,
    shown: { names: new ShownNames(names), base },
  }
  const write = { html: htmlOf, json: jsonOf, atom: atomOf }[form]
  return { ...built, body: write(page) }
}
