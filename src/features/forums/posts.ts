import { columns, type Sql } from '../../database/database.ts'
import type { VisibleChannel } from '../access/guard.ts'
import { Channel, channelOf, type ForumSort } from '../access/model.ts'
import { demand } from '../access/guard.ts'
import { holds } from '../../core/permissions.ts'
import type { Searches } from '../search/search.ts'
import { BEGINNING_MAX, type ListedThread, POSTS_PER_PAGE, type ThreadQuery } from './model.ts'

/** PostgreSQL's largest int. */
const INT_MAX = 2 ** 31 - 1
/** Pages of search results per page of posts. */
const ROUNDS_MAX = 4

/** A place in a sorted list: the value by which a post is sorted, and its id. */
interface Position {
  value: number
  id: number
}

type Condition = ReturnType<typeof condition>

/** A page of posts, and the cursor of the next one. */
export interface PostPage {
  posts: ListedThread[]
  cursor: string | undefined
}

const positionOf = (cursor: string): Position => {
  const [value = '', id = ''] = cursor.split('.')
  return { value: Number(value), id: Number(id) }
}

/** The posts `c` of a forum that a query is about and its reader sees. */
function condition(sql: Sql, { id, permissions }: VisibleChannel, { tag, answered, archived }: ThreadQuery) {
  return sql`c.parent_id = ${id} and c.tag_ids is not null
    ${holds(permissions, 'manage_threads') ? sql`` : sql`and not c.hidden`}
    ${tag === undefined ? sql`` : sql`and c.tag_ids @> array[${tag}::bigint]`}
    ${answered === undefined ? sql`` : sql`and (c.answer_message_id is not null) = ${answered === 'true'}`}
    ${archived === undefined ? sql`` : sql`and (c.archived_at is not null) = ${archived === 'true'}`}`
}

const epochMs = (sql: Sql) => sql`(extract(epoch from c.active_at) * 1000)::bigint`

/** Ids and positions of the posts after a position, in order, at most one more than a page. */
function scan(sql: Sql, sort: ForumSort, where: Condition, after: Position | undefined) {
  const last = after ?? { value: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER }
  const limit = POSTS_PER_PAGE + 1
  if (sort === 'created')
    return sql<Position[]>`select c.id, 0 as value from channels c
      where ${where} and not c.pinned and c.id < ${last.id} order by c.id desc limit ${limit}`
  const votesMax = Math.min(last.value, INT_MAX)
  if (sort === 'votes')
    return sql<Position[]>`select c.id, c.votes as value from channels c
      where ${where} and not c.pinned and (c.votes, c.id) < (${votesMax}::int, ${last.id}::bigint)
      order by c.votes desc, c.id desc limit ${limit}`
  const before = after === undefined ? sql`'infinity'::timestamptz` : sql`to_timestamp(${after.value}::bigint / 1000.0)`
  // Unarchived posts are few, and a message in one of them must not change an index.
  return sql<Position[]>`
    select c.id, ${epochMs(sql)} as value from (
      (select c.* from channels c where ${where} and c.archived_at is null and not c.pinned
        and (c.active_at, c.id) < (${before}, ${last.id}::bigint)
        order by c.active_at desc, c.id desc limit ${limit})
      union all
      (select c.* from channels c where ${where} and c.type = 'thread' and c.archived_at is not null and not c.pinned
        and (c.archive_active_at, c.id) < (${before}, ${last.id}::bigint)
        order by c.archive_active_at desc, c.id desc limit ${limit})
    ) c order by c.active_at desc, c.id desc limit ${limit}`
}

const ORDERS = { latest: ['active_at', 'id'], created: ['id'], votes: ['votes', 'id'] } as const

/** Ids of the pinned posts, in order. */
async function pinnedIds(sql: Sql, sort: ForumSort, where: Condition): Promise<number[]> {
  const order = sql.unsafe(ORDERS[sort].map((name) => `c.${name} desc`).join(', '))
  const rows = await sql<{ id: number }[]>`
    select c.id from channels c where ${where} and c.pinned order by ${order}`
  return rows.map(({ id }) => id)
}

/** Posts by their ids, in that order, each with the beginning and the first picture of its first message. */
async function listedPosts(sql: Sql, positions: { id: number; cursor?: string }[]): Promise<ListedThread[]> {
  if (positions.length === 0) return []
  const ids = positions.map(({ id }) => id)
  const cursors = new Map(positions.map(({ id, cursor }) => [id, cursor]))
  const rows = await sql<(ListedThread & Pick<Required<ListedThread>, 'first_message'>)[]>`
    select ${columns(sql, Channel, 'c')}, (
      select json_build_object('author', case when m.author_name is null then public_user(u)
          else shown_author(u, m.author_name) end,
        'content', left(m.content, ${BEGINNING_MAX}), 'picture', (
          select file_json(f) from files f where f.message_id = m.id and f.content_type like 'image/%'
            and f.width is not null and (f.copied_from is null or copy_stands(f)) order by f.ordinal limit 1))
      from messages m join users u on u.id = m.author_id where m.id = c.first_message_id) as first_message
    from unnest(${ids}::bigint[]) with ordinality as wanted (id, at) join channels c on c.id = wanted.id
    order by wanted.at`
  return rows.map(({ first_message, ...row }) => {
    const cursor = cursors.get(row.id)
    return { ...channelOf(row), first_message, ...(cursor === undefined ? {} : { cursor }) }
  })
}

/** Posts that a search finds, by their names and first messages. */
async function foundPosts(
  sql: Sql,
  searches: Searches,
  me: number,
  where: Condition,
  { forumId, q, cursor }: { forumId: number; q: string; cursor: string | undefined },
): Promise<PostPage> {
  const shownPosts: { id: number; cursor: string }[] = []
  let next = cursor
  // Filters may leave out most of what is found.
  for (let rounds = 0; rounds < ROUNDS_MAX && shownPosts.length < POSTS_PER_PAGE; rounds++) {
    const page = await searches.posts(me, forumId, q, next, POSTS_PER_PAGE)
    next = page.cursor
    const cursors = new Map(page.hits.map((hit) => [hit.id, hit.cursor]))
    const rows = await sql<{ id: number; message_id: number }[]>`
      select c.id, m.id as message_id from unnest(${page.hits.map(({ id }) => id)}::bigint[]) with ordinality
        as found (message_id, at)
      join messages m on m.id = found.message_id join channels c on c.id = m.channel_id
      where ${where} order by found.at`
    shownPosts.push(...rows.map(({ id, message_id }) => ({ id, cursor: cursors.get(message_id) ?? '' })))
    if (next === undefined) break
  }
  const page = shownPosts.slice(0, POSTS_PER_PAGE)
  return { posts: await listedPosts(sql, page), cursor: shownPosts.length > page.length ? page.at(-1)?.cursor : next }
}

/**
 * A page of a forum's posts; on the first page the pinned ones come first.
 * @throws Problem `missing_permission` for a caller who may not read the history, and those of Searches
 */
export async function pageOfPosts(
  sql: Sql,
  searches: Searches,
  me: number,
  forum: VisibleChannel,
  query: ThreadQuery,
): Promise<PostPage> {
  demand(forum.permissions, 'read_history')
  const where = condition(sql, forum, query)
  const { q, cursor } = query
  if (q !== '') return foundPosts(sql, searches, me, where, { forumId: forum.id, q, cursor })
  const after = cursor === undefined ? undefined : positionOf(cursor)
  const sort = query.sort ?? forum.default_sort ?? 'latest'
  const positions = await scan(sql, sort, where, after)
  const page = positions.slice(0, POSTS_PER_PAGE).map(({ id, value }) => ({ id, cursor: `${value}.${id}` }))
  const pinned = after ? [] : await pinnedIds(sql, sort, where)
  return {
    posts: await listedPosts(sql, [...pinned.map((id) => ({ id })), ...page]),
    cursor: positions.length > page.length ? page.at(-1)?.cursor : undefined,
  }
}
