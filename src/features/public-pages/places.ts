import { withoutHidden } from '../../core/visible.ts'
import type { Sql } from '../../database/database.ts'
import type { File } from '../files/model.ts'
import type { Poll } from '../polls/model.ts'
import type { Embed } from '../previews/model.ts'
import type { ShownSticker } from '../stickers/model.ts'
import { segment } from './address.ts'

// Reads what everybody may see; each condition is one of the functions in sql/functions/public.

/** Messages and posts per page. */
export const ENTRIES_PER_PAGE = 50
/** Channels per server. */
const LISTED_MAX = 1_000
/** Addresses per sitemap; the format allows 50,000. */
export const ADDRESSES_MAX = 40_000
const SERVERS_MAX = 40_000

export interface PublicServer {
  id: number
  name: string
  description: string
  public_indexed: boolean
}

export interface PublicPlace {
  id: number
  name: string
  type: 'text' | 'forum' | 'thread'
  topic: string
  created_at: string
}

/** A public channel, with what decides which of its messages are public. */
export interface PublicHome extends PublicPlace {
  server_id: number
  public_since: string
  public_older: boolean
}

/** A place on a page: a channel, and perhaps a thread in it. */
export interface PublicChannelPart {
  channel: PublicHome | undefined
  thread: PublicPlace | undefined
}

export interface PublicAuthor {
  id: number
  /** Null for people who did not choose to be named. */
  name: string | null
}

/** A message that everybody may read, with what it refers to, as far as that is public too. */
export interface PublicMessage {
  id: number
  channel_id: number
  author: PublicAuthor
  content: string
  /** Texts below it: of a bot's cards, or the question and answers of a poll. */
  cards: string[]
  created_at: string
  edited_at: string | null
  files: (Pick<File, 'id' | 'filename' | 'alt' | 'width' | 'height'> & { isPicture: boolean })[]
  /** A sticker of the server itself; those of others are not public. */
  sticker: Pick<ShownSticker, 'name' | 'alt' | 'url'> | null
  /** Undefined if it replies to nothing; null if that is not public. */
  reply: { author: PublicAuthor; content: string } | null | undefined
  /** Undefined if it forwards nothing; null if that is not public. */
  forwarded: string | null | undefined
  /** The server of the forwarded message, if that is public. */
  originId?: number
}

/** Without characters that are invisible or reorder the text around them. */
const withPlainName = <T extends { name: string }>(row: T): T => ({ ...row, name: withoutHidden(row.name) })

/** The public face of an account `u`: bots, webhooks, whose accounts are never alive, and who chose it are named. */
const author = (sql: Sql, name = sql`u.display_name`) => sql`json_build_object('id', u.id, 'name',
  case when u.kind = 'webhook' or u.deleted_at is null and (u.public_name or u.kind = 'bot') then ${name} end)`

export async function publicServer(sql: Sql, id: number): Promise<PublicServer | undefined> {
  const [server] = await sql<PublicServer[]>`
    select id, name, description, public_indexed from servers where id = ${id} and public and owner_id is not null`
  return server && withPlainName(server)
}

/** The public channels of a server, in its order. */
export async function publicChannels(sql: Sql, serverId: number): Promise<PublicHome[]> {
  const rows = await sql<PublicHome[]>`
    select c.id, c.name, c.type, c.topic, c.created_at, c.server_id, c.public_since, c.public_older from channels c
    where c.server_id = ${serverId} and c.public_since is not null and is_public_channel(c)
    order by c.position, c.id limit ${LISTED_MAX}`
  return rows.map(withPlainName)
}

export async function publicChannel(sql: Sql, serverId: number, id: number): Promise<PublicHome | undefined> {
  const [channel] = await sql<PublicHome[]>`
    select c.id, c.name, c.type, c.topic, c.created_at, c.server_id, c.public_since, c.public_older from channels c
    where c.id = ${id} and c.server_id = ${serverId} and c.type <> 'thread' and is_public_channel(c)`
  return channel && withPlainName(channel)
}

/** A post or thread of a public channel. */
export async function publicThread(sql: Sql, channelId: number, id: number): Promise<PublicPlace | undefined> {
  const [thread] = await sql<PublicPlace[]>`
    select c.id, c.name, c.type, c.topic, c.created_at from channels c
    where c.id = ${id} and c.parent_id = ${channelId} and c.type = 'thread' and is_public_thread(c)`
  return thread && withPlainName(thread)
}

const messageColumns = (sql: Sql) => sql`
  m.id, m.channel_id, m.content, m.created_at, m.edited_at,
  case when not m.embeds_suppressed then m.embeds end as embeds,
  (select json_build_object('question', p.question, 'answers', p.answers)
    from polls p where p.message_id = m.id) as poll,
  (select ${author(sql, sql`coalesce(m.author_name, u.display_name)`)} from users u where u.id = m.author_id) as author,
  coalesce((select json_agg(json_build_object('id', f.id, 'filename', f.filename, 'alt', f.alt,
      'width', f.width, 'height', f.height,
      'isPicture', f.thumbnail_key is not null and f.filename not like 'SPOILER\\_%') order by f.ordinal)
    from files f where f.message_id = m.id and f.copied_from is null), '[]'::json) as files,
  case when m.sticker_id is not null then (
    select json_build_object('name', s.name, 'alt', s.alt, 'url', '/media/stickers/' || s.key) from stickers s
    where s.id = m.sticker_id and s.server_id = (select c.server_id from channels c where c.id = m.channel_id)
  ) end as sticker,
  m.reply_to_id is not null as replies,
  (select json_build_object('content', r.content, 'author',
      (select ${author(sql, sql`coalesce(r.author_name, u.display_name)`)} from users u where u.id = r.author_id))
    from messages r where r.id = m.reply_to_id and r.channel_id = m.channel_id and is_public_message(r)) as reply,
  m.forwarded_id is not null or m.forwarded is not null as forwards,
  (select json_build_object('content', o.content, 'server_id', origin.server_id) from messages o
    join channels origin on origin.id = o.channel_id where o.id = m.forwarded_id and is_public_message(o)) as original`

type MessageRow = Omit<PublicMessage, 'cards'> & {
  embeds: Embed[] | null
  poll: Pick<Poll, 'question' | 'answers'> | null
  replies: boolean
  forwards: boolean
  original: { content: string; server_id: number } | null
}

/** The texts of a card. Previews of links are left out, because they say what another site says. */
const textsOf = ({ type, title, url, description, fields, footer }: Embed): string[] => {
  if (type !== 'rich') return []
  const head = title === null ? null : url === null ? `**${title}**` : `[${title}](${url})`
  const texts = [head, description, ...fields.map(({ name, value }) => `**${name}**\n${value}`), footer]
  return texts.filter((text) => text !== null)
}

/** The question and answers of a poll. Votes are left out, because they are also those of people who are not public. */
const pollText = ({ question, answers }: Pick<Poll, 'question' | 'answers'>): string =>
  [`**${question}**`, '', ...answers.map(({ emoji, text }) => `- ${emoji ? `${emoji} ` : ''}${text}`)].join('\n')

const messageOf = ({ replies, forwards, reply, original, embeds, poll, ...message }: MessageRow): PublicMessage => ({
  ...message,
  cards: [...(embeds ?? []).flatMap(textsOf), ...(poll ? [pollText(poll)] : [])],
  reply: replies ? (reply ?? null) : undefined,
  forwarded: forwards ? (original?.content ?? null) : undefined,
  ...(original ? { originId: original.server_id } : {}),
})

/** The same as is_public_author, which costs ten times as much a row: PostgreSQL does not inline it. */
const isByPublicAuthor = (sql: Sql, { server_id }: PublicHome, userId: ReturnType<Sql>, at: ReturnType<Sql>) => sql`
  not exists (select from quarantines q where q.server_id = ${server_id} and q.user_id = ${userId}) and coalesce(
    (select mem.held_back is null and not mem.is_guest and mem.joined_at <= now() - interval '24 hours'
      from members mem where mem.server_id = ${server_id} and mem.user_id = ${userId}),
    not exists (select from users w where w.id = ${userId}
      and (w.kind = 'guest' or w.kind = 'person' and ${at} > now() - interval '24 hours')))`

/** The search for the first message is a subquery of its own, so that it runs once and not for each row. */
const isSince = (sql: Sql, { public_since }: PublicHome, placeId: number) => sql`m.created_at >= ${public_since}
  and m.id >= (select first_message_since(${placeId}, ${public_since}))`

/**
 * A condition on messages `m` of a public channel, or of a public thread in it: is_public_message without the channel,
 * which is asked once. The first public message bounds what is read of a long history.
 */
const isPublicIn = (sql: Sql, home: PublicHome, placeId: number) => sql`m.kind = 'default'
  and ${home.public_older ? sql`true` : isSince(sql, home, placeId)}
  and ${isByPublicAuthor(sql, home, sql`m.author_id`, sql`m.created_at`)}`

/** Public messages of a channel or thread after an id, the oldest first, one more than a page. */
export async function publicMessages(
  sql: Sql,
  home: PublicHome,
  placeId: number,
  after: number,
): Promise<PublicMessage[]> {
  const rows = await sql<MessageRow[]>`
    select ${messageColumns(sql)} from messages m
    where m.channel_id = ${placeId} and m.id > ${after} and ${isPublicIn(sql, home, placeId)}
    order by m.id limit ${ENTRIES_PER_PAGE + 1}`
  return rows.map(messageOf)
}

/** The newest public messages of a channel, for its feed. */
export async function newestMessages(sql: Sql, home: PublicHome): Promise<PublicMessage[]> {
  const rows = await sql<MessageRow[]>`
    select ${messageColumns(sql)} from messages m
    where m.channel_id = ${home.id} and ${isPublicIn(sql, home, home.id)}
    order by m.id desc limit ${ENTRIES_PER_PAGE}`
  return rows.map(messageOf)
}

/** The object of a picture that a public message shows. Thumbnails have no metadata, and are small. */
export async function publicPicture(
  sql: Sql,
  fileId: number,
): Promise<{ key: string; isIndexed: boolean } | undefined> {
  const [picture] = await sql<{ key: string; isIndexed: boolean }[]>`
    select f.thumbnail_key as key, s.public_indexed as "isIndexed"
    from files f join messages m on m.id = f.message_id
    join channels c on c.id = m.channel_id join servers s on s.id = c.server_id
    where f.id = ${fileId} and f.copied_from is null and f.thumbnail_key is not null
      and f.filename not like 'SPOILER\\_%' and is_public_message(m)`
  return picture
}

/** Public servers that search engines may list. */
export const listedServers = (sql: Sql) => sql<{ id: number; name: string }[]>`
  select s.id, s.name from servers s
  where s.public and s.public_indexed and s.owner_id is not null and exists (
    select from channels c where c.server_id = s.id and c.public_since is not null and is_public_channel(c))
  order by s.id limit ${SERVERS_MAX}`

/** Addresses of the public threads and posts of a channel, for the sitemap of its server. */
export const threadNames = (sql: Sql, home: PublicHome) => sql<{ id: number; name: string }[]>`
  select c.id, c.name from channels c left join messages m on m.id = c.first_message_id
  where c.parent_id = ${home.id} and ${isListed(sql, home)} order by c.id desc limit ${ADDRESSES_MAX}`

/** A post or thread in the list of its channel. */
export interface ListedPlace extends PublicPlace {
  author: PublicAuthor
  /** The first message; of a thread, empty. */
  content: string
  answered: boolean
}

/** A condition on threads `c` of a public channel, with their first messages `m`: is_public_thread for many. */
const isListed = (sql: Sql, home: PublicHome) => sql`c.type = 'thread' and c.hidden is not true
  and (${home.public_older} or coalesce(m.created_at, c.created_at) >= ${home.public_since})
  and (c.tag_ids is null or m.kind = 'default')
  and ${isByPublicAuthor(sql, home, sql`coalesce(m.author_id, c.owner_id)`, sql`coalesce(m.created_at, c.created_at)`)}`

/** Public posts of a forum, or threads of a channel, before an id, the newest first, one more than a page. */
export async function publicThreads(sql: Sql, home: PublicHome, before: number): Promise<ListedPlace[]> {
  const rows = await sql<ListedPlace[]>`
  select c.id, c.name, c.type, c.topic, c.created_at,
    (select ${author(sql)} from users u where u.id = c.owner_id) as author,
    coalesce(m.content, '') as content,
    coalesce((select is_public_message(a) from messages a where a.id = c.answer_message_id), false) as answered
  from channels c left join messages m on m.id = c.first_message_id
  where c.parent_id = ${home.id} and c.id < ${before} and ${isListed(sql, home)}
  order by c.id desc limit ${ENTRIES_PER_PAGE + 1}`
  return rows.map(withPlainName)
}

/** The answer of a post, if that is public. */
export async function publicAnswer(sql: Sql, postId: number): Promise<number | null> {
  const [row] = await sql<{ id: number }[]>`
    select m.id from channels c join messages m on m.id = c.answer_message_id
    where c.id = ${postId} and is_public_message(m)`
  return row?.id ?? null
}

/** Names that a page may show: of accounts by their ids, and of channels and threads. */
export interface PublicNames {
  people: Map<number, string | null>
  places: Map<number, { name: string; path: string }>
  /** Messages that everybody may read. */
  messages: Set<number>
  /** The servers of these places and messages. */
  serverIds: number[]
}

/**
 * Looks up what texts refer to. Unknown and private ids are simply absent, and so are people who are no members of the
 * page's server.
 */
export async function namesIn(
  sql: Sql,
  serverId: number,
  ids: { people: number[]; channels: number[]; messages: number[] },
): Promise<PublicNames> {
  const people =
    ids.people.length === 0
      ? []
      : await sql<{ id: number; author: PublicAuthor }[]>`
    select u.id, ${author(sql)} as author from users u where u.id = any(${ids.people}::bigint[])
      and exists (select from members m where m.server_id = ${serverId} and m.user_id = u.id)`
  const places =
    ids.channels.length === 0
      ? []
      : await sql<PlaceRow[]>`
    select c.id, c.name, c.server_id, s.name as server_name, home.id as home_id, home.name as home_name
    from channels c join channels home on home.id = c.audience_id join servers s on s.id = c.server_id
    where c.id = any(${ids.channels}::bigint[]) and is_public_channel(home)
      and (c.type <> 'thread' or is_public_thread(c))`
  const messages =
    ids.messages.length === 0
      ? []
      : await sql<{ id: number; server_id: number }[]>`
    select m.id, c.server_id from messages m join channels c on c.id = m.channel_id
    where m.id = any(${ids.messages}::bigint[]) and is_public_message(m)`
  return {
    people: new Map(people.map(({ id, author: { name } }) => [id, name])),
    places: new Map(places.map((row) => [row.id, { name: withPlainName(row).name, path: pathOfRow(row) }])),
    messages: new Set(messages.map(({ id }) => id)),
    serverIds: [...places, ...messages].map(({ server_id }) => server_id),
  }
}

interface PlaceRow {
  id: number
  name: string
  server_id: number
  server_name: string
  home_id: number
  home_name: string
}

const pathOfRow = ({ id, name, server_id, server_name, home_id, home_name }: PlaceRow): string =>
  `/p/${[[server_id, server_name], [home_id, home_name], ...(id === home_id ? [] : [[id, name]])]
    .map(([placeId, placeName]) => segment(Number(placeId), String(placeName)))
    .join('/')}`
