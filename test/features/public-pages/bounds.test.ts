import { expect, test } from 'bun:test'
import { PublicPages } from '../../../src/features/public-pages/page-cache.ts'
import { begun } from '../../support/forums.ts'
import { boot, type Person, stop } from '../../support/harness.ts'
import { passerBy } from '../../support/places.ts'
import { publicPlace } from '../../support/public-pages.ts'

const parley = await boot()
const BASE = parley.url
const { sql } = parley.parts
const [alice, bob] = (await Promise.all(['alice', 'bob'].map((name) => passerBy(parley, name)))) as [Person, Person]

test('a post with 10,000 long answers has pages of bounded size, and one server leaves room for others', async () => {
  const { server_id, forum_id } = await publicPlace(alice)
  const quiet = await publicPlace(bob)
  const post = await begun(alice, forum_id, 'Why?')
  await sql`insert into messages (channel_id, author_id, content)
    select ${post.id}, ${alice.id}, repeat('<@1> ', case when n > 1000 then 1 else 60 end)
    from generate_series(1, 10000) n`
  await begun(bob, quiet.forum_id, 'Because')
  const bytesMax = 4 * 1024 * 1024
  const pages = new PublicPages(sql, 16, bytesMax)
  let builds = 0
  const admit = async () => void builds++
  const page = (server: number, channel: number, after?: number, thread?: number) =>
    pages.page({ server_id: server, channel_id: channel, thread_id: thread, form: 'html' }, { after }, BASE, admit)
  expect(await page(quiet.server_id, quiet.forum_id)).toBeDefined()
  const quietBytes = pages.bytes(quiet.server_id)
  let after: number | undefined
  let count = 0
  for (;;) {
    const built = await page(server_id, forum_id, after, post.id)
    expect(built?.body.length).toBeLessThan(400_000)
    expect(pages.bytes()).toBeLessThanOrEqual(bytesMax)
    count++
    const [, next] = /\?after=(\d+)">Next page/.exec(new TextDecoder().decode(built?.body)) ?? []
    if (next === undefined) break
    after = Number(next)
  }
  expect(count).toBe(201)
  expect(pages.bytes()).toBeGreaterThan(bytesMax / 2)
  expect([pages.bytes(quiet.server_id), pages.bytes() - pages.bytes(server_id)]).toEqual([quietBytes, quietBytes])
  builds = 0
  await page(quiet.server_id, quiet.forum_id)
  expect(builds).toBe(0)
  const before = pages.bytes()
  for (let id = 1; id < 50; id++) expect(await page(id * 1_000_000, 1)).toBeUndefined()
  expect(pages.bytes()).toBe(before)
  const together = await Promise.all(Array.from({ length: 20 }, () => page(server_id, forum_id, 5, post.id)))
  expect(new Set(together.map((one) => one?.hash)).size).toBe(1)
})

test('readers without an account are limited by address, and more so for pages that must be built', async () => {
  const limited = await boot({ RATE_LIMITS: 'on' })
  const statuses = async (paths: string[]) => {
    const answers = await Promise.all(paths.map((path) => fetch(limited.url + path)))
    const refused = answers.find(({ status }) => status === 429)
    if (refused) expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    return new Set(answers.map(({ status }) => status))
  }
  expect(await statuses(Array.from({ length: 260 }, (_, at) => `/p/${at + 1}`))).toEqual(new Set([404, 429]))
  expect(await statuses(Array.from({ length: 20 }, () => '/sitemap.xml'))).toEqual(new Set([200, 429]))
  expect(await statuses(Array.from({ length: 700 }, () => '/robots.txt'))).toEqual(new Set([200, 429]))
  await stop(limited)
})
