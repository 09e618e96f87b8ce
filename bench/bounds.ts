import { openDatabase, SUPERUSER } from '../src/database/database.ts'
import { openChild } from './processes.ts'
import { atMost, type Figure, median } from './report.ts'
import { type Person, seed } from './seed.ts'
import { type BenchServer, withServer } from './server.ts'

const MESSAGES = 100_000
const PARTNERS = 10_000
const SERVERS = 40
const ROUNDS = 3
/** Limit for each transaction, and for each wait of another request. */
const MS_MAX = 500
const DONE_SECONDS_MAX = 120
/** The acting accounts: one whose messages all go to the reader, one with many partners, one who owns servers. */
const [READER, WRITER, RENAMED, OWNER] = [1, 2, 3, 4] as const

interface Work {
  /** Time until the request, or all of them, are answered. */
  answered_ms: number
  /** Time until the background work is done. */
  done_ms: number
  /** The longest transaction of the server, sampled every few milliseconds. */
  transaction_ms: number
  /** The longest wait for /healthz meanwhile, which needs only the event loop. */
  stall_ms: number
}

/** Requests whose work grows with the account's data must be split into parts. */
export const bounds = (): Promise<Figure[]> =>
  withServer(async (bench) => {
    const people = await seed(bench, { users: 4, servers: 1, servers_per_user: 1, channels_per_server: 1 })
    await fillConversations(bench)
    const parts: [string, number, () => Promise<() => Promise<Work>>][] = [
      [`read-all of ${MESSAGES.toLocaleString('en')} messages`, ROUNDS, () => readAll(bench, people)],
      [`a rename with ${PARTNERS.toLocaleString('en')} partners`, ROUNDS, () => rename(bench, people)],
      [`${SERVERS} deletions of servers whose icons cross`, ROUNDS, () => deleteServers(bench, people)],
    ]
    const figures: Figure[] = []
    for (const [name, rounds, prepare] of parts) {
      const all: Work[] = []
      for (let round = 0; round < rounds; round++) all.push(await (await prepare())())
      figures.push(...judged(name, all))
    }
    return figures
  })

function judged(name: string, rounds: Work[]): Figure[] {
  const of = (key: keyof Work) => rounds.map((work) => work[key])
  const bounded = (what: string, key: keyof Work): Figure => ({
    name: `${name}, ${what}`,
    unit: 'ms',
    parley: of(key),
    target: atMost(MS_MAX, median(of(key)), `≤ ${MS_MAX}`),
  })
  return [
    { name: `${name}, answered`, unit: 'ms', parley: of('answered_ms') },
    { name: `${name}, done`, unit: 'ms', parley: of('done_ms') },
    bounded('longest transaction', 'transaction_ms'),
    bounded('longest wait of another request', 'stall_ms'),
  ]
}

/** Runs the request, and watches the server until the background work is done. */
async function watched(
  { url, socket }: BenchServer,
  act: () => Promise<unknown>,
  isDone: () => Promise<boolean>,
): Promise<Work> {
  const sql = openDatabase({ socket, role: SUPERUSER }, 1, 'parley-watch')
  const load = openChild('bounds-load.ts')
  let [transaction_ms, over] = [0, false]
  const watch = async () => {
    while (!over) {
      const [row] = await sql<{ ms: number | null }[]>`
        select max(extract(epoch from clock_timestamp() - xact_start))::float8 * 1000 as ms from pg_stat_activity
        where application_name = 'parley' and xact_start is not null`
      transaction_ms = Math.max(transaction_ms, row?.ms ?? 0)
      await Bun.sleep(2)
    }
  }
  try {
    await load.ask('begin', { url })
    const watching = watch()
    const began = performance.now()
    await act()
    const answered_ms = performance.now() - began
    while (!(await isDone())) {
      if (performance.now() - began > DONE_SECONDS_MAX * 1000) throw new Error('The work does not end.')
      await Bun.sleep(10)
    }
    const done_ms = performance.now() - began
    over = true
    await watching
    const { longest_ms } = await load.ask<{ longest_ms: number }>('end')
    return { answered_ms, done_ms, transaction_ms, stall_ms: longest_ms }
  } finally {
    over = true
    await load.stop()
    await sql.end({ timeout: 1 })
  }
}

async function call({ url }: BenchServer, { token }: Person, method: string, path: string, body?: object) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
}

const person = (people: Person[], id: number): Person => people[id - 1]!

/** A conversation of the reader with all its messages, and the conversations of the account that is renamed. */
async function fillConversations({ sql }: BenchServer): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`set local statement_timeout = '120s'`
    await tx`insert into users (username, email, password_hash, display_name)
      select 'partner' || n, 'partner' || n || '@example.org', 'none', 'Partner'
      from generate_series(1, ${PARTNERS}::int) n`
    // The channel of each is known by its name until all have their participants.
    await tx`insert into channels (name, type, position)
      select ${RENAMED}::int || ' ' || id, 'dm', 0 from users where username like 'partner%'
      union all select ${`${READER} ${WRITER}`}, 'dm', 0`
    await tx`insert into participants (channel_id, user_id, other_id)
      select id, split_part(name, ' ', 1)::bigint, split_part(name, ' ', 2)::bigint from channels where type = 'dm'
      union all
      select id, split_part(name, ' ', 2)::bigint, split_part(name, ' ', 1)::bigint from channels where type = 'dm'`
    await tx`update channels set name = '' where type = 'dm'`
    await tx`insert into messages (channel_id, author_id, recipient_id, content)
      select p.channel_id, ${WRITER}, ${READER}, 'Message number ' || n
      from participants p, generate_series(1, ${MESSAGES}::int) n
      where p.user_id = ${READER} and p.other_id = ${WRITER}`
    await tx`update participants set last_message_id = (select max(id) from messages)
      where ${READER} in (user_id, other_id)`
  })
  await sql`vacuum analyze`
}

async function readAll(bench: BenchServer, people: Person[]): Promise<() => Promise<Work>> {
  await bench.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`set local statement_timeout = '120s'`
    await tx`update messages set read_at = null, receipt_at = null where recipient_id = ${READER}`
    await tx`update participants set unread_count = ${MESSAGES} where user_id = ${READER}`
  })
  await bench.sql`vacuum analyze messages`
  const act = () => call(bench, person(people, READER), 'POST', `/api/dm/${WRITER}/read-all`)
  return async () => {
    const work = await watched(bench, act, async () => true)
    const [unreadRow] =
      await bench.sql`select 1 from messages where recipient_id = ${READER} and read_at is null limit 1`
    if (unreadRow) throw new Error('Not everything was read.')
    return work
  }
}

let renames = 0

async function rename(bench: BenchServer, people: Person[]): Promise<() => Promise<Work>> {
  const display_name = `Otter ${++renames}`
  const act = () => call(bench, person(people, RENAMED), 'PUT', '/api/auth/display-name', { display_name })
  const isDone = async () => (await bench.sql`select 1 from profile_announcements`).length === 0
  return () => watched(bench, act, isDone)
}

/** Each server's icon is a file of a message in the next server, or in the one before. */
async function deleteServers(bench: BenchServer, people: Person[]): Promise<() => Promise<Work>> {
  const ids: number[] = await bench.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    const servers = await tx<{ id: number }[]>`insert into servers (name, owner_id, member_count, channel_count)
      select 'Crossed', ${OWNER}::int, 1, 1 from generate_series(1, ${SERVERS}::int) n returning id`
    const ids = servers.map(({ id }) => id)
    await tx`insert into roles (server_id, name, permissions, position, is_everyone)
      select id, 'everyone', 0, 0, true from unnest(${ids}::bigint[]) id`
    await tx`insert into members (server_id, user_id) select id, ${OWNER} from unnest(${ids}::bigint[]) id`
    await tx`update users set server_count = server_count + ${SERVERS} where id = ${OWNER}`
    await tx`insert into channels (server_id, name, type, position)
      select id, 'general', 'text', 0 from unnest(${ids}::bigint[]) id`
    await tx`with sent as (
        insert into messages (channel_id, author_id, content)
        select id, ${OWNER}, 'Icon' from channels where server_id = any(${ids}) returning id, channel_id
      ), files as (
        insert into files (uploader_id, message_id, filename, content_type, size, key)
        select ${OWNER}, id, 'icon.png', 'image/png', 1, gen_random_uuid() || '/icon' from sent returning id, message_id
      )
      update servers s set icon_file_id = files.id from files join sent on sent.id = files.message_id
        join channels c on c.id = sent.channel_id
      where s.id = any(${ids}) and (c.server_id - s.id + ${SERVERS}::int) % ${SERVERS}::int
        = case when s.id % 2 = 0 then 1 else ${SERVERS}::int - 1 end`
    await tx`update users set stored_bytes = stored_bytes + ${SERVERS} where id = ${OWNER}`
    return ids
  })
  const owner = person(people, OWNER)
  const act = () => Promise.all(ids.map((id) => call(bench, owner, 'DELETE', `/api/servers/${id}`)))
  const isDone = async () => (await bench.sql`select 1 from servers where id = any(${ids})`).length === 0
  return () => watched(bench, act, isDone)
}
