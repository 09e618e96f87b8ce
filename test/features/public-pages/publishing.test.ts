import { expect, test } from 'bun:test'
import type { Database } from '../../../src/database/database.ts'
import { PublicPages } from '../../../src/features/public-pages/page-cache.ts'
import { permissions } from '../../../src/core/permissions.ts'
import { begun } from '../../support/forums.ts'
import { boot, type Person, say } from '../../support/harness.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { publicPlace, settle } from '../../support/public-pages.ts'
import { png, upload } from '../../support/uploads.ts'

const parley = await boot()
const BASE = parley.url
const { sql } = parley.parts
const [alice, bob, carol] = (await Promise.all(['alice', 'bob', 'carol'].map((name) => passerBy(parley, name)))) as [
  Person,
  Person,
  Person,
]
await sql`update users set public_name = true where id = ${alice.id}`

const get = (path: string) => fetch(parley.url + path)
const status = async (path: string) => (await get(path)).status
const read = async (path: string) => (await get(path)).text()

test('publishing takes manage_server, older messages the owner, who learns how many people wrote them', async () => {
  const { server_id, channel_id } = await place(alice, bob, carol)
  await settle(parley, server_id)
  for (const who of [alice, alice, carol]) await say(who, channel_id, 'Before')
  const thread = (await alice.post(`/api/channels/${channel_id}/threads`, { name: 'Owls' })).body
  await say(bob, thread.id, 'Before')
  const put = (who: Person, path: string, body: object) => who.put(`/api/${path}`, body)
  const channel = `channels/${channel_id}`
  await rank(parley, server_id, permissions('manage_channels'), bob)
  for (const [path, body] of [
    [channel, { public: true }],
    [channel, { public_older: true }],
    [`servers/${server_id}`, { public: true }],
  ] as const)
    expect((await put(bob, path, body)).body.code).toBe('missing_permission')
  expect((await bob.get(`/api/${channel}/writers`)).body.code).toBe('missing_permission')
  await rank(parley, server_id, permissions('manage_server'), bob)
  // Until both are switched on, nothing is public.
  expect((await put(bob, channel, { public: true })).status).toBe(200)
  expect(await status(`/p/${server_id}/${channel_id}`)).toBe(404)
  expect((await put(bob, `servers/${server_id}`, { public: true })).status).toBe(200)
  expect(await status(`/p/${server_id}/${channel_id}`)).toBe(200)
  await say(carol, channel_id, 'After')
  expect((await alice.get(`/api/${channel}/writers`)).body).toEqual({ people: 3, messages: 4 })
  expect((await put(bob, channel, { public_older: true })).body.code).toBe('forbidden')
  expect(await read(`/p/${server_id}/${channel_id}`)).not.toContain('Before')
  expect((await put(alice, channel, { public_older: true })).status).toBe(200)
  expect(await read(`/p/${server_id}/${channel_id}`)).toContain('Before')
  // A voice channel, a category and a thread have no pages of their own.
  const voice = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'calls', type: 'voice' })).body
  for (const id of [voice.id, thread.id])
    expect((await put(alice, `channels/${id}`, { public: true })).status).toBe(422)
})

test('the head of a page names its only address, its feed and its data, and what cards show', async () => {
  const { server_id, forum_id } = await publicPlace(alice)
  const file = await upload(alice, 'owl.png', 'image/png', await png(40, 30))
  const message = { content: 'It *calls* at "night"', file_ids: [file.id] }
  const { body: post } = await alice.post(`/api/channels/${forum_id}/threads`, { name: 'Which owl?', message })
  const path = `/p/${server_id}-birdwatchers/${forum_id}-help/${post.id}-which-owl`
  const html = await read(path)
  for (const part of [
    '<html lang="en">',
    '<title>Which owl? · Birdwatchers</title>',
    '<meta name="description" content="It calls at &quot;night&quot;">',
    `<link rel="canonical" href="${BASE}${path}">`,
    '<meta property="og:type" content="article">',
    '<meta property="og:title" content="Which owl? · Birdwatchers">',
    '<meta property="og:description" content="It calls at &quot;night&quot;">',
    `<meta property="og:url" content="${BASE}${path}">`,
    '<meta property="og:site_name" content="Birdwatchers">',
    `<meta property="og:image" content="${BASE}/p/pictures/${file.id}">`,
    `<link rel="alternate" type="application/json" href="${path}.json">`,
    `title="help" href="/p/${server_id}-birdwatchers/${forum_id}-help/feed.atom">`,
    '<h1 dir="auto" lang="">Which owl?</h1>',
  ])
    expect(html).toContain(part)
  expect(await read(`/p/${server_id}-birdwatchers/${forum_id}-help`)).not.toContain('og:image')
})

test('one file tells robots to read public pages and nothing else, and names the sitemaps', async () => {
  const { server_id } = await publicPlace(alice)
  expect(await read('/robots.txt')).toBe(
    `User-agent: *\nAllow: /p/\nAllow: /sitemap.xml$\nDisallow: /\nSitemap: ${BASE}/sitemap.xml\n`,
  )
  expect(await read('/sitemap.xml')).toContain(`<loc>${BASE}/p/${server_id}-birdwatchers/sitemap.xml</loc>`)
})

test('a long channel is read by cursors, each page once, while older messages go', async () => {
  const { server_id, open_id } = await publicPlace(alice)
  await sql`insert into messages (channel_id, author_id, content)
    select ${open_id}, ${alice.id}, 'Heron ' || n || '.' from generate_series(1, 120) n`
  const first = `/p/${server_id}-birdwatchers/${open_id}-open`
  const seen: string[] = []
  for (let path: string | undefined = first; path !== undefined;) {
    const html = await read(path)
    const [, next] = /<a rel="next" href="([^"]+)"/.exec(html) ?? []
    seen.push(...[...html.matchAll(/Heron (\d+)\./g)].map(([, n = '']) => n))
    if (path === first) await sql`delete from messages where channel_id = ${open_id} and content = 'Heron 1.'`
    path = next
  }
  expect(seen).toEqual(Array.from({ length: 120 }, (_, at) => String(at + 1)))
})

test('requests for one page share a build, and a bounded number of builds runs at once', async () => {
  const { server_id, forum_id } = await publicPlace(alice)
  for (let at = 0; at < 12; at++) await begun(alice, forum_id, `Post ${at}`)
  const posts = await sql<{ id: number }[]>`select id from channels where parent_id = ${forum_id}`
  let [builds, running, most] = [0, 0, 0]
  // The real connection, which counts transactions: each build is one.
  const counting = new Proxy(sql, {
    get: (target, name, self) => {
      if (name !== 'begin') return Reflect.get(target, name, self)
      return async (...args: Parameters<Database['begin']>) => {
        builds += 1
        running += 1
        most = Math.max(most, running)
        return target.begin(...args).finally(() => running--)
      }
    },
  }) as Database
  const pages = new PublicPages(counting, 6)
  const page = (thread_id: number) =>
    pages.page({ server_id, channel_id: forum_id, thread_id, form: 'html' }, {}, BASE, async () => {})
  const own = posts[0]?.id ?? 0
  const bodies = await Promise.all(Array.from({ length: 40 }, () => page(own)))
  expect(new Set(bodies.map((one) => one?.hash)).size).toBe(1)
  // A request that comes while a build runs waits for the next one, which all such requests share.
  expect(builds).toBeWithin(1, 3)
  await Promise.all(posts.flatMap(({ id }) => [page(id), page(id), page(id)]))
  expect(most).toBe(3)
})
