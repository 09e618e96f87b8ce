import { atMost, type Figure, median } from './report.ts'
import { seed } from './seed.ts'
import { type BenchServer, withServer } from './server.ts'

/** Different pages: each post has one. */
const PAGES = 2_000
const ROUNDS = 5
const SECONDS = 4
const CONNECTIONS = 32
const RATE_MIN = 1_000
const UNCACHED_MS_MAX = 10

/** Public pages a second from the cache, over two thousand different ones; and the time of one that is built. */
export const publicPages = (): Promise<Figure[]> =>
  withServer(async (bench) => {
    await seed(bench, { users: 20, servers: 1, servers_per_user: 1, channels_per_server: 1 })
    const paths = await fillForum(bench)
    const get = async (path: string) => {
      const response = await fetch(bench.url + path)
      if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
      return (await response.text()).length
    }
    const uncached: number[] = []
    for (const [at, path] of paths.entries()) {
      const from = performance.now()
      await get(path)
      if (at % 20 === 0) uncached.push(performance.now() - from)
    }
    const rates: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      let count = 0
      const end = performance.now() + SECONDS * 1000
      await Promise.all(
        Array.from({ length: CONNECTIONS }, async () => {
          while (performance.now() < end) await get(paths[count++ % PAGES] ?? '/')
        }),
      )
      rates.push(count / SECONDS)
    }
    return [
      {
        name: `public pages from the cache, over ${PAGES.toLocaleString('en')} different ones`,
        unit: 'per s',
        parley: rates,
        target: { says: `≥ ${RATE_MIN}`, value: median(rates), met: median(rates) >= RATE_MIN },
      },
      {
        name: 'a public page that is not in the cache',
        unit: 'ms',
        parley: uncached,
        target: atMost(UNCACHED_MS_MAX, median(uncached), `≤ ${UNCACHED_MS_MAX} ms`),
      },
    ]
  })

/** A public forum whose posts have a question and ten answers. @returns the addresses of the posts */
async function fillForum({ sql }: BenchServer): Promise<string[]> {
  const rows = await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update servers set public = true`
    await tx`update members set joined_at = now() - interval '9 days'`
    const [forum] = await tx<{ id: number }[]>`
      insert into channels (server_id, name, type, position, tags, tag_required, guidelines, default_sort, layout,
        post_slowmode_seconds, archive_after_seconds, public_since)
      values (1, 'help', 'forum', 1, '[]', false, '', 'latest', 'list', 0, 259200, now() - interval '1 day')
      returning id`
    const forumId = forum?.id ?? 0
    await tx`insert into channels (server_id, parent_id, name, type, position, owner_id, active_at,
        archive_after_seconds, message_count, tag_ids, pinned, votes, hidden)
      select 1, ${forumId}, 'Post ' || n, 'thread', 0, 1, now(), 604800, 11, '{}', false, 0, false
      from generate_series(1, ${PAGES}::int) n`
    await tx`insert into messages (channel_id, author_id, content)
      select c.id, 1 + n, 'A **text** of some length about ' || c.name || ', with https://example.org/ in it'
      from channels c, generate_series(0, 10) n where c.parent_id = ${forumId}`
    await tx`update channels c set first_message_id = (select min(m.id) from messages m where m.channel_id = c.id)
      where c.parent_id = ${forumId}`
    return tx<{ path: string }[]>`
      select '/p/1-server-1/' || ${forumId}::bigint || '-help/' || id || '-post-' || split_part(name, ' ', 2) as path
      from channels where parent_id = ${forumId} order by id`
  })
  await sql`vacuum analyze`
  return rows.map(({ path }) => path)
}
