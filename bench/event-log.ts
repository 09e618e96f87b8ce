import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLog } from '../src/core/log.ts'
import { type Database, openDatabase, SUPERUSER, type Transaction } from '../src/database/database.ts'
import { startEmbeddedPostgres } from '../src/database/embedded-postgres.ts'
import { appendEvents, type NewEvent } from '../src/events/event-log.ts'
import { eventsSince, markNow, marksAt, withNews } from '../src/gateway/replay.ts'
import { postgresMicroseconds, postmasterOf } from './processes.ts'
import { atMost, type Figure, median, quantile } from './report.ts'
import { startServer } from './server.ts'

/** Events in the log at the start, spread evenly over the window, and the rate that keeps them as many. */
const WINDOW_S = 90
const PER_S = 5_000
/** Events in a transaction, as a group of sends has them, and connections that write. */
const GROUP = 16
const WRITERS = 4
const RUN_S = 40
const ROUNDS = 2
const PARTS = 6
const PART_S = WINDOW_S / PARTS
/** Seconds between sweeps, and rows per batch. */
const SWEEP_S = 10
const BATCH_ROWS = 5_000
const [SERVERS, USERS, SERVERS_PER_USER] = [200, 1_000, 10]
const READ_MS = 40
const READER_RATIO_MAX = 1.3

const SHAPES = ['nothing deleted', 'batches of deletes', 'deletes, vacuum at 2 %', 'partitions'] as const
type Shape = (typeof SHAPES)[number]
const databaseOf = (shape: Shape) => `bench_log_${SHAPES.indexOf(shape)}`

interface Measured {
  /** Processor time of PostgreSQL for an event, in microseconds, including readers and vacuum. */
  us: number
  per_s: number
  insertMs: number[]
  readMs: Record<string, number[]>
  mb: number
}

const random = (below: number) => Math.floor(Math.random() * below)

function newEvent(): NewEvent {
  const id = random(1e9)
  const [server_id, user_id] = [1 + random(SERVERS), 1 + random(USERS)]
  const content = 'A kingfisher at the weir, just now, and it stayed for a whole minute. '.repeat(1 + random(5))
  const body = JSON.stringify({ id, channel_id: server_id, author: { id: user_id, display_name: 'Ibis' }, content })
  if (random(10) === 0)
    return { to: { topic: `user:${user_id}`, user_id }, type: 'channel.read', resource: `read:${id}`, body: '{}' }
  const to = { topic: `server:${server_id}`, server_id, channel_id: server_id }
  return { to, type: 'message.created', resource: `message:${id}`, body }
}

/** Empties the log and fills it with the events of a window. Partitions begin before and end after the run. */
async function fill(sql: Database, shape: Shape): Promise<void> {
  await sql.unsafe('truncate events restart identity')
  if (shape === 'partitions') {
    const old = await sql<{ name: string }[]>`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass`
    for (const { name } of old) await sql.unsafe(`drop table ${name}`)
    for (let n = -PARTS - 1; n <= 2; n++) await addPartition(sql, n)
  }
  await sql`set statement_timeout = 0`
  await sql`insert into events (type, resource, topic, user_id, server_id, channel_id, body, created_at)
    select case when own then 'channel.read' else 'message.created' end, 'message:' || n, 'server:1',
      case when own then n % ${USERS}::int + 1 end, case when not own then n % ${SERVERS}::int + 1 end,
      case when not own then n % ${SERVERS}::int + 1 end,
      json_build_object('id', n, 'channel_id', 1, 'author', json_build_object('id', n % 1000, 'display_name', 'Ibis'),
        'content', repeat('A kingfisher at the weir, just now, and it stayed for a minute. ', 1 + n % 5)),
      clock_timestamp() - (${WINDOW_S * PER_S}::int - n) * interval '1 second' / ${PER_S}::int
    from generate_series(1, ${WINDOW_S * PER_S}::int) n cross join lateral (select n % 10 = 0) kind (own)`
  await sql.unsafe('vacuum analyze events')
}

const origin = { at: 0 }

/** Adds the partition of a time, as a number of partitions since the origin. */
async function addPartition(sql: Database, n: number): Promise<void> {
  if (n === -PARTS - 1) origin.at = Date.now()
  const at = (part: number) => new Date(origin.at + part * PART_S * 1000).toISOString()
  const name = `events_${n < 0 ? `m${-n}` : n}`
  await sql.unsafe(
    `create table if not exists ${name} partition of events for values from ('${at(n)}') to ('${at(n + 1)}')`,
  )
}

/** One table per time, with the indexes of today. */
async function partition(sql: Database): Promise<void> {
  const indexes = await sql<{ indexdef: string }[]>`
    select indexdef from pg_indexes where tablename = 'events' and indexname <> 'events_pkey'`
  // They take rows of the log.
  const functions = await sql<{ body: string }[]>`
    select pg_get_functiondef(oid) as body from pg_proc where proname in ('rewritten', 'forward_now') order by oid`
  await sql.unsafe(`alter table events rename to events_before;
    create table events (like events_before including defaults including comments,
      primary key (id, created_at)) partition by range (created_at);
    alter table events alter id add generated always as identity (sequence name events_ids);
    drop table events_before cascade;
    grant all on events to parley_app;
    create trigger forget_forwarded before insert or update of body on events for each row
      when (position('"forwarded":{"' in new.body::text) > 0) execute function forget_forwarded()`)
  for (const { indexdef } of indexes) await sql.unsafe(indexdef)
  for (const { body } of functions) await sql.unsafe(body)
}

/** Keeps the log short while `isRunning`. */
async function retention(sql: Database, shape: Shape, isRunning: () => boolean): Promise<void> {
  for (let n = 1; isRunning() && shape !== 'nothing deleted'; n++) {
    const dueAt = performance.now() + (shape === 'partitions' ? PART_S : SWEEP_S) * 1000
    while (isRunning() && performance.now() < dueAt) await Bun.sleep(100)
    if (!isRunning()) return
    if (shape === 'partitions') {
      await addPartition(sql, n + 2)
      const name = `events_${n - PARTS - 2 < 0 ? `m${PARTS + 2 - n}` : n - PARTS - 2}`
      // Not possible next to a default partition.
      await sql.unsafe(`alter table events detach partition ${name} concurrently`)
      await sql.unsafe(`drop table ${name}`)
    } else
      for (let count = BATCH_ROWS; count === BATCH_ROWS;)
        ({ count } = await sql`delete from events where id in (
          select id from (select id, created_at from events order by id limit ${BATCH_ROWS}) oldest
          where created_at < now() - ${WINDOW_S} * interval '1 second' and id < (select max(id) from events))`)
  }
}

async function write(sql: Database, isRunning: () => boolean, insertMs: number[], gate: { sent: number }) {
  const beganAt = performance.now()
  while (isRunning()) {
    if (gate.sent > ((performance.now() - beganAt) / 1000) * PER_S) {
      await Bun.sleep(1)
      continue
    }
    gate.sent += GROUP
    const events = Array.from({ length: GROUP }, newEvent)
    const before = performance.now()
    await sql.begin((tx: Transaction) => appendEvents(tx, events))
    insertMs.push(performance.now() - before)
  }
}

/** The readers, each as the server has it. */
function readers(sql: Database) {
  const servers = Array.from({ length: SERVERS_PER_USER }, (_, at) => 1 + at * 7)
  const channels = (id: number) => [
    {
      id,
      server_id: id,
      restricted: false,
      permissions: 0x7fffffff,
      parent_id: null,
      opt_in_since: null,
      isVoice: false,
      news: undefined,
    },
  ]
  const access = {
    user_id: 8,
    servers: servers.map((id) => ({ id, permissions: 0, channels: channels(id), voiceIds: [], topics: [] })),
  }
  let position: { xid: string; id: number } | undefined
  const newest = async () => (await markNow(sql)).s
  return {
    'the end of the log': () => markNow(sql),
    'the follower': async () => {
      position ??= { xid: (await markNow(sql)).from_xid, id: 0 }
      const [page] = await sql<{ ids: string; xid: string | null }[]>`
        with page as materialized (select id, xid from events
          where (xid, id) > (${position.xid}::text::xid8, ${position.id}::bigint)
            and xid < pg_snapshot_xmin(pg_current_snapshot()) order by xid, id limit 5000)
        select coalesce(json_agg(id order by xid, id), '[]')::text as ids,
          (select xid::text from page order by page.xid desc limit 1) as xid from page`
      const ids: number[] = JSON.parse(page?.ids ?? '[]')
      if (page?.xid) position = { xid: page.xid, id: ids.at(-1) ?? 0 }
    },
    'news of a handshake': async () => withNews(sql, [{ access, mark: await markNow(sql) }]),
    'where a client resumes': async () => marksAt(sql, [(await newest()) - 50_000], WINDOW_S),
    'a replay of ten seconds': async () => {
      const [mark] = [...(await marksAt(sql, [(await newest()) - 10 * PER_S], WINDOW_S)).values()]
      if (mark) await eventsSince(sql, [{ access, mark }])
    },
    'events by their ids': async () => {
      const last = await newest()
      await sql`select * from events where id = any(${Array.from({ length: 16 }, (_, at) => last - at * 1000)})`
    },
    'a deleted message': () => sql`update events set body = null
      where resource in (${`message:${random(WINDOW_S * PER_S)}`}, ${'reactions:1'})`,
  }
}

async function read(sql: Database, isRunning: () => boolean, readMs: Measured['readMs']): Promise<void> {
  const all = readers(sql)
  for (const name of Object.keys(all)) readMs[name] = []
  while (isRunning())
    for (const [name, run] of Object.entries(all)) {
      const before = performance.now()
      await run()
      readMs[name]?.push(performance.now() - before)
      await Bun.sleep(READ_MS)
    }
}

async function measure(socket: string, postmaster: number, shape: Shape): Promise<Measured> {
  const open = (connections: number) =>
    openDatabase({ socket, role: SUPERUSER, database: databaseOf(shape) }, connections, 'parley-bench')
  const [writing, reading, keeping] = [open(WRITERS), open(1), open(1)]
  try {
    // A generic plan does not plan each partition anew at each call.
    await reading`set plan_cache_mode = force_generic_plan`
    await fill(keeping, shape)
    const until = performance.now() + RUN_S * 1000
    const isRunning = () => performance.now() < until
    const insertMs: number[] = []
    const readMs: Measured['readMs'] = {}
    const gate = { sent: 0 }
    const before = postgresMicroseconds(postmaster)
    const beganAt = performance.now()
    const writers = Array.from({ length: WRITERS }, () => write(writing, isRunning, insertMs, gate))
    await Promise.all([...writers, read(reading, isRunning, readMs), retention(keeping, shape, isRunning)])
    const events = insertMs.length * GROUP
    const [{ bytes }] = await keeping<[{ bytes: number }]>`select sum(pg_total_relation_size(relid))::float8 as bytes
      from (select 'events'::regclass as relid union all
        select inhrelid from pg_inherits where inhparent = 'events'::regclass) tables`
    return {
      us: (postgresMicroseconds(postmaster) - before) / events,
      per_s: (events * 1000) / (performance.now() - beganAt),
      insertMs,
      readMs,
      mb: bytes / 2 ** 20,
    }
  } finally {
    for (const sql of [writing, reading, keeping]) await sql.end({ timeout: 1 })
  }
}

function figuresOf(rounds: Map<Shape, Measured[]>): Figure[] {
  const base = rounds.get('batches of deletes') ?? []
  return SHAPES.flatMap((shape) => {
    const own = rounds.get(shape) ?? []
    const figure = (name: string, unit: string, of: (one: Measured) => number): Figure => ({
      name: `${name}, ${shape}`,
      unit,
      parley: own.map(of),
      ...(shape === 'partitions' ? { reference: { name: 'batches of deletes', values: base.map(of) } } : {}),
    })
    const readers = Object.keys(own[0]?.readMs ?? {}).map((name): Figure => {
      const of = ({ readMs }: Measured) => median(readMs[name] ?? [])
      const ratio = median(own.map(of)) / median(base.map(of))
      const target = atMost(READER_RATIO_MAX, ratio, `≤ ${READER_RATIO_MAX} × of batches of deletes`)
      return { ...figure(name, 'ms', of), ...(shape === 'partitions' ? { target } : {}) }
    })
    return [
      figure('processor time of PostgreSQL for an event', 'µs', ({ us }) => us),
      figure('events written', 'events/s', ({ per_s }) => per_s),
      figure(`a group of ${GROUP}`, 'ms', ({ insertMs }) => median(insertMs)),
      figure('the same, p99', 'ms', ({ insertMs }) => quantile(insertMs, 0.99)),
      figure('the log with its indexes', 'MB', ({ mb }) => mb),
      ...readers,
    ]
  })
}

/** An event log of a window, written and read at a steady rate: what it costs to delete old events, by turns. */
export async function eventLog(): Promise<Figure[]> {
  const data = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const postgres = await startEmbeddedPostgres(data, openLog('silent'))
  const { socket } = postgres
  const admin = openDatabase({ socket, role: SUPERUSER, database: 'postgres' }, 1, 'parley-bench')
  try {
    const url = `postgres://parley_app@localhost/parley?host=${encodeURIComponent(socket)}`
    await (await startServer(join(data, 'server'), { DATABASE_URL: url })).stop()
    // Vacuum has to come within a run, as it does within a day.
    await admin.unsafe('alter system set autovacuum_naptime = 5')
    await admin`select pg_reload_conf()`
    for (const shape of SHAPES) {
      await admin`create database ${admin(databaseOf(shape))} template parley owner parley_app`
      if (shape === 'nothing deleted' || shape === 'batches of deletes') continue
      const sql = openDatabase({ socket, role: SUPERUSER, database: databaseOf(shape) }, 1, 'parley-bench')
      if (shape === 'partitions') await partition(sql)
      else await sql`alter table events set (autovacuum_vacuum_scale_factor = 0.02)`
      await sql.end({ timeout: 1 })
    }
    const rounds = new Map<Shape, Measured[]>(SHAPES.map((shape) => [shape, []]))
    for (let round = 0; round < ROUNDS; round++)
      for (const shape of round % 2 === 0 ? SHAPES : SHAPES.toReversed())
        rounds.get(shape)?.push(await measure(socket, postmasterOf(data), shape))
    return figuresOf(rounds)
  } finally {
    await admin.end({ timeout: 1 })
    await postgres.stop()
    rmSync(data, { recursive: true, force: true })
  }
}
