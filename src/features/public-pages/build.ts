import type { Sql } from '../../database/database.ts'
import { type PageAddress, segment } from './address.ts'
import { htmlOf, jsonOf, type PageContent, pathOf } from './documents.ts'
import { atomOf, sitemapOf } from './feeds.ts'
import {
  ADDRESSES_MAX,
  ENTRIES_PER_PAGE,
  namesIn,
  newestMessages,
  type PublicChannelPart,
  type PublicHome,
  type PublicServer,
  publicAnswer,
  publicChannel,
  publicChannels,
  publicMessages,
  publicServer,
  publicThread,
  publicThreads,
  threadNames,
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
  /** The servers that the page shows something of. */
  serverIds: number[]
  /** The accounts that it names. */
  namedIds: number[]
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

/** The part that a page has: posts of a forum come before an id, messages after one. */
function partOf({ channel, thread }: PublicChannelPart, form: PageAddress['form'], part: PagePart): PagePart {
  if (!channel || form === 'atom' || form === 'sitemap') return {}
  return thread || channel.type === 'text' ? { after: part.after } : { before: part.before }
}

const queryOf = ({ after, before }: PagePart): string =>
  after === undefined ? (before === undefined ? '' : `?before=${before}`) : `?after=${after}`

/** Messages and threads of a place, and the query of what follows. */
async function entriesOf(sql: Sql, { channel, thread }: PublicChannelPart, form: PageAddress['form'], part: PagePart) {
  const nothing = { messages: [], threads: [], next: undefined }
  if (!channel) return nothing
  if (thread || (channel.type === 'text' && form !== 'atom')) {
    const rows = await publicMessages(sql, channel, (thread ?? channel).id, part.after ?? 0)
    const messages = rows.slice(0, ENTRIES_PER_PAGE)
    const next = rows.length > messages.length ? queryOf({ after: messages.at(-1)?.id }) : undefined
    const isFirst = part.after === undefined
    const threads = thread || !isFirst ? [] : (await publicThreads(sql, channel, LARGEST_ID)).slice(0, ENTRIES_PER_PAGE)
    return { messages, threads, next }
  }
  if (channel.type === 'text') return { ...nothing, messages: await newestMessages(sql, channel) }
  const rows = await publicThreads(sql, channel, part.before ?? LARGEST_ID)
  const threads = rows.slice(0, ENTRIES_PER_PAGE)
  return {
    messages: [],
    threads,
    next: rows.length > threads.length ? queryOf({ before: threads.at(-1)?.id }) : undefined,
  }
}

/** The paths of all public pages of a server. */
async function addressesOf(sql: Sql, server: PublicServer, channels: PublicHome[]): Promise<string[]> {
  const paths = [pathOf({ server, channel: undefined, thread: undefined })]
  for (const channel of channels) {
    const home = pathOf({ server, channel, thread: undefined })
    const threads = await threadNames(sql, channel)
    paths.push(home, ...threads.map(({ id, name }) => `${home}/${segment(id, name)}`))
    if (paths.length > ADDRESSES_MAX) break
  }
  return paths.slice(0, ADDRESSES_MAX)
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
  // Sent together: each condition stands by itself.
  const [server, channel, thread] = await Promise.all([
    publicServer(sql, server_id),
    channel_id === undefined ? undefined : publicChannel(sql, server_id, channel_id),
    channel_id === undefined || thread_id === undefined ? undefined : publicThread(sql, channel_id, thread_id),
  ])
  if (!server) return undefined
  if ((channel_id !== undefined && !channel) || (thread_id !== undefined && !thread)) return undefined
  const channels = channel ? [] : await publicChannels(sql, server.id)
  // Like a server that does not exist.
  if (!channel && channels.length === 0) return undefined
  const place = { server, channel, thread }
  const path = `${pathOf(place)}${ENDINGS[form]}`
  const built = { type: TYPES[form], path, isIndexed: server.public_indexed, serverIds: [server.id], namedIds: [] }
  if (form === 'sitemap') return { ...built, body: sitemapOf(base, await addressesOf(sql, server, channels)) }
  const query = queryOf(partOf(place, form, part))
  const { messages, threads, next } = await entriesOf(sql, place, form, partOf(place, form, part))
  // Otherwise each of endless numbers would be a page.
  if (query !== '' && messages.length + threads.length === 0) return undefined
  const texts = [...messages, ...threads].flatMap((one) => [
    one.content,
    ...('cards' in one ? [...one.cards, one.reply?.content ?? '', one.forwarded ?? ''] : []),
  ])
  const references = texts.map((text) => referencesIn(text, base))
  const names = await namesIn(sql, server.id, {
    people: references.flatMap(({ people }) => people),
    channels: references.flatMap((each) => each.channels),
    messages: references.flatMap((each) => each.messages),
  })
  const shownNames = new ShownNames(names)
  const page: PageContent = {
    ...place,
    channels,
    messages,
    threads,
    next,
    query,
    answerId: thread ? await publicAnswer(sql, thread.id) : null,
    context: { names: shownNames, base },
  }
  const write = { html: htmlOf, json: jsonOf, atom: atomOf }[form]
  const body = write(page)
  const serverIds = [server.id, ...names.serverIds, ...messages.flatMap(({ originId }) => originId ?? [])]
  return { ...built, body, serverIds: [...new Set(serverIds)], namedIds: [...shownNames.namedIds] }
}
