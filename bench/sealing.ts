import { loadavg } from 'node:os'
import { atMost, type Figure, median } from './report.ts'
import { type Person, seed } from './seed.ts'
import { type BenchServer, withServer } from './server.ts'
import { openCallPair } from './voice-calls.ts'

const TURNS = Number(process.env['SEALING_TURNS'] ?? 6)
const CALLS_PER_TURN = 5
const TALK_SECONDS = 15
const COST_MAX = 1.15
const DELAY_MAX = 1.2

interface Turn {
  percent: number
  first_ms: number
}

const gatewayOf = (url: string) => (who: Person) => `${url.replace(/^http/, 'ws')}/ws?token=${who.token}`

/** A browser with two pages: calls of two, peer to peer, and one of them with cameras. */
async function measure({ url }: BenchServer, people: [Person, Person], isSealed: boolean): Promise<Turn> {
  const pair = await openCallPair(people, gatewayOf(url), isSealed)
  try {
    const delays: number[] = []
    // The first call is a warm-up.
    for (let at = -1; at < CALLS_PER_TURN; at++) {
      const { ms } = await pair.call(1, false)
      if (at >= 0) delays.push(ms)
    }
    return { percent: await pair.talk(1, TALK_SECONDS), first_ms: median(delays) }
  } finally {
    await pair.close()
  }
}

/** The cost of end-to-end encryption in a call of two: processor time and the time to the first sound, by turns. */
export const sealing = (): Promise<Figure[]> =>
  withServer(
    async (bench) => {
      const loadBefore = loadavg()[0] ?? 0
      const [first, second] = await seed(bench, { users: 2, servers: 1, servers_per_user: 1, channels_per_server: 1 })
      if (!first || !second) throw new Error('nobody was seeded')
      await bench.sql`update channels set type = 'voice'`
      const [open, sealed]: [Turn[], Turn[]] = [[], []]
      for (let at = 0; at < TURNS; at++)
        // Each begins every other time.
        for (const isSealed of at % 2 === 0 ? [false, true] : [true, false])
          (isSealed ? sealed : open).push(await measure(bench, [first, second], isSealed))
      const figure = (name: string, unit: string, limit: number, value: (turn: Turn) => number): Figure => {
        const [parley, values] = [sealed.map(value), open.map(value)]
        const target = atMost(limit, median(parley) / median(values), `≤ ${limit}× of the reference`)
        return { name, unit, parley, reference: { name: 'not encrypted', values }, target }
      }
      return [
        figure('CPU of an encrypted call of two with cameras', '% of a core', COST_MAX, ({ percent }) => percent),
        figure('first sound of an encrypted call of two', 'ms', DELAY_MAX, ({ first_ms }) => first_ms),
        { name: 'load of the machine before it', unit: '', parley: [loadBefore] },
      ]
    },
    undefined,
    { TURN_PORT: '0', TURN_ALLOWED_PEERS: '127.0.0.0/8', CALLS_ENCRYPTION: 'preferred' },
  )
