import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openChild } from './children.ts'
import { targetOf } from './lanes.ts'
import type { Reads } from './load.ts'
import { atMost, type Figure, median } from './report.ts'
import { seed } from './seed.ts'
import { onStage, type Stage } from './stage.ts'

const MESSAGES = 1_000_000
const AUTHORS = 100
const ROUNDS = 5
const PAGES = 200
const APART_MAX = 1.5

/** A page of 50 at a channel of a million messages: the newest, one in the middle, one near the end. */
export const history = (): Promise<Figure[]> =>
  onStage(async (stage) => {
    const [reader] = await seed(stage, { users: AUTHORS, servers: 1, servers_per_user: 1, channels_per_server: 2 })
    await fill(stage)
    showPlans(await plans(stage))
    const load = openChild('load.ts')
    try {
      const path = '/api/channels/1/messages?limit=50'
      // Every second message is the other channel's.
      const places = {
        first: () => path,
        mid: (n: number) => `${path}&before=${MESSAGES + 2 * n * 50}`,
        deep: (n: number) => `${path}&before=${500 + 2 * n * 50}`,
      }
      const ms: Record<string, number[]> = { first: [], mid: [], deep: [] }
      for (let round = -1; round < ROUNDS; round++) {
        for (const [place, pathOf] of Object.entries(places)) {
          const paths = Array.from({ length: PAGES }, (_, n) => pathOf(n))
          const order: Reads = { target: targetOf(stage.url), token: reader?.token ?? '', paths }
          const answer = await load.ask<{ ms: number[] }>('reads', order)
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
  const apart = Math.max(...medians) / Math.min(...medians)
  return Object.entries(ms).map(([place, values], at) => ({
    name: `history of ${MESSAGES / 1_000_000} million messages, ${place} page`,
    unit: 'ms',
    parley: values,
    ...(at === 0 ? { target: atMost(APART_MAX, apart, `all within ${APART_MAX}× of each other`) } : {}),
  }))
}

/** A million messages in each of two channels, in turns, so that a channel's are not side by side. */
async function fill({ sql }: Stage): Promise<void> {
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

/** The route's statement at the same three places. */
async function plans({ sql }: Stage): Promise<string> {
  const said: string[] = []
  for (const [place, bound] of Object.entries({ first: Number.MAX_SAFE_INTEGER, mid: MESSAGES, deep: 500 })) {
    const statement = `select page.id, (select message_json(m)::text from messages m where m.id = page.id) as body
      from (select id from messages where channel_id = 1 and id < ${bound} order by id desc limit 51 offset 0) page`
    const rows = await sql.unsafe<{ 'QUERY PLAN': string }[]>(`explain (analyze, buffers) ${statement}`)
    said.push(`-- ${place}: ${statement.replace(/\s+/g, ' ')}`, ...rows.map((row) => row['QUERY PLAN']), '')
  }
  return said.join('\n')
}

function showPlans(text: string): void {
  const folder = join(import.meta.dir, 'results')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'history-plans.txt'), text)
}
