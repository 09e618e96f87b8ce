import { atMost, type Figure, median } from './report.ts'
import { seed } from './seed.ts'
import { type BenchServer, withServer } from './server.ts'

const POSTS = 10_000
/** The limit of a forum; the other posts are archived. */
const UNARCHIVED = 1_000
const TAGS = 10
const READS = 60
/** Limit of a page, ms. */
const PAGE_MS_MAX = 20

/** Pages of a forum with ten thousand posts, by HTTP: in each order, with a rare tag, far down, and by words. */
export const forums = (): Promise<Figure[]> =>
  withServer(async (bench) => {
    const [person] = await seed(bench, { users: 1, servers: 1, servers_per_user: 1, channels_per_server: 1 })
    const forumId = await fillForum(bench)
    const far = Math.floor(forumId + POSTS / 2)
    const pages = {
      'latest activity': '',
      'newest, far down': `sort=created&cursor=0.${far}`,
      'most votes': 'sort=votes',
      'a tag of every hundredth post': 'tag=1',
      'without an answer': 'answered=false',
    }
    const figures: Figure[] = []
    for (const [name, query] of Object.entries(pages)) {
      const times: number[] = []
      for (let read = -5; read < READS; read++) {
        const at = performance.now()
        const response = await fetch(`${bench.url}/api/channels/${forumId}/threads?${query}`, {
          headers: { authorization: `Bearer ${person?.token}` },
        })
        const rows = await response.json()
        if (rows.length < 25) throw new Error(`${name}: ${JSON.stringify(rows).slice(0, 200)}`)
        if (read >= 0) times.push(performance.now() - at)
      }
      figures.push({
        name: `a page of a forum with ${POSTS.toLocaleString('en')} posts: ${name}`,
        unit: 'ms',
        parley: times,
        target: atMost(PAGE_MS_MAX, median(times), `≤ ${PAGE_MS_MAX} ms`),
      })
    }
    return figures
  })

/** A forum with its posts, each with a first message and an answer. @returns its id */
async function fillForum({ sql }: BenchServer): Promise<number> {
  const [forum] = await sql<{ id: number }[]>`
    insert into channels (server_id, name, type, position, tags, tag_required, guidelines, default_sort, layout,
      post_slowmode_seconds, archive_after_seconds)
    values (1, 'help', 'forum', 1, '[]', false, '', 'latest', 'list', 0, 259200) returning id`
  const forumId = forum?.id ?? 0
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`insert into channels (server_id, parent_id, name, type, position, owner_id, active_at,
        archive_after_seconds, archived_at, message_count, tag_ids, pinned, votes, hidden)
      select 1, ${forumId}, 'Post ' || n, 'thread', 0, 1, now() - n * interval '1 minute', 604800,
        case when n > ${UNARCHIVED}::int then now() end, 2, case when n % 100 = 0 then array[1] else
        array[2 + n % ${TAGS}::int] end, false, n % 50, false
      from generate_series(1, ${POSTS}::int) n`
    await tx`insert into messages (channel_id, author_id, content)
      select c.id, 1, 'A question of some length about post ' || c.name from channels c, generate_series(1, 2)
      where c.parent_id = ${forumId}`
    await tx`update channels c set first_message_id = (select min(m.id) from messages m where m.channel_id = c.id)
      where c.parent_id = ${forumId}`
  })
  await sql`vacuum analyze channels, messages`
  return forumId
}
