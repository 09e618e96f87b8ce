import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { track } from './processes.ts'
import { targetOf } from './http-connections.ts'
import { openLoad, type Rate } from './load.ts'
import { atLeast, type Figure } from './report.ts'
import { seed } from './seed.ts'
import { withServer, type BenchServer } from './server.ts'

const CONNECTIONS = 64
const CHANNELS = 20
const ROUNDS = 5
const ROUND_SECONDS = 3
/** Messages per group that pgbench sends, and concurrent groups. */
const GROUP = 16
const GROUPS = 2

const HEAD = `\\set author random(1, ${CONNECTIONS})
\\set channel random(1, ${CHANNELS})
\\set n random(1, 1000000000000)
`

/** A message_draft, with random arguments. */
const draft = (hasNonce: boolean) => `json_build_object(
  'author_id', (:author + i) % ${CONNECTIONS} + 1, 'channel_id', (:channel + i) % ${CHANNELS} + 1,
  'content', 'hello ' || :n, 'people', '[]'::json, 'roles', '[]'::json, 'everyone', false, 'here', false,
  'reply_mention', true, 'file_ids', '[]'::json${hasNonce ? `, 'nonce', 'nonce ' || :n, 'hash', md5('' || :n)` : ''})`

const OF = `select outcome, missing, retry_after, audience, body, array_to_json(event_ids) as event_ids,
  array_to_json(topics) as topics, array_to_json(nullif(bodies, array[body])) as bodies from`

/** Sends one message; pgbench prepares the statement, as the server does. */
const single = (hasNonce: boolean) => `${HEAD}${OF} send_message(
  (select json_populate_record(null::message_draft, ${draft(hasNonce)}) from generate_series(1, 1) i));
`

/** Sends a group of messages, by the server's statement. */
const group = (hasNonce: boolean) => `${HEAD}${OF} send_messages(
  (select json_agg(${draft(hasNonce)}) from generate_series(1, ${GROUP}) i));
`

/**
 * POST message over 64 connections, against pgbench in the same database by the same function: with 64 clients that
 * send one by one, and with two that send groups.
 */
export const send = (): Promise<Figure[]> =>
  withServer(async (bench) => {
    const people = await seed(bench, {
      users: CONNECTIONS,
      servers: 1,
      servers_per_user: 1,
      channels_per_server: CHANNELS,
    })
    const pgbench = findPgbench()
    if (!pgbench) console.error(MISSING)
    const load = openLoad()
    const tokens = people.map((person) => person.token)
    const channels = { first: 1, count: CHANNELS }
    const post = async (connections: number, hasNonce: boolean) => {
      const rate = await load.posts(
        targetOf(bench.url),
        tokens.slice(0, connections),
        ROUND_SECONDS,
        channels,
        hasNonce,
      )
      if (rate.refused > 0) throw new Error(`${rate.refused} POSTs were refused`)
      return rate
    }
    try {
      const figures: Figure[] = []
      for (const nonce of [false, true]) {
        const name = `send at ${CONNECTIONS} connections${nonce ? ', with a nonce' : ''}`
        const rates: Rate[] = []
        const singles: number[] = []
        const groups: number[] = []
        for (let round = -1; round < ROUNDS; round++) {
          const rate = await post(CONNECTIONS, nonce)
          const singlePerS = pgbench ? await runPgbench(pgbench, bench, single(nonce), CONNECTIONS) : Number.NaN
          const groupPerS = pgbench ? GROUP * (await runPgbench(pgbench, bench, group(nonce), GROUPS)) : Number.NaN
          if (round < 0) continue
          rates.push(rate)
          singles.push(singlePerS)
          groups.push(groupPerS)
        }
        const parley = rates.map(({ per_s }) => per_s)
        const unit = 'messages/s'
        if (pgbench) {
          figures.push({ name, unit, parley, reference: { name: 'pgbench', values: singles } })
          const reference = { name: `pgbench, groups of ${GROUP}`, values: groups }
          figures.push({ name: `${name}, by groups`, unit, parley, reference, target: atLeast(0.7, parley, groups) })
        } else figures.push({ name, unit, parley, note: MISSING })
        figures.push({ name: `${name}, p99`, unit: 'ms', parley: rates.map(({ p99_ms }) => p99_ms) })
      }
      const alone: Rate[] = []
      for (let round = 0; round < ROUNDS; round++) alone.push(await post(1, false))
      figures.push({ name: 'send at 1 connection', unit: 'messages/s', parley: alone.map(({ per_s }) => per_s) })
      return figures
    } finally {
      await load.stop()
    }
  })

const MISSING = `
*** SKIPPED: the comparison of send with pgbench. There is no pgbench here: Debian has it in
*** postgresql-contrib (apt-get install postgresql-contrib); any version from 15 on will do.
`

/** The newest pgbench of Debian's PostgreSQL packages, or the one in PATH. */
function findPgbench(): string | undefined {
  const versions = '/usr/lib/postgresql'
  const found = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : []
  return (
    found.map((version) => join(versions, version, 'bin/pgbench')).find(existsSync) ?? Bun.which('pgbench') ?? undefined
  )
}

/** @returns transactions per second */
async function runPgbench(pgbench: string, { data, socket }: BenchServer, statement: string, clients: number) {
  const script = join(data, 'send.pgbench')
  writeFileSync(script, statement)
  const address = ['-h', socket, '-U', 'parley', 'parley']
  const load = ['-M', 'prepared', '-c', `${clients}`, '-j', '1', '-n', '-T', `${ROUND_SECONDS}`, '-f', script]
  const child = track(Bun.spawn([pgbench, ...load, ...address], { stdio: ['ignore', 'pipe', 'pipe'] }))
  const output = await new Response(child.stdout).text()
  const [, per_s] = /^tps = ([\d.]+)/m.exec(output) ?? []
  if (per_s === undefined) throw new Error(`pgbench failed: ${await new Response(child.stderr).text()}`)
  return Number(per_s)
}
