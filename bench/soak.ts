import { openConnection, requestText, type Target, targetOf } from './http-connections.ts'
import { residentBytes } from './processes.ts'
import { atMost, type Figure, median } from './report.ts'
import { type Person, seed } from './seed.ts'
import { withServer } from './server.ts'
import { openSocket, type SocketClient } from './socket-client.ts'

const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 600)
const SOCKETS = 200
/** Servers of 40 people, who all receive each other's messages. */
const SERVERS = 5
const SENDS_PER_SECOND = 50
const RECONNECTS_PER_SECOND = 3
/** The first minute fills caches and heap. */
const WARM_UP_SECONDS = 60
const WINDOW_SECONDS = 30
/** Collections shift a half minute by some MB either way; a leak of 350 bytes per message would rise as much. */
const RISE_MB_PER_MINUTE_MAX = 1

/** Resident memory while 200 sockets receive, 50 messages a second are sent, and 3 sockets a second open anew. */
export const soak = (): Promise<Figure[]> =>
  withServer(async (bench) => {
    const people = await seed(bench, {
      users: SOCKETS,
      servers: SERVERS,
      servers_per_user: 1,
      channels_per_server: 1,
    })
    const load = await openSoak(targetOf(bench.url), people)
    const windows: number[] = []
    let window: number[] = []
    const started = performance.now()
    for (let second = 1; second <= SECONDS; second++) {
      await load.second()
      await Bun.sleep(started + second * 1000 - performance.now())
      window.push(residentBytes(bench.process.pid) / 1024 ** 2)
      if (window.length < WINDOW_SECONDS) continue
      windows.push(median(window))
      console.error(`${second} s: ${median(window).toFixed(1)} MB (${bounds(window)})`)
      window = []
    }
    if (load.lost.length > 0) throw new Error(`${load.lost.length} sockets were lost: ${load.lost[0]}`)
    if (load.refused.length > 0) throw new Error(`${load.refused.length} messages were refused: ${load.refused[0]}`)
    return judge(windows, load.sent(), load.reconnects())
  })

const bounds = (values: number[]) => `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`

/** @param windows the median of each half minute, MB */
function judge(windows: number[], sent: number, reconnects: number): Figure[] {
  const warm = windows.slice(WARM_UP_SECONDS / WINDOW_SECONDS)
  const rise = slope(warm) * (60 / WINDOW_SECONDS)
  const all = windows.map((mb) => mb.toFixed(1)).join(', ')
  return [
    {
      name: `memory in a soak of ${SECONDS} s, after the first minute`,
      unit: 'MB',
      parley: warm,
      target: atMost(RISE_MB_PER_MINUTE_MAX, rise, `rise ≤ ${RISE_MB_PER_MINUTE_MAX} MB a minute`),
      note: `Half minutes: ${all} MB; ${sent} messages, ${reconnects} reconnects.`,
    },
  ]
}

/** The median slope of all pairs, which a few values that stand out do not move. Source: Theil 1950, Sen 1968. */
const slope = (values: number[]): number =>
  median(values.flatMap((value, at) => values.slice(at + 1).map((later, after) => (later - value) / (after + 1))))

/** Opens the sockets. @returns the load of one second */
async function openSoak(target: Target, people: Person[]) {
  const lost: string[] = []
  const refused: number[] = []
  let sent = 0
  let reconnects = 0
  const listener = { answer: () => {}, lost: (why: string) => void lost.push(why) }
  const open = async ({ token }: Person): Promise<SocketClient> => {
    const socket = await openSocket(target, `/ws?token=${token}`, listener)
    await socket.synced
    return socket
  }
  const sockets: SocketClient[] = []
  for (const person of people) sockets.push(await open(person))
  // Each connection has one message in flight; the authors of the first ten connections are in all the servers.
  const authors = await Promise.all(
    people.slice(0, 2 * SERVERS).map(async ({ token }, at) => ({
      connection: await openConnection(target),
      request: (content: string) =>
        requestText('POST', `/api/channels/${(at % SERVERS) + 1}/messages`, token, JSON.stringify({ content })),
    })),
  )
  const send = async (author: (typeof authors)[number]) => {
    for (let n = 0; n < SENDS_PER_SECOND / authors.length; n++) {
      const status = await author.connection.send(author.request(`Message ${++sent}`))
      if (status !== 201) refused.push(status)
      await Bun.sleep((1000 * authors.length) / SENDS_PER_SECOND / 2)
    }
  }
  const reconnect = async () => {
    const at = reconnects++ % sockets.length
    const person = people[at]
    sockets[at]?.close()
    if (person) sockets[at] = await open(person)
  }
  return {
    lost,
    refused,
    sent: () => sent,
    reconnects: () => reconnects,
    second: () => Promise.all([...authors.map(send), ...Array.from({ length: RECONNECTS_PER_SECOND }, reconnect)]),
  }
}
