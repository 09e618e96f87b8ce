import { permissions } from '../src/core/permissions.ts'
import { targetOf } from './http-connections.ts'
import { openChild } from './processes.ts'
import { atMost, type Figure, median, quantile } from './report.ts'
import { seed } from './seed.ts'
import { type BenchServer, withServer } from './server.ts'

/** Members of one server, each with a socket. */
const SOCKETS = 10_000
/** Sockets of the same server that ping once a second while permissions change. */
const PINGING = 200
const CHANNELS = 20
const ROUNDS = 5
/** Changes per round: half of them hide a channel from one member, half show it. */
const CHANGES = 20
const PING_SECONDS = 5
const CHANGE_MS_MAX = 1000
const PING_P99_MS_MAX = 250
/** The member whose overwrite changes; account 1 owns the server. */
const MEMBER = 2

/** The events of one socket, by type; each waits for the next one of its kind. */
async function watch(url: string, token: string) {
  const waiting = new Map<string, () => void>()
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?token=${token}`)
  const next = (type: string) => new Promise<void>((resolve) => waiting.set(type, resolve))
  socket.addEventListener('message', ({ data }) => {
    const { t } = JSON.parse(String(data)) as { t?: string }
    waiting.get(t ?? '')?.()
  })
  await next('synced')
  return { next, close: () => socket.close() }
}

/** Hides the first channel from the member, or shows it again: both flip whether every member sees it. */
async function change({ url }: BenchServer, token: string, isHiding: boolean): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ deny: permissions('view_channel') })
  const request = isHiding ? { method: 'PUT', headers, body } : { method: 'DELETE', headers }
  const response = await fetch(`${url}/api/channels/1/permissions/members/${MEMBER}`, request)
  if (!response.ok) throw new Error(`The overwrite was refused: ${response.status} ${await response.text()}`)
}

/** An overwrite isHiding a channel from one of ten thousand connected members, and shows it again. */
export const overwrites = (): Promise<Figure[]> =>
  withServer(async (bench) => {
    const people = await seed(bench, {
      users: SOCKETS + PINGING,
      servers: 1,
      servers_per_user: 1,
      channels_per_server: CHANNELS,
    })
    const tokens = people.map(({ token }) => token)
    const paths = tokens.map((token) => `/ws?token=${token}`)
    const target = targetOf(bench.url)
    const [sockets, pinger] = [openChild('socket-load.ts'), openChild('socket-load.ts')]
    const member = await watch(bench.url, tokens[MEMBER - 1] ?? '')
    const [seen, pings]: [number[], number[]] = [[], []]
    try {
      await sockets.ask('open', { target, paths: paths.slice(PINGING), synced: true })
      await pinger.ask('open', { target, paths: paths.slice(0, PINGING), synced: true })
      for (let round = 0; round < ROUNDS; round++) {
        const pinging = pinger.ask<{ ms: number[] }>('ping', { seconds: PING_SECONDS })
        const ms: number[] = []
        for (let at = 0; at < CHANGES; at++) {
          const isHiding = at % 2 === 0
          const arrival = member.next(isHiding ? 'channel.deleted' : 'channel.created')
          const began = performance.now()
          await change(bench, tokens[0] ?? '', isHiding)
          await arrival
          ms.push(performance.now() - began)
        }
        seen.push(median(ms))
        pings.push(quantile((await pinging).ms, 0.99))
      }
      const lost = await sockets.ask<string[]>('lost')
      if (lost.length > 0) throw new Error(`${lost.length} sockets were lost: ${lost[0]}`)
    } finally {
      member.close()
      await sockets.stop()
      await pinger.stop()
    }
    return [
      {
        name: `one member loses or gains a channel, ${SOCKETS.toLocaleString('en')} sockets in the server`,
        unit: 'ms',
        parley: seen,
        target: atMost(CHANGE_MS_MAX, median(seen), `≤ ${CHANGE_MS_MAX} ms`),
      },
      {
        name: 'p99 of a ping of the sockets meanwhile',
        unit: 'ms',
        parley: pings,
        target: atMost(PING_P99_MS_MAX, median(pings), `≤ ${PING_P99_MS_MAX} ms`),
      },
    ]
  })
