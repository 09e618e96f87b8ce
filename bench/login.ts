import { openChild } from './processes.ts'
import { targetOf } from './http-connections.ts'
import type { Logins } from './http-load.ts'
import { atMost, type Figure, median, quantile } from './report.ts'
import { seed } from './seed.ts'
import { withServer } from './server.ts'

const SOCKETS = 1000
const CONNECTIONS = 32
const ROUNDS = 5
const ROUND_SECONDS = 4
const PING_P99_MS_MAX = 100
const PASSWORD = 'Correct-Horse-7!'

interface Pings {
  ms: number[]
  unanswered: number
}

/** Logins as fast as possible, while 1,000 sockets send a ping per second each. */
export const login = (): Promise<Figure[]> =>
  withServer(async (bench) => {
    const people = await seed(bench, {
      users: SOCKETS,
      servers: 1,
      servers_per_user: 1,
      channels_per_server: 20,
      password_hash: await Bun.password.hash(PASSWORD, 'argon2id'),
    })
    const target = targetOf(bench.url)
    const sockets = openChild('socket-load.ts')
    const load = openChild('http-load.ts')
    try {
      await sockets.ask('open', { target, paths: people.map(({ token }) => `/ws?token=${token}`), synced: true })
      const quiet: number[] = []
      const busy: number[] = []
      const rates: number[] = []
      for (let round = -1; round < ROUNDS; round++) {
        const alone = await sockets.ask<Pings>('ping', { seconds: 2 })
        const command: Logins = {
          target,
          connections: CONNECTIONS,
          seconds: ROUND_SECONDS,
          password: PASSWORD,
          users: SOCKETS,
        }
        const [pings, answered] = await Promise.all([
          sockets.ask<Pings>('ping', { seconds: ROUND_SECONDS }),
          load.ask<{ per_s: number; refused: Record<string, number> }>('logins', command),
        ])
        if (Object.keys(answered.refused).length > 0)
          throw new Error(`Logins were refused: ${JSON.stringify(answered.refused)}`)
        if (pings.unanswered > 0) throw new Error(`${pings.unanswered} pings had no answer`)
        if (round < 0) continue
        rates.push(answered.per_s)
        busy.push(quantile(pings.ms, 0.99))
        quiet.push(quantile(alone.ms, 0.99))
      }
      return [
        { name: `login over ${CONNECTIONS} connections`, unit: 'logins/s', parley: rates },
        {
          name: `p99 of a ping of ${SOCKETS} sockets meanwhile`,
          unit: 'ms',
          parley: busy,
          reference: { name: 'without logins', values: quiet },
          target: atMost(PING_P99_MS_MAX, median(busy), `≤ ${PING_P99_MS_MAX} ms`),
        },
      ]
    } finally {
      await sockets.stop()
      await load.stop()
    }
  })
