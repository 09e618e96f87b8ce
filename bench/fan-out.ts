import { type Load, openLoad } from './load.ts'
import { openChild, pin } from './processes.ts'
import { requestText, type Target, targetOf } from './http-connections.ts'
import { atLeast, atMost, type Figure, median, quantile } from './report.ts'
import { seed } from './seed.ts'
import { withServer } from './server.ts'

const RECEIVERS = 1000
const ROUNDS = 5
/** Messages of one round by the number of POSTs in flight. */
const FLOODS = [
  { in_flight: 1, messages: 200 },
  { in_flight: 16, messages: 800 },
]
const PACED = { per_s: 100, messages: 200 }
const SERVER_PROCESSOR = 0
const CLIENT_PROCESSOR = 1
const CONTENT = 'A kingfisher at the weir, just now, and it stayed for a whole minute.'

interface Side {
  target: Target
  request: string
  load: Load
}

/** One message to 1,000 sockets, against Bun.serve publishing the same bytes. */
export const fanOut = (): Promise<Figure[]> =>
  withServer(async (bench) => {
    // The extra one sends. In servers above 1,000 members presence goes to friends only, so it adds no frames.
    const people = await seed(bench, {
      users: RECEIVERS + 1,
      servers: 1,
      servers_per_user: 1,
      channels_per_server: 1,
    })
    const [sender, ...receivers] = people
    if (!sender) throw new Error('nobody was seeded')
    const request = requestText('POST', '/api/channels/1/messages', sender.token, JSON.stringify({ content: CONTENT }))
    const bare = openChild('bare-server.ts')
    const loads = [openLoad(), openLoad()] as const
    try {
      pin(bare.pid, SERVER_PROCESSOR)
      for (const load of loads) pin(load.pid, CLIENT_PROCESSOR)
      await bare.ask('set_reply', await sample(bench.url, sender.token))
      const sides: [Side, Side] = [
        { target: targetOf(bench.url), request, load: loads[0] },
        { target: targetOf(await bare.ask<string>('url')), request, load: loads[1] },
      ]
      const paths = receivers.map(({ token }) => `/ws?token=${token}`)
      await loads[0].open(sides[0].target, paths, true)
      await loads[1].open(sides[1].target, paths, false)
      return await measure(sides)
    } finally {
      for (const child of [...loads, bare]) await child.stop()
    }
  }, SERVER_PROCESSOR)

/** The body and the frame of one message, which the bare server sends too. */
async function sample(url: string, token: string): Promise<{ body: string; frame: string }> {
  const response = await fetch(`${url}/api/channels/1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content: CONTENT }),
  })
  const body = await response.text()
  return { body, frame: `{"t":"message.created","s":1000,"d":${body}}` }
}

async function measure(sides: [Side, Side]): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { in_flight, messages } of FLOODS) {
    const rates = await inTurns(sides, async ({ load, ...way }) => {
      const { deliveries_per_s } = await load.flood([way], messages, in_flight)
      return deliveries_per_s
    })
    figures.push({
      name: `fan-out to ${RECEIVERS}, ${in_flight} POST in flight`,
      unit: 'deliveries/s',
      parley: rates[0],
      reference: { name: 'Bun publish', values: rates[1] },
      target: atLeast(in_flight === 1 ? 0.85 : 0.75, ...rates),
    })
  }
  const p99 = await inTurns(sides, async ({ load, ...way }) => {
    const { ms } = await load.paced([way], PACED.messages, PACED.per_s)
    return quantile(ms, 0.99)
  })
  figures.push({
    name: `fan-out p99 to the last of ${RECEIVERS} at ${PACED.per_s} sends/s`,
    unit: 'ms',
    parley: p99[0],
    reference: { name: 'Bun publish', values: p99[1] },
    target: atMost(1.3, median(p99[0]) / median(p99[1]), '≤ 1.3× of the reference'),
  })
  return figures
}

/** Runs both sides alternately, one round each, after a warm-up round. */
async function inTurns(sides: [Side, Side], run: (side: Side) => Promise<number>) {
  const values: [number[], number[]] = [[], []]
  for (let round = -1; round < ROUNDS; round++) {
    for (const at of [0, 1] as const) {
      const value = await run(sides[at])
      if (round >= 0) values[at].push(value)
    }
  }
  return values
}
