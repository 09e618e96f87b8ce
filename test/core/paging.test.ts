import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  CursorQuery,
  linkNext,
  OFFSET_MAX,
  OffsetQuery,
  offsetPage,
  PAGE_MAX,
  type Page,
  pageOf,
  type Scan,
  scans,
} from '../../src/core/paging.ts'
import { person, newServer, standard } from '../support/harness.ts'
import { nextOf, walk } from '../support/pages.ts'

type Order = 'newest' | 'oldest'

/** The rows that a database finds for a scan. */
const run = (ids: number[], { side, bound, limit, offset }: Scan): number[] =>
  ids
    .filter((id) => (side === 'below' ? id < bound : id > bound))
    .toSorted((a, b) => (side === 'below' ? b - a : a - b))
    .slice(offset, offset + limit)

const pageFor = (ids: number[], query: CursorQuery, order: Order): Page<number> =>
  pageOf(
    query,
    order,
    scans(query, order).map((scan) => run(ids, scan)),
    (id) => id,
  )

/** The expected page, computed over the whole list. */
function naive(ids: number[], query: CursorQuery, order: Order): number[] {
  const up = ids.toSorted((a, b) => a - b)
  const { limit, before, after, around, offset = 0 } = query
  const list = (rows: number[]) => (order === 'newest' ? rows.toReversed() : rows)
  if (before !== undefined) return list(up.filter((id) => id < before).slice(-limit))
  if (after !== undefined) return list(up.filter((id) => id > after).slice(0, limit))
  if (around === undefined) return list(up).slice(offset, offset + limit)
  const lower = up.filter((id) => id <= around)
  const upper = up.filter((id) => id > around)
  const half = Math.ceil(limit / 2)
  return list([...lower.slice(Math.max(0, lower.length - half)), ...upper.slice(0, limit - half)])
}

const anIds = fc.uniqueArray(fc.integer({ min: 1, max: 300 }), { maxLength: 60 })
const anOrder = fc.constantFrom<Order>('newest', 'oldest')
const aLimit = fc.integer({ min: 1, max: PAGE_MAX })
const anId = fc.integer({ min: 0, max: 320 })
const aQuery: fc.Arbitrary<CursorQuery> = fc.oneof(
  fc.record({ limit: aLimit }),
  fc.record({ limit: aLimit, offset: fc.nat(80) }),
  fc.record({ limit: aLimit, before: anId }),
  fc.record({ limit: aLimit, after: anId }),
  fc.record({ limit: aLimit, around: fc.integer({ min: 1, max: 320 }) }),
)

test('a page has the right rows and next query, for every cursor, offset, limit and order', () => {
  fc.assert(
    fc.property(anIds, aQuery, anOrder, (ids, query, order) => {
      expect(pageFor(ids, query, order).rows).toEqual(naive(ids, query, order))
    }),
    { numRuns: 2000 },
  )
})

test('following the next links visits every row once, whatever cursor or offset the walk begins with', () => {
  const beginnings = aQuery.filter((query) => query.around === undefined)
  fc.assert(
    fc.property(anIds, beginnings, anOrder, (ids, query, order) => {
      const walked: number[] = []
      for (let page = pageFor(ids, query, order); ;) {
        walked.push(...page.rows)
        if (!page.next) break
        expect(page.rows).toHaveLength(query.limit)
        page = pageFor(ids, { limit: 0, ...page.next }, order)
        expect(page.rows).not.toBeEmpty()
      }
      const all = naive(ids, { ...query, limit: 1000 }, order)
      expect(walked.toSorted((a, b) => a - b)).toEqual(all.toSorted((a, b) => a - b))
    }),
    { numRuns: 2000 },
  )
})

test('following the next links from the middle visits all rows behind it', () => {
  fc.assert(
    fc.property(anIds, aLimit, fc.integer({ min: 1, max: 320 }), anOrder, (ids, limit, around, order) => {
      const first = pageFor(ids, { limit, around }, order)
      const walked = [...first.rows]
      for (let { next } = first; next;) {
        const page = pageFor(ids, { limit: 0, ...next }, order)
        walked.push(...page.rows)
        next = page.next
      }
      const list = naive(ids, { limit: 1000 }, order)
      const onwards = (id: number) => (order === 'newest' ? id <= around : id > around)
      const start = first.rows[0] ?? list.find(onwards)
      expect(walked).toEqual(start === undefined ? [] : list.slice(list.indexOf(start)))
    }),
    { numRuns: 2000 },
  )
})

test('behind the largest offset, the next links of a list ordered by id use cursors', () => {
  const query = { limit: 2, offset: OFFSET_MAX }
  expect(pageOf(query, 'newest', [[9, 8, 7]], (id) => id)).toEqual({ rows: [9, 8], next: { limit: 2, before: 8 } })
  expect(pageOf(query, 'oldest', [[7, 8, 9]], (id) => id)).toEqual({ rows: [7, 8], next: { limit: 2, after: 8 } })
})

test('a walk misses and repeats no row when rows are added meanwhile', () => {
  fc.assert(
    fc.property(anIds, aLimit, fc.array(fc.nat(5), { maxLength: 20 }), (ids, limit, arrivals) => {
      const [growing, due] = [[...ids], [...arrivals]]
      const walked: number[] = []
      for (let page = pageFor(growing, { limit }, 'newest'); ;) {
        walked.push(...page.rows)
        for (let more = due.shift() ?? 0; more > 0; more--) growing.push(1000 + growing.length)
        if (!page.next) break
        page = pageFor(growing, { limit: 0, ...page.next }, 'newest')
      }
      expect(walked).toEqual(ids.toSorted((a, b) => b - a))
    }),
  )
})

test('a list of another order is walked by offset, up to the largest offset', () => {
  fc.assert(
    fc.property(fc.nat(400), aLimit, fc.nat(50), (count, limit, start) => {
      const list = Array.from({ length: count }, (_, at) => at)
      const walked: number[] = []
      for (let next: { limit: number; offset: number } | undefined = { limit, offset: start }; next;) {
        const { offset }: { offset: number } = next
        const page: Page<number> = offsetPage(next, list.slice(offset, offset + limit + 1))
        walked.push(...page.rows)
        next = page.next as typeof next
      }
      expect(walked).toEqual(list.slice(start))
    }),
  )
  const rows = [1, 2, 3]
  expect(offsetPage({ limit: 2, offset: OFFSET_MAX - 2 }, rows).next).toEqual({ limit: 2, offset: OFFSET_MAX })
  expect(offsetPage({ limit: 2, offset: OFFSET_MAX - 1 }, rows)).toEqual({ rows: [1, 2] })
})

test('a query value is refused unless it is decimal digits within the bounds', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), (text) => {
      const isGood = /^[0-9]{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= PAGE_MAX
      expect(CursorQuery.safeParse({ limit: text }).success).toBe(isGood)
      expect(OffsetQuery.safeParse({ limit: text }).success).toBe(isGood)
    }),
  )
  expect(OffsetQuery.parse({})).toEqual({ limit: 50, offset: 0 })
  expect(CursorQuery.parse({})).toEqual({ limit: 50 })
})

test('a next link keeps the list’s other parameters and drops the token', () => {
  const url = 'https://parley.example/api/x?token=secret&q=a%20b&before=9&limit=5'
  expect(linkNext(url, { limit: 5, before: 4 })).toBe('</api/x?q=a+b&limit=5&before=4>; rel="next"')
})

const parley = await standard()
const alice = await person(parley, 'alice')
const { channel_id } = await newServer(alice)
const list = `/api/channels/${channel_id}/messages`
await parley.parts.sql`insert into messages (channel_id, author_id, content)
  select ${channel_id}, ${alice.id}, n::text from generate_series(1, 120) n`
const rows = await parley.parts.sql<
  { id: number }[]
>`select id from messages where channel_id = ${channel_id} order by id`
const ids = rows.map((row) => row.id)
const idsAt = async (query: string) => (await alice.get(`${list}?${query}`)).body.map((row: any) => row.id)

test('messages are listed newest first, fifty a page, with a Link to the next page', async () => {
  const first = await alice.get(list)
  expect(first.body.map((message: any) => message.id)).toEqual(ids.slice(70).toReversed())
  expect(nextOf(first)).toBe(`${list}?limit=50&before=${ids[70]}`)
  expect((await walk(alice, list)).map((message) => message.id)).toEqual(ids.toReversed())
  const last = await alice.get(`${list}?limit=100&before=${ids[3]}`)
  expect([last.body.length, last.headers.get('link')]).toEqual([3, null])
})

test('every cursor and the offset select the same rows over HTTP as in the code', async () => {
  const at = (index: number) => ids[index] as number
  expect(await idsAt(`limit=2&after=${at(9)}`)).toEqual([at(11), at(10)])
  expect(await idsAt(`limit=3&around=${at(9)}`)).toEqual([at(10), at(9), at(8)])
  expect(await idsAt(`limit=1&around=${at(9)}`)).toEqual([at(9)])
  expect(await idsAt('limit=2&offset=10')).toEqual([at(109), at(108)])
  expect((await walk(alice, `${list}?limit=50&offset=0`)).map((message) => message.id)).toEqual(ids.toReversed())
  const upwards = await walk(alice, `${list}?limit=50&after=0`)
  expect(upwards.map((message) => message.id).toSorted((a, b) => a - b)).toEqual(ids)
  for (const cursor of ['before', 'after', 'around']) expect(await idsAt(`${cursor}=9007199254740991`)).toBeArray()
  expect(await idsAt('before=0')).toEqual([])
  expect(await idsAt('offset=10000')).toEqual([])
})

test('limits, offsets and cursors are refused when out of bounds or malformed', async () => {
  for (const limit of ['0', '101', '1e1', '-1', '%2B1', '+1', '1.0', '0x1', '', '%201', 'ten', '1000000000000'])
    expect([limit, (await alice.get(`${list}?limit=${limit}`)).status]).toEqual([limit, 422])
  for (const offset of ['10001', '-1', '1e1', ''])
    expect([offset, (await alice.get(`${list}?offset=${offset}`)).status]).toEqual([offset, 422])
  for (const id of ['-1', '1e1', '', '%2B1', '9007199254740992', 'x'])
    for (const cursor of ['before', 'after', 'around'])
      expect([cursor, id, (await alice.get(`${list}?${cursor}=${id}`)).status]).toEqual([cursor, id, 422])
  for (const query of [
    'before=1&after=1',
    'before=1&offset=0',
    'around=1&after=1',
    'around=1&offset=5',
    'limit=1&limit=2',
  ])
    expect([query, (await alice.get(`${list}?${query}`)).status]).toEqual([query, 422])
})
