import { openChild, pin } from './children.ts'
import { requestText, type Target, targetOf } from './lanes.ts'
import { atLeast, type Figure, quantile } from './report.ts'
import { seed } from './seed.ts'
import { onStage } from './stage.ts'

const RECEIVERS = 1000
const ROUNDS = 5
/** Messages of one round by how many POSTs are in flight. */
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
  crowd: ReturnType<typeof openChild>
}

/** One message to 1,000 sockets, against Bun.serve that publishes the same bytes. */
export const fanOut = (): Promise<Figure[]> =>
  onStage(async (stage) => {
    // One more than receive: the sender. (Above 1,000 members presence stays among friends and out of the way.)
    const people = await seed(stage, {
      users: RECEIVERS + 1,
      servers: 1,
      servers_per_user: 1,
      channels_per_server: 1,
    })
    const [sender, ...receivers] = people
    if (!sender) throw new Error('nobody was seeded')
    const request = requestText('POST', '/api/channels/1/messages', sender.token, JSON.stringify({ content: CONTENT }))
    const bare = openChild('bare.ts')
    const crowds = [openChild('crowd.ts'), openChild('crowd.ts')] as const
    try {
      pin(bare.pid, SERVER_PROCESSOR)
      for (const crowd of crowds) pin(crowd.pid, CLIENT_PROCESSOR)
      await bare.ask('say', await sample(stage.url, sender.token))
      const sides: [Side, Side] = [
        { target: targetOf(stage.url), request, crowd: crowds[0] },
        { target: targetOf(await bare.ask<string>('url')), request, crowd: crowds[1] },
      ]
      const paths = receivers.map(({ token }) => `/ws?token=${token}`)
      await crowds[0].ask('open', { target: sides[0].target, paths, synced: true })
      await crowds[1].ask('open', { target: sides[1].target, paths, synced: false })
      return await measure(sides)
    } finally {
      for (const child of [bare, ...crowds]) await child.stop()
    }
  }, SERVER_PROCESSOR)

/** What a POST answers and what the sockets get of it, so that the bare server says as much. */
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
  for (const detail of FLOODS) {
    const rates = await inTurns(
      sides,
      'flood',
      detail,
      (answer: { deliveries_per_s: number }) => answer.deliveries_per_s,
    )
    figures.push({
      name: `fan-out to ${RECEIVERS}, ${detail.in_flight} POST in flight`,
      unit: 'deliveries/s',
      parley: rates[0],
      reference: { name: 'Bun publish', values: rates[1] },
      target: atLeast(0.8, ...rates),
    })
  }
  const p99 = await inTurns(sides, 'paced', PACED, (answer: { ms: number[] }) => quantile(answer.ms, 0.99))
  figures.push({
    name: `fan-out p99 to the last of ${RECEIVERS} at ${PACED.per_s} sends/s`,
    unit: 'ms',
    parley: p99[0],
    reference: { name: 'Bun publish', values: p99[1] },
  })
  return figures
}

/** One round of each by turns, after one to warm up. */
async function inTurns<T>(sides: [Side, Side], order: string, detail: object, value: (answer: T) => number) {
  const values: [number[], number[]] = [[], []]
  for (let round = -1; round < ROUNDS; round++) {
    for (const at of [0, 1] as const) {
      const { target, request, crowd } = sides[at]
      const answer = await crowd.ask<T>(order, { target, request, ...detail })
      if (round >= 0) values[at].push(value(answer))
    }
  }
  return values
}
