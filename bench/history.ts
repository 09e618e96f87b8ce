import { openChild } from './processes.ts'
import { plansOf } from './plans.ts'
import { targetOf } from './http-connections.ts'
import type { Reads } from './http-load.ts'
import { atMost, type Figure, median, writeResult } from './report.ts'
import { seed } from './seed.ts'
import { withServer, type BenchServer } from './server.ts'

const MESSAGES = 1_000_000
const AUTHORS = 100
const ROUNDS = 5
const PAGES = 200
const RATIO_MAX = 1.5

/** A page of 50 at a channel of a million messages: the newest, one in the middle, one near the end. */
export const history = (): Promise<Figure[]> =>
  withServer(async (bench) => {
    const [reader] = await seed(bench, { users: AUTHORS, servers: 1, servers_per_user: 1, channels_per_server: 2 })
    await fill(bench)
    writeResult('history-plans.txt', await explain(bench))
    const load = openChild('http-load.ts')
    try {
      const path = '/api/channels/1/messages?limit=50'
      // Ids alternate between the two channels.
      const places = {
        first: () => path,
        mid: (n: number) => `${path}&before=${MESSAGES + 2 * n * 50}`,
        deep: (n: number) => `${path}&before=${500 + 2 * n * 50}`,
      }
      const ms: Record<string, number[]> = { first: [], mid: [], deep: [] }
      for (let round = -1; round < ROUNDS; round++) {
        for (const [place, pathOf] of Object.entries(places)) {
          const paths = Array.from({ length: PAGES }, (_, n) => pathOf(n))
          const command: Reads = { target: targetOf(bench.url), token: reader?.token ?? '', paths }
          const answer = await load.ask<{ ms: number[] }>('reads', command)
          if (answer.ms.length < PAGES) throw new Error(`Pages were refused at ${paths[0]}`)
          if (round >= 0) ms[place]?.push(median(answer.ms))
        }
      }
      return judge(ms)
    } finally {
      await load.stop()
    }
  })

function judge(ms: Record<string, number[]>): Figure[] {
  const medians = Object.values(ms).map(median)
  const ratio = Math.max(...medians) / Math.min(...medians)
  return Object.entries(ms).map(([place, values], at) => ({
    name: `history of ${MESSAGES / 1_000_000} million messages, ${place} page`,
    unit: 'ms',
    parley: values,
    ...(at === 0 ? { target: atMost(RATIO_MAX, ratio, `all within ${RATIO_MAX}× of each other`) } : {}),
  }))
}

/** A million messages in each of two channels, alternating, so that those of one channel are not adjacent. */
async function fill({ sql }: BenchServer): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`set local statement_timeout = '120s'`
    await tx`insert into messages (channel_id, author_id, content, created_at)
      select n % 2 + 1, n % ${AUTHORS}::int + 1, 'Message number ' || n || ' of a long conversation about birds.',
        now() - (${2 * MESSAGES}::int - n) * interval '1 second'
      from generate_series(0, ${2 * MESSAGES - 1}::int) n order by n`
  })
  await sql`vacuum analyze messages`
}

/** The plans of the route's statement at the same three places. */
const explain = (bench: BenchServer): Promise<string> =>
  plansOf(bench, async (sql, note) => {
    for (const [place, bound] of Object.entries({ first: Number.MAX_SAFE_INTEGER, mid: MESSAGES, deep: 500 })) {
      note(`-- ${place}`)
      await sql`select * from message_page(1, 1, true, ${bound}, 51, 0)`
    }
  })
