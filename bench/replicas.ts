import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../src/database/database.ts'
import { openTokens } from '../src/features/sessions/token.ts'
import { primaryAndStandbys } from '../test/support/standby.ts'
import { targetOf } from './http-connections.ts'
import type { Reads } from './http-load.ts'
import { openChild, postgresMicroseconds } from './processes.ts'
import { atMost, type Figure, median } from './report.ts'
import { type Person, seed } from './seed.ts'
import { type ServerProcess, startServer } from './server.ts'

const ACCOUNTS = 1_000
const SERVERS = 200
const SERVERS_PER_USER = 10
const CHANNELS = 20
/** Messages of the channel whose pages are read. */
const MESSAGES = 50_000
const OPENINGS = 10_000
const PAGES = 1_000
const LANES = 8
const ROUNDS = 2
const SHARE_MAX = 0.15

const SHAPES = ['with two replicas', 'without replicas'] as const
type Shape = (typeof SHAPES)[number]

/** Milliseconds of processor time: of the primary, of its replicas together, and of the server. */
interface Spent {
  primary: number
  replicas: number
  server: number
}

interface Round {
  openings: Spent
  /** Pages, eight at once. */
  pages: Spent
  /** Pages, one after another: each asks the primary for its position. */
  single: Spent
  /** Of a second in which nobody asks for anything. */
  idle: Spent
}

/** Openings of accounts in ten servers, and pages of history: by turns with two replicas and without. */
export async function replicas(): Promise<Figure[]> {
  const postgres = await primaryAndStandbys(2)
  if (!postgres) return []
  const { primary, standbys } = postgres
  const data = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const variables = (shape: Shape): Record<string, string> => ({
    DATABASE_URL: primary.url(),
    ...(shape === 'without replicas' ? {} : { DATABASE_REPLICA_URLS: standbys.map((one) => one.url()).join(',') }),
  })
  const spend = async (server: ServerProcess, work: () => Promise<unknown>): Promise<Spent> => {
    const now = (): Spent => ({
      primary: postgresMicroseconds(primary.pid) / 1000,
      replicas: standbys.reduce((sum, { pid }) => sum + postgresMicroseconds(pid), 0) / 1000,
      server: postgresMicroseconds(server.pid) / 1000,
    })
    const before = now()
    await work()
    const after = now()
    return {
      primary: after.primary - before.primary,
      replicas: after.replicas - before.replicas,
      server: after.server - before.server,
    }
  }
  try {
    // Vacuuming what was just filled is no work of the reads.
    primary.psql('alter system set autovacuum = off')
    primary.psql('select pg_reload_conf()')
    const people = await fill(primary.url().replace('parley@', 'postgres@'), () =>
      startServer(data, variables('without replicas')),
    )
    const rounds = new Map<Shape, Round[]>(SHAPES.map((shape) => [shape, []]))
    for (let round = 0; round < ROUNDS; round++)
      for (const shape of round % 2 === 0 ? SHAPES : SHAPES.toReversed()) {
        const server = await startServer(data, variables(shape))
        const sockets = openChild('socket-load.ts')
        const http = openChild('http-load.ts')
        const open = async (count: number) => {
          const paths = people.map(({ token }) => `/ws?token=${token}&compress=deflate&servers=recent`)
          for (let n = 0; n < count / ACCOUNTS; n++) {
            await sockets.ask('open', { target: targetOf(server.url), paths, synced: true })
            await sockets.ask('close')
          }
        }
        const read = async (count: number, lanes: number) => {
          const path = (n: number) =>
            `/api/channels/1/messages?limit=50&before=${1 + SERVERS * CHANNELS + MESSAGES - n * 40}`
          const paths = Array.from({ length: count }, (_, n) => path(n))
          const command: Reads = { target: targetOf(server.url), token: people[0]?.token ?? '', paths, lanes }
          const { ms } = await http.ask<{ ms: number[] }>('reads', command)
          if (ms.length < count) throw new Error('Pages were refused')
        }
        // Also gives the replicas the time to be found well.
        await open(ACCOUNTS)
        await read(100, LANES)
        // Background jobs plan their statements on each connection.
        await Bun.sleep(20_000)
        const idle = await spend(server, () => Bun.sleep(5_000))
        const measured = {
          openings: await spend(server, () => open(OPENINGS)),
          pages: await spend(server, () => read(PAGES, LANES)),
          single: await spend(server, () => read(PAGES, 1)),
          idle: { primary: idle.primary / 5, replicas: idle.replicas / 5, server: idle.server / 5 },
        }
        rounds.get(shape)?.push(measured)
        for (const child of [sockets, http, server]) await child.stop()
      }
    return figuresOf(rounds)
  } finally {
    for (const server of [primary, ...standbys]) await server.crash()
    rmSync(data, { recursive: true, force: true })
  }
}

/** Accounts that have read four channels of five, and one long channel. */
async function fill(url: string, start: () => Promise<ServerProcess>): Promise<Person[]> {
  await (await start()).stop()
  const sql = openDatabase({ url }, 2, 'parley-bench')
  try {
    const [secret] = await sql<{ value: string }[]>`select value from secrets where name = 'jwt'`
    const people = await seed(
      { sql, tokens: openTokens(secret?.value ?? '') },
      { users: ACCOUNTS, servers: SERVERS, servers_per_user: SERVERS_PER_USER, channels_per_server: CHANNELS },
    )
    await sql`insert into messages (channel_id, author_id, content)
      select c.id, 1, 'Owl ' || c.id from channels c order by c.id desc`
    await sql`insert into messages (channel_id, author_id, content)
      select 1, n % ${ACCOUNTS}::int + 1, 'Message number ' || n || ' of a long conversation about birds.'
      from generate_series(1, ${MESSAGES}::int) n`
    await sql`insert into read_marks (user_id, channel_id, message_id)
      select m.user_id, c.id, said.id from members m join channels c using (server_id)
      join messages said on said.channel_id = c.id where c.position % 5 > 0 and c.id > 1`
    await sql`vacuum analyze`
    return people
  } finally {
    await sql.end({ timeout: 1 })
  }
}

function figuresOf(rounds: Map<Shape, Round[]>): Figure[] {
  const [own = [], alone = []] = SHAPES.map((shape) => rounds.get(shape))
  const names = {
    openings: `${OPENINGS} openings`,
    pages: `${PAGES} pages of history, ${LANES} at once`,
    single: `${PAGES} pages of history, one after another`,
    idle: 'a second at rest',
  }
  return (Object.keys(names) as (keyof Round)[]).flatMap((what) => {
    const figure = (name: string, part: keyof Spent): Figure => ({
      name: `processor time of ${name}, ${names[what]}, with two replicas`,
      unit: 'ms',
      parley: own.map((round) => round[what][part]),
      reference: { name: 'without replicas', values: alone.map((round) => round[what][part]) },
    })
    const primary = figure('the primary', 'primary')
    const ratio = median(primary.parley) / median(primary.reference?.values ?? [])
    return [
      { ...primary, ...(what === 'idle' ? {} : { target: atMost(SHARE_MAX, ratio, `≤ ${SHARE_MAX} × of it`) }) },
      figure('the replicas', 'replicas'),
      figure('the server', 'server'),
    ]
  })
}
