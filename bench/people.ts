import { selectConversations } from '../src/features/dms/conversation.ts'
import { searchUsers } from '../src/features/users/search.ts'
import { openChild } from './processes.ts'
import { plansOf } from './plans.ts'
import { targetOf } from './http-connections.ts'
import type { Reads } from './http-load.ts'
import { atMost, type Figure, median, quantile, writeResult } from './report.ts'
import { seed } from './seed.ts'
import { withServer, type BenchServer } from './server.ts'

const CONVERSATIONS = 1000
const MESSAGES = 1000
const USERS = 1_000_000
const ROUNDS = 5
const READS = 200
const SEARCH_MS_MAX = 10

/** A list of a thousand conversations of a thousand messages each, and searches among a million people. */
export const people = (): Promise<Figure[]> =>
  withServer(async (bench) => {
    const [reader] = await seed(bench, { users: 1, servers: 1, servers_per_user: 1, channels_per_server: 1 })
    await fillUsers(bench)
    await fillConversations(bench)
    const { words, names } = await sampleNames(bench)
    await explain(bench, words)
    const load = openChild('http-load.ts')
    const lists = (query: string) => () => `/api/dm/conversations?${query}`
    const search = (list: string[]) => (n: number) =>
      `/api/users/search?q=${encodeURIComponent(list[n % list.length] ?? 'otter')}`
    const reads: Record<string, (n: number) => string> = {
      'conversations, first page of 50': lists('limit=50'),
      'conversations, the last 50 of 1,000': lists('limit=50&offset=950'),
      'search, whole usernames': search(names),
      'search, beginnings of names': search(words.map((word) => word.slice(0, 4))),
      'search, middles of names': search(words.map((word) => word.slice(2, 7))),
      'search, two letters': search(words.map((word) => word.slice(1, 3))),
      'search, digits that many have': search(['12', '482', '#48', '000']),
      'search, what nobody is called': (n) => `/api/users/search?q=zq${n}xv`,
    }
    const rounds = new Map<string, number[][]>(Object.keys(reads).map((name) => [name, []]))
    try {
      for (let round = -1; round < ROUNDS; round++)
        for (const [name, pathOf] of Object.entries(reads)) {
          const paths = Array.from({ length: READS }, (_, n) => pathOf(n))
          const command: Reads = { target: targetOf(bench.url), token: reader?.token ?? '', paths }
          const { ms } = await load.ask<{ ms: number[] }>('reads', command)
          if (ms.length < READS) throw new Error(`Reads were refused at ${paths[0]}`)
          if (round >= 0) rounds.get(name)?.push(ms)
        }
    } finally {
      await load.stop()
    }
    return [...rounds].flatMap(([name, all]) => judge(name, all))
  })

function judge(name: string, rounds: number[][]): Figure[] {
  const p50 = rounds.map(median)
  const target = name.startsWith('search') ? { target: atMost(SEARCH_MS_MAX, median(p50), '≤ 10 ms') } : {}
  return [
    { name: `${name}, p50`, unit: 'ms', parley: p50, ...target },
    { name: `${name}, p99`, unit: 'ms', parley: rounds.map((ms) => quantile(ms, 0.99)) },
  ]
}

/** A million accounts: half have a default name, half a name of two syllables. */
async function fillUsers({ sql }: BenchServer): Promise<void> {
  const words = 'Otter Badger Heron Lynx Falcon Marten Beaver Robin Puffin Hare Finch Seal Stork Swift Weasel Bison'
  const syllables = 'ka lo mi ren ta vel sor bin das fer gul hom jin kel mar nor pol quin ras tor und wil xan yor zim'
  await sql`set statement_timeout = '600s'`
  await sql`insert into users (username, email, password_hash, display_name)
    select 'user' || n, 'user' || n || '@example.org', 'none', case when n % 2 = 0
      then words[1 + n % 16] || '#' || lpad((n % 10000 * 7919 % 10000)::text, 4, '0')
      else initcap(parts[1 + n * 31 % 25] || parts[1 + n / 25 % 25]) || ' '
        || initcap(parts[1 + n / 625 % 25] || n % 997) end
    from generate_series(2, ${USERS}::int) n,
      string_to_array(${words}, ' ') words, string_to_array(${syllables}, ' ') parts`
  await sql`vacuum analyze users`
}

/** The reader's conversations with the next accounts; every tenth message to the reader is unread. */
async function fillConversations({ sql }: BenchServer): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`insert into channels (id, name, type, position) overriding system value
      select 1000000 + n, '', 'dm', 0 from generate_series(2, ${CONVERSATIONS + 1}::int) n`
    await tx`insert into messages (channel_id, author_id, recipient_id, content, read_at)
      select 1000000 + other, case when n % 2 = 0 then 1 else other end, case when n % 2 = 0 then other else 1 end,
        'Message number ' || n || ' of a long conversation about birds.', case when n % 10 <> 9 then now() end
      from generate_series(1, ${MESSAGES}::int) n, generate_series(2, ${CONVERSATIONS + 1}::int) other
      order by n, other`
    await tx`insert into participants (channel_id, user_id, other_id, last_message_id, unread_count)
      select 1000000 + other, side.user_id, side.other_id, newest.id, newest.unread
      from generate_series(2, ${CONVERSATIONS + 1}::int) other
      cross join lateral (values (1, other), (other, 1)) side (user_id, other_id)
      cross join lateral (select max(id) as id,
        count(*) filter (where read_at is null and recipient_id = side.user_id) as unread
        from messages m where m.channel_id = 1000000 + other) newest`
  })
  for (const name of ['messages', 'participants', 'channels']) await sql.unsafe(`vacuum analyze ${name}`)
}

/** Names and usernames of some accounts, to search for. */
async function sampleNames({ sql }: BenchServer) {
  const rows = await sql<{ username: string; display_name: string }[]>`
    select username, display_name from users where id % 9973 = 1 order by id limit 100`
  return { words: rows.map((row) => row.display_name), names: rows.map((row) => row.username) }
}

/** The plans of the routes' statements. */
async function explain(bench: BenchServer, words: string[]): Promise<void> {
  const plans = await plansOf(bench, async (sql, note) => {
    await selectConversations(
      sql,
      1,
      sql`select * from participants where user_id = ${1} and last_message_id > hidden_id
        order by last_message_id desc limit ${51} offset ${0}`,
    )
    for (const q of ['user4711', words[1]?.slice(2, 7) ?? 'rten', 'tt', 'xm']) {
      note(`-- search for ${q}`)
      await searchUsers(sql, 1, q)
    }
  })
  writeResult('people-plans.txt', plans)
}
