import { cpus, loadavg } from 'node:os'
import { statfsSync } from 'node:fs'
import { wordsOf, wordsOfName } from '../src/core/words.ts'
import { openChild } from './processes.ts'
import { targetOf } from './http-connections.ts'
import type { Reads } from './http-load.ts'
import { atMost, type Figure, quantile } from './report.ts'
import { peopleOf, type Person, seed } from './seed.ts'
import { type BenchServer, withServer } from './server.ts'

/** SEARCH_MESSAGES sets a smaller number: ten million take half an hour and 14 GB. */
const MESSAGES = Number(process.env['SEARCH_MESSAGES'] ?? 10_000_000)
/** SEARCH_ONLY selects the kinds of searches whose names contain it. */
const ONLY = process.env['SEARCH_ONLY'] ?? ''
const SERVERS = 10
const CHANNELS_PER_SERVER = 100
/** Servers of which the searcher is a member. */
const SERVERS_SEEN = 3
const BATCH = 250_000
/** Distinct words of the texts, with frequencies by Zipf's law. */
const VOCABULARY = 100_000
const AUTHORS = 100
const ROUNDS = 5
const ASKED_PER_ROUND = 40
/** Messages that the server's job indexes by itself. */
const INDEXED_LIVE = 20_000
const MS_MAX = 100
const YEAR_S = 365 * 86_400
/** Bytes on the disk per message, including the index. */
const BYTES_A_MESSAGE = 700

/** Words of a script without stems: each message of two ends with one of them. */
const HANGUL = '회의록을 회의가 회사에서 내일 점심을 사진을 보고서는 일정표 부엉이가 부엉이는 친구들과 여행을'.split(
  ' ',
)
/** One message of ten has a file, with one of as many names. */
const FILENAMES = 1000
const filename = (n: number) => `QuarterlyReport${n}.pdf`

const WORDS = { rare: 'rareword', common: 'commonword', absent: 'absentword', elsewhere: 'elsewhereword' }
const ofWords = (kind: string, queryOf: (word: string) => Record<string, string>) =>
  Object.entries(WORDS).map(([name, word]) => [name + kind, queryOf(word)] as const)

/** The searches: typed words, the last perhaps a prefix; whole words; filters. */
const QUESTIONS: Record<string, Record<string, string>> = {
  ...Object.fromEntries(ofWords('', (word) => ({ q: word }))),
  ...Object.fromEntries(ofWords(', whole word', (word) => ({ q: `"${word}"` }))),
  // As typed: the last word may be a beginning.
  ...Object.fromEntries(
    Object.entries(WORDS).map(([name, word]) => [`${name}, but its end`, { q: word.slice(0, -2) }]),
  ),
  'three letters': { q: 'com' },
  'beginning of 1,111 words': { q: 'w12' },
  'two words': { q: `${WORDS.common} w77` },
  'two words, the second of three letters': { q: `w3 com` },
  'two rare words': { q: `${WORDS.rare} w77777` },
  'common and elsewhere': { q: `${WORDS.common} ${WORDS.elsewhere}` },
  'a phrase': { q: `"w1 ${WORDS.common}"` },
  'a phrase in the other order': { q: `"${WORDS.common} w1"` },
  'a phrase with the beginning of a word': { q: `"w1 w2" com` },
  'a phrase that nobody wrote': { q: `"${WORDS.common} w1 ${WORDS.common}"` },
  'a Hangul word': { q: '부엉이' },
  'a Hangul syllable': { q: '회' },
  'a long Hangul word': { q: '보고서는' },
  'two Hangul words': { q: '회의록 여행' },
  'a file name': { q: filename(17) },
  'a part of a file name': { q: 'quarterly report 1' },
  'the beginning of a file name': { q: 'QuarterlyRep' },
  'common, with context': { q: WORDS.common, context: 'true' },
  'a server alone': { server_id: '1' },
  'a channel before a day': { channel_id: '7', before: new Date(Date.now() - 90 * 86_400_000).toISOString() },
  'everywhere without a common word': { q: `-${WORDS.common}` },
}

/**
 * Search among MESSAGES in 1,000 channels, 300 of them visible to the searcher: for a word that is rare, common,
 * absent, and common elsewhere but rare in visible channels; as typed, by prefixes, phrases, Hangul and file names; and
 * by filters only.
 */
export const search = (): Promise<Figure[]> =>
  withServer(async (bench) => {
    const { people, live } = await population(bench)
    const bytes = await indexBytes(bench)
    const load = openChild('http-load.ts')
    const ms: Record<string, number[]> = {}
    try {
      // User 1 is in the servers 1 to 3.
      const token = people[0]?.token ?? ''
      for (let round = -1; round < ROUNDS; round++)
        for (const [kind, query] of Object.entries(QUESTIONS)) {
          if (!kind.includes(ONLY)) continue
          const paths = Array.from({ length: ASKED_PER_ROUND }, () => `/api/search?${new URLSearchParams(query)}`)
          const command: Reads = { target: targetOf(bench.url), token, paths }
          const answer = await load.ask<{ ms: number[] }>('reads', command)
          if (answer.ms.length < paths.length) throw new Error(`Searches were refused: ${kind}`)
          if (round >= 0) (ms[kind] ??= []).push(...answer.ms)
        }
    } finally {
      await load.stop()
    }
    const note = `load ${loadavg()[0]?.toFixed(1)} on ${cpus().length} processors`
    return [
      ...Object.entries(ms).flatMap(([kind, values]) => figuresOf(kind, values)),
      { name: 'index of the search', unit: 'bytes a message', parley: [bytes], note },
      ...(live === undefined ? [] : [{ name: 'indexed behind the log', unit: 'messages/s', parley: [live] }]),
    ]
  })

/** Fills the server, unless BENCH_DATA has its data from a run before. */
async function population(bench: BenchServer): Promise<{ people: Person[]; live?: number }> {
  const [row] = await bench.sql`select from messages limit 1`
  if (row) return { people: await peopleOf(bench) }
  const { bavail, bsize } = statfsSync(bench.data)
  if (bavail * bsize < 2 * MESSAGES * BYTES_A_MESSAGE)
    throw new Error(`${MESSAGES} messages need ${(2 * MESSAGES * BYTES_A_MESSAGE) / 1e9} GB of space`)
  const people = await seed(bench, {
    users: AUTHORS,
    servers: SERVERS,
    servers_per_user: SERVERS_SEEN,
    channels_per_server: CHANNELS_PER_SERVER,
  })
  const live = await indexLive(bench)
  await fill(bench)
  return { people, live }
}

function figuresOf(kind: string, values: number[]): Figure[] {
  const p95 = quantile(values, 0.95)
  const name = `search of ${MESSAGES / 1_000_000} million messages, ${kind}`
  return [
    { name: `${name}, p50`, unit: 'ms', parley: [quantile(values, 0.5)] },
    { name: `${name}, p95`, unit: 'ms', parley: [p95], target: atMost(MS_MAX, p95) },
  ]
}

/** Texts of words by Zipf's law. Each is the beginning of many messages, in different channels. */
const TEXTS = 1_000_000
const TEXT = `select string_agg('w' || floor(exp(random() * ln(${VOCABULARY}.0)))::int, ' ')
    from generate_series(1, 4 + n % 13)`

/** The searched words of message n, after its text. The searcher sees channels 1 to 300. */
const ENDING = `concat_ws(' ', '', case when n % 5 = 0 then 'commonword' end,
  case when n % 200003 = 7 then 'rareword' end,
  case when channel > 300 and n % 5 = 1 or n % 300007 = 11 then 'elsewhereword' end,
  case when n % 2 = 0 then ('{${HANGUL}}'::text[])[1 + (random() * ${HANGUL.length - 1})::int] end)`

/** The terms of an ending: its words, and for a Hangul word at the end its pairs of letters. */
const HANGUL_TERMS = JSON.stringify(Object.fromEntries(HANGUL.map((word) => [word, wordsOf(word).join(' ')])))
const ENDING_TERMS = `coalesce(rtrim(ending, '${[...new Set(HANGUL.join(''))].join('')}')
  || ('${HANGUL_TERMS}'::jsonb ->> substring(ending from '[^ ]+$')), ending)`
/** The terms of the name of a file. */
const FILE_TERMS = wordsOfName(filename(0)).join(' ').replaceAll('0', `' || id / 10 % ${FILENAMES} || '`)

/** The marks of pairs (see src/features/search/pairs.ts) of the words in an expression. */
const pairsIn = (terms: string) => `(
  select string_agg(distinct '+' || substr(md5(words[at] || ' ' || words[at + 1]), 1, 3), ' ')
  from (select string_to_array(${terms}, ' ') as words offset 0) split, generate_series(1, cardinality(words) - 1) at
  where '#file' not in (words[at], words[at + 1]))`

/** The messages from n = ${'`from`'} on. */
const numbered = (from: number, to: number) => `(
  select n, channel, ${ENDING} as ending, text, pairs, last
  from (select n, (n * 7919 % ${SERVERS * CHANNELS_PER_SERVER}) + 1 as channel
    from generate_series(${from}::bigint, ${to}::bigint) n) places
  join texts on texts.id = (n + n / 1000) % (select count(*) from texts)) numbered`

/** Makes the texts, of which each has an id from 0 on, its pairs and its last word. */
const TEXTS_MADE = `create unlogged table texts as select n::int as id, text, ${pairsIn('text')} as pairs,
  substring(text from '[^ ]+$') as last from (
    select n, (${TEXT}) as text from generate_series(0, ${Math.min(TEXTS, MESSAGES) - 1}) n offset 0) made`

/** Messages of one year in all channels, and their documents, by SQL; the index is made at the end. */
async function fill({ sql }: BenchServer): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = 'search_documents' and indexname <> 'search_documents_pkey'`
  await sql`set statement_timeout = 0`
  await sql`set maintenance_work_mem = '1GB'`
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
  await sql.unsafe(TEXTS_MADE)
  await sql`alter table texts add primary key (id)`
  await sql`analyze texts`
  for (let from = 0; from < MESSAGES; from += BATCH) {
    const to = Math.min(from + BATCH, MESSAGES) - 1
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx.unsafe(`create temporary table batch on commit drop as
        select nextval(pg_get_serial_sequence('messages', 'id')) as id, n % ${AUTHORS} + 1 as author_id, *,
          now() - (${MESSAGES} - n) * interval '${YEAR_S / MESSAGES} s' as created_at
        from (select * from ${numbered(from, to)} order by n) made`)
      await tx`insert into messages (id, channel_id, author_id, content, created_at) overriding system value
        select id, channel, author_id, text || ending, created_at from batch order by id`
      await tx.unsafe(`insert into search_documents (message_id, place_id, created_at, terms)
        select id, channel, created_at, concat_ws(' ', '', '#from' || author_id,
          case when id % 10 = 0 then '#has_link' end, case when id % 10 = 5 then '#has_file' end, pairs,
          case when terms <> '' then ${pairsIn('last || terms')} end, text || terms, '')
        from batch cross join lateral (
          select ${ENDING_TERMS} || case when id % 10 = 5 then ' #file ${FILE_TERMS}' else '' end as terms offset 0
        ) named
        order by id`)
    })
    if (from % (BATCH * 10) === 0) console.error(`${from} of ${MESSAGES} messages`)
  }
  await sql`drop table texts`
  for (const { definition } of indexes) await sql.unsafe(definition)
  await sql`vacuum analyze search_documents`
  await sql`analyze messages`
}

/** Bytes of the index per message, including its documents. */
async function indexBytes({ sql }: BenchServer): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    select pg_total_relation_size('search_documents') / (select count(*) from search_documents)::float8 as bytes`
  return row?.bytes ?? Number.NaN
}

/** Messages per second that the server's job indexes, as after an upgrade. */
async function indexLive({ sql }: BenchServer): Promise<number> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx.unsafe(`insert into messages (channel_id, author_id, content, created_at)
      select channel, n % ${AUTHORS} + 1, (${TEXT}) || ${ENDING},
        now() - interval '400 days' + n * interval '1 second'
      from (select n, n % ${SERVERS * CHANNELS_PER_SERVER} + 1 as channel
        from generate_series(1, ${INDEXED_LIVE}) n) numbered`)
  })
  const began = performance.now()
  await sql`truncate search_documents, search_progress`
  for (;;) {
    const [row] = await sql<{ count: number }[]>`select count(*) as count from search_documents`
    if (row && row.count >= INDEXED_LIVE) return INDEXED_LIVE / ((performance.now() - began) / 1000)
    await Bun.sleep(100)
  }
}
