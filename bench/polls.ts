import { targetOf } from './http-connections.ts'
import type { Votes } from './http-load.ts'
import { openChild } from './processes.ts'
import { atMost, type Figure, median, quantile } from './report.ts'
import { seed } from './seed.ts'
import { withServer, type BenchServer } from './server.ts'

const VOTERS = 10_000
/** Sockets of members who watch the poll. */
const SOCKETS = 1000
const CONNECTIONS = 32
const ROUNDS = 3
const ROUND_SECONDS = 120
const POLL_SECONDS_MAX = 60
const PING_P99_MS_MAX = 100
const ANSWERS = ['Saturday', 'Sunday', 'Never']

interface Pings {
  ms: number[]
  unanswered: number
}

async function beginPoll({ url }: BenchServer, token: string): Promise<number> {
  const poll = { question: 'Which day?', answers: ANSWERS.map((text) => ({ text })) }
  const response = await fetch(`${url}/api/channels/1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ poll }),
  })
  const message = (await response.json()) as { id: number }
  return message.id
}

/** Ten thousand people vote in one poll as fast as they can, while a thousand of them watch it. */
export const polls = (): Promise<Figure[]> =>
  withServer(async (bench) => {
    const people = await seed(bench, { users: VOTERS, servers: 1, servers_per_user: 1, channels_per_server: 1 })
    const tokens = people.map(({ token }) => token)
    const target = targetOf(bench.url)
    const [sockets, load] = [openChild('socket-load.ts'), openChild('http-load.ts')]
    const [all, votes, pings]: [number[], number[], number[]] = [[], [], []]
    try {
      await sockets.ask('open', {
        target,
        paths: tokens.slice(0, SOCKETS).map((token) => `/ws?token=${token}`),
        synced: true,
      })
      for (let round = 0; round < ROUNDS; round++) {
        const message_id = await beginPoll(bench, tokens[0] ?? '')
        const command: Votes = {
          target,
          connections: CONNECTIONS,
          seconds: ROUND_SECONDS,
          message_id,
          tokens,
          answers: ANSWERS.length,
        }
        const [watched, answered] = await Promise.all([
          sockets.ask<Pings>('ping', { seconds: 10 }),
          load.ask<{ per_s: number; refused: Record<string, number>; ms: number[] }>('votes', command),
        ])
        const [poll] = await bench.sql<{ voter_count: number; sum: number }[]>`
          select voter_count, (select sum(count) from unnest(counts) count)::int as sum from polls
          where message_id = ${message_id}`
        if (poll?.voter_count !== VOTERS || poll.sum !== VOTERS)
          throw new Error(`Votes are missing: ${JSON.stringify([poll, answered.refused])}`)
        all.push(VOTERS / answered.per_s)
        votes.push(quantile(answered.ms, 0.99))
        pings.push(quantile(watched.ms, 0.99))
      }
    } finally {
      await sockets.stop()
      await load.stop()
    }
    return [
      {
        name: `${VOTERS.toLocaleString('en')} votes in one poll, ${SOCKETS} sockets watch`,
        unit: 's',
        parley: all,
        target: atMost(POLL_SECONDS_MAX, median(all), `≤ ${POLL_SECONDS_MAX} s`),
      },
      { name: `p99 of a vote over ${CONNECTIONS} connections`, unit: 'ms', parley: votes },
      {
        name: 'p99 of a ping of the sockets meanwhile',
        unit: 'ms',
        parley: pings,
        target: atMost(PING_P99_MS_MAX, median(pings), `≤ ${PING_P99_MS_MAX} ms`),
      },
    ]
  })
