import { expect, test } from 'bun:test'
import type { Transaction } from '../../../src/database/database.ts'
import { standard } from '../../support/harness.ts'

const parley = await standard()
const { sql } = parley.parts
// Its first batch empties the index.
await parley.sweep()

/** A row of the index. */
interface Document {
  id: number
  place: number
  ms: number
  terms: string
}

/** Numbers from 0 to max - 1 that are the same in each run. */
function numbers(seed: number): (max: number) => number {
  let state = seed
  return (max) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * max)
  }
}

const upTo = numbers(44)
const pick = <T>(of: readonly T[]): T => of[upTo(of.length)] as T

const DOCUMENTS = 24_000
/** The oldest ones, which hold a word of their own. */
const EARLY = 2_000
/** Beyond the ids of the test's installation. */
const FIRST_ID = 10 ** 9
const PLACES = Array.from({ length: 40 }, (_, at) => FIRST_ID + at)
/** Words, the first ones in most documents, with words that begin with others, and a mark of a pair. */
const WORDS = 'the owl owls owlet a an and ant heron herons reed +0a1 reeds river crake crakes'.split(' ')
const NOW = Date.UTC(2026, 10, 1)
const [MINUTE, DAY] = [60_000, 86_400_000]

/** Times of two years: some every day, more of late, thousands within ten minutes and at one moment. */
const TIMES = [
  () => NOW - upTo(700) * DAY - upTo(DAY),
  () => NOW - upTo(2 * DAY),
  () => NOW - 100 * DAY - upTo(10 * MINUTE),
  () => NOW - 50 * DAY,
]

function newDocument(at: number): Document {
  // The square makes the first words common.
  const words = Array.from({ length: 1 + upTo(8) }, () => WORDS[Math.floor((upTo(1000) ** 2 / 10 ** 6) * WORDS.length)])
  const author = ` #from${upTo(50)} `
  const isEarly = at < EARLY
  return {
    id: FIRST_ID + at,
    // Half are in the first places.
    place: upTo(2) === 0 ? pick(PLACES) : pick(PLACES.slice(0, 3)),
    ms: isEarly ? NOW - 800 * DAY + at * MINUTE : pick([...TIMES, ...TIMES.slice(0, 2)])(),
    terms: `${author}${words.join(' ')} ${isEarly ? 'early ' : ''}`,
  }
}

const documents = Array.from({ length: DOCUMENTS }, (_, at) => newDocument(at))
const column = <K extends keyof Document>(name: K): Document[K][] => documents.map((each) => each[name])
await sql`insert into search_documents (message_id, place_id, created_at, terms)
  select id, place, to_timestamp(ms / 1000.0), terms
  from unnest(${column('id')}::bigint[], ${column('place')}::bigint[], ${column('ms')}::bigint[],
    ${column('terms')}::text[]) made (id, place, ms, terms)`
const newestFirst = documents.toSorted((one, other) => other.ms - one.ms || other.id - one.id)

interface Asked {
  places: number[]
  terms: string[]
  with: string[]
  without: string[]
  after: number
  before: { ms: number; id: number }
  limit: number
}

const sequenceOf = (term: string) => (term.endsWith('*') ? ` ${term.slice(0, -1)}` : ` ${term} `)

/** The answer by comparing all documents. */
function expectedIds({ places, terms, after, before, limit, ...sequences }: Asked): number[] {
  const everySequence = [...terms.map(sequenceOf), ...sequences.with]
  const isFound = ({ id, place, ms, terms }: Document) =>
    ms >= after &&
    (ms < before.ms || (ms === before.ms && id < before.id)) &&
    places.includes(place) &&
    everySequence.every((each) => terms.includes(each)) &&
    !sequences.without.some((each) => terms.includes(each))
  return newestFirst
    .filter(isFound)
    .slice(0, limit)
    .map(({ id }) => id)
}

const time = (ms: number) => new Date(ms).toISOString()

async function foundIds({ places, terms, without, after, before, limit, ...sequences }: Asked): Promise<number[]> {
  const rows = await sql<{ message_id: number }[]>`
    select message_id from search_messages(${places}, ${terms}::text[], ${sequences.with}::text[], ${without}::text[],
      ${time(after)}::timestamptz, ${time(before.ms)}::timestamptz, ${before.id}::bigint, ${limit}::int)`
  return rows.map(({ message_id }) => message_id)
}

const newTerm = () => pick([pick(WORDS), pick(WORDS), `${pick(WORDS)}*`, pick(['o*', 'r*', 'her*', '+0*', 'zz*'])])
const several = <T>(max: number, make: () => T) => Array.from({ length: upTo(max + 1) }, make)

function newQuestion(): Asked {
  const cursor = pick(documents)
  return {
    places: pick([PLACES, PLACES.slice(0, 2), PLACES.filter(() => upTo(2) === 0), [pick(PLACES)]]),
    terms: [...new Set([newTerm(), ...several(2, newTerm), ...several(1, () => `#from${upTo(50)}`)])],
    with: upTo(3) === 0 ? [` ${pick(WORDS)} ${pick(WORDS)} `] : [],
    without: upTo(4) === 0 ? [` ${pick(WORDS)} `] : [],
    after: upTo(3) === 0 ? NOW - upTo(200) * DAY : 0,
    before: pick([
      { ms: NOW + MINUTE, id: 0 },
      { ms: cursor.ms, id: cursor.id },
      { ms: NOW - upTo(300) * DAY, id: 0 },
    ]),
    limit: pick([26, 26, 26, 1, 300]),
  }
}

test('searches find what a comparison of all documents finds, however these lie in time', async () => {
  const counts = { full: 0, some: 0, empty: 0 }
  for (let n = 0; n < 400; n++) {
    const question = newQuestion()
    const expected = expectedIds(question)
    expect([question, await foundIds(question)]).toEqual([question, expected])
    if (expected.length === question.limit) counts.full++
    else if (expected.length > 0) counts.some++
    else counts.empty++
  }
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(20)
})

/** The newest documents in all places. */
const newest = { places: PLACES, with: [], without: [], after: 0, before: { ms: NOW + MINUTE, id: 0 }, limit: 26 }

test.each([[['the', 'ow*']], [['the']]])(
  'pages of %j hold each document once, also thousands of one moment',
  async (terms) => {
    const all: Asked = { ...newest, terms, before: { ms: NOW - 50 * DAY, id: FIRST_ID + DOCUMENTS }, limit: 300 }
    const expected = expectedIds({ ...all, limit: 3000 })
    const ids: number[] = []
    const byId = new Map(documents.map((each) => [each.id, each]))
    for (let page: number[] | undefined; !page || (page.length > 0 && ids.length < 3000); ids.push(...page)) {
      const last = byId.get(ids.at(-1) ?? 0)
      page = await foundIds({ ...all, before: last ? { ms: last.ms, id: last.id } : all.before })
    }
    expect(ids).toEqual(expected)
  },
)

test('a prefix is found where only old documents hold it', async () => {
  for (const limit of [26, 300]) {
    const question = { ...newest, terms: ['the', 'earl*'], limit }
    expect(await foundIds(question)).toEqual(expectedIds(question))
  }
})

test('a search in a thousand places finds what one in some of them does', async () => {
  const others = Array.from({ length: 1000 }, (_, at) => FIRST_ID + 1000 + at)
  for (let n = 0; n < 20; n++) {
    const question = { ...newQuestion(), limit: 26 }
    const places = [...PLACES.slice(0, 20), ...others, ...PLACES.slice(20)]
    expect([question, await foundIds({ ...question, places })]).toEqual([
      question,
      expectedIds({ ...question, places: PLACES }),
    ])
  }
})

/** Counts how often work scans the index of places and times, or how many rows it reads. */
async function counted(what: 'scans' | 'rows', work: (tx: Transaction) => Promise<void>): Promise<number> {
  return sql.begin(async (tx) => {
    // PostgreSQL has not yet passed on the counts of earlier transactions.
    const count = async () => {
      const [row] = await tx<[{ scans: number; rows: number }]>`
        select pg_stat_get_xact_numscans('search_documents_of_place'::regclass)::int as scans,
          pg_stat_get_xact_tuples_fetched('search_documents'::regclass)::int as rows`
      return row[what]
    }
    const before = await count()
    await work(tx)
    return (await count()) - before
  })
}

test('searches of a time do not read through the index of places and times', async () => {
  await sql`analyze search_documents`
  const scans = await counted('scans', async (tx) => {
    for (const days of [1, 30, 300, 650])
      await tx`select from search_messages(${PLACES}, '{owl,her*}', '{}', '{}',
        ${time(NOW - (days + 5) * DAY)}::timestamptz, ${time(NOW - days * DAY)}::timestamptz, 0, 26)`
  })
  expect(scans).toBe(0)
})

test.each([
  ['after the last message', NOW + DAY, NOW + 2 * DAY],
  ['before the first message', 0, NOW - 900 * DAY],
  ['of one day of two years', NOW - 301 * DAY, NOW - 300 * DAY],
])('a search %s reads few of the messages that hold its words', async (_, after, ms) => {
  const question = { ...newest, terms: ['the'], after, before: { ms, id: 0 } }
  const read = await counted('rows', async (tx) => {
    await tx`select from search_messages(${PLACES}, '{the}', '{}', '{}', ${time(after)}::timestamptz,
      ${time(ms)}::timestamptz, 0, 26)`
  })
  expect(read).toBeLessThan(1000)
  expect(await foundIds(question)).toEqual(expectedIds(question))
})

test('a sequence that almost no candidate has is found without walking through all stretches', async () => {
  for (const sequence of [' crakes crakes ', ' crakes crakes crakes ', ' nobody wrote this '])
    for (const limit of [26, 300]) {
      const question = { ...newest, terms: ['the'], with: [sequence], limit }
      expect([sequence, await foundIds(question)]).toEqual([sequence, expectedIds(question)])
    }
})
