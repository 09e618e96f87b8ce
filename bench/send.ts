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

/** The statement of the route with random arguments; pgbench prepares it, as the server does. */
const statement = (nonce: boolean) => `\\set author random(1, ${CONNECTIONS})
\\set channel random(1, ${CHANNELS})
\\set n random(1, 1000000000000)
select outcome, missing, event_id, topic, body from send_message(:author, :channel, 'hello ' || :n, '{}', null, '{}',
  ${nonce ? `'nonce ' || :n, decode(md5('' || :n), 'hex')` : 'null, null'});
`

/** POST message over 64 connections, against pgbench with 64 clients, the same statement and the same database. */
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
    const post = async (connections: number, nonce: boolean) => {
      const rate = await load.posts(targetOf(bench.url), tokens.slice(0, connections), ROUND_SECONDS, CHANNELS, nonce)
      if (rate.refused > 0) throw new Error(`${rate.refused} POSTs were refused`)
      return rate
    }
    try {
      const figures: Figure[] = []
      for (const nonce of [false, true]) {
        const name = `send at ${CONNECTIONS} connections${nonce ? ', with a nonce' : ''}`
        const rates: Rate[] = []
        const reference: number[] = []
        for (let round = -1; round < ROUNDS; round++) {
          const rate = await post(CONNECTIONS, nonce)
          const bench_per_s = pgbench ? await runPgbench(pgbench, bench, nonce) : undefined
          if (round < 0) continue
          rates.push(rate)
          if (bench_per_s !== undefined) reference.push(bench_per_s)
        }
        const parley = rates.map(({ per_s }) => per_s)
        figures.push({
          name,
          unit: 'messages/s',
          parley,
          ...(pgbench
            ? { reference: { name: 'pgbench', values: reference }, target: atLeast(0.6, parley, reference) }
            : { note: MISSING }),
        })
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

async function runPgbench(pgbench: string, { data, socket }: BenchServer, nonce: boolean): Promise<number> {
  const script = join(data, 'send.pgbench')
  writeFileSync(script, statement(nonce))
  const address = ['-h', socket, '-U', 'parley', 'parley']
  const load = ['-M', 'prepared', '-c', `${CONNECTIONS}`, '-j', '1', '-n', '-T', `${ROUND_SECONDS}`, '-f', script]
  const child = track(Bun.spawn([pgbench, ...load, ...address], { stdio: ['ignore', 'pipe', 'pipe'] }))
  const output = await new Response(child.stdout).text()
  const [, per_s] = /^tps = ([\d.]+)/m.exec(output) ?? []
  if (per_s === undefined) throw new Error(`pgbench failed: ${await new Response(child.stderr).text()}`)
  return Number(per_s)
}
