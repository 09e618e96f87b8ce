import { expect, test } from 'bun:test'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { openLog } from '../../src/core/log.ts'
import { openRedis } from '../../src/redis/client.ts'
import { boot, call, person, newServer, say, until } from '../support/harness.ts'
import { Sending, Watching } from '../support/failover.ts'
import { by } from '../support/installation.ts'
import { redisProgram, redisSentinels, redisServer, roleOf } from '../support/redis.ts'
import { connect, type Gateway } from '../support/socket.ts'
import { SPAWN_MS } from '../support/spawned.ts'
import type { Parley } from '../../src/parley.ts'

/** A Sentinel whose answers a test delays: it names one Redis, and announces another. */
async function slowSentinel(first: number) {
  const listeners: Socket[] = []
  const state = { port: first, asked: 0, answer: Promise.resolve() }
  const text = (...parts: string[]) =>
    `*${parts.length}\r\n${parts.map((part) => `$${part.length}\r\n${part}\r\n`).join('')}`
  const answerTo = async (socket: Socket, [name = '', what = '']: string[]): Promise<string> => {
    if (name === 'hello') return "-ERR unknown command 'hello'\r\n"
    if (name === 'subscribe') {
      listeners.push(socket)
      return `*3\r\n$9\r\nsubscribe\r\n$${what.length}\r\n${what}\r\n:1\r\n`
    }
    if (name !== 'sentinel') return '+OK\r\n'
    if (what !== 'get-master-addr-by-name') return '*0\r\n'
    state.asked++
    await state.answer
    return text('127.0.0.1', `${state.port}`)
  }
  const server = createServer((socket) => {
    let [received, turn] = ['', Promise.resolve()]
    socket.on('error', () => {})
    socket.on('data', (data) => {
      received += data.toString()
      for (let command; (command = /^\*(\d+)\r\n/.exec(received));) {
        const lines = received.slice(command[0].length).split('\r\n')
        const count = 2 * Number(command[1])
        if (lines.length <= count) break
        received = lines.slice(count).join('\r\n')
        const words = lines.slice(0, count).flatMap((line, at) => (at % 2 === 1 ? line.toLowerCase() : []))
        // In the order of the commands.
        turn = turn.then(() => answerTo(socket, words)).then((answer) => void socket.write(answer))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const announce = () => listeners.forEach((socket) => socket.write(text('message', '+switch-master', 'parley')))
  return { state, listeners, announce, port: (server.address() as AddressInfo).port, close: () => server.close() }
}

const isWhole = async (parley: Parley) => (await call(parley, 'GET', '/readyz')).body.status === 'ok'

test.skipIf(!redisProgram)(
  'Sentinels replace a lost Redis under load: no message is lost, and bus, presence and limits come back',
  async () => {
    const { variables, master, replica } = await redisSentinels()
    const one = await boot({ ...variables, RATE_LIMITS: 'off' })
    const two = await boot({}, one)
    await until(async () => (await isWhole(one)) && isWhole(two))
    const [alice, bob, carol] = [await person(one, 'alice'), await person(one, 'bob'), await person(one, 'carol')]
    const { server_id, channel_id } = await newServer(alice, bob, carol)
    const watching = await Watching.open(by(two, bob))
    const desk = await connect(alice)
    const sending = new Sending(alice, channel_id)
    /** Typing is in no log: only Redis brings it from the other process. */
    const isTold = async (live: Gateway) => {
      await desk.command('typing.start', { channel_id })
      return live.of('typing.started').length > 0
    }
    const listed = async (who: number) => {
      const { body } = await alice.get(`/api/servers/${server_id}/members`)
      return body.find(({ user }: { user: { id: number } }) => user.id === who)?.status
    }
    const before = await connect(by(two, bob))
    await until(() => isTold(before))
    before.close()
    await until(() => sending.acknowledged.length >= 20)

    await master.kill()
    await until(async () => (await roleOf(replica)) === 'master')
    const countThen = sending.acknowledged.length
    await until(async () => (await isWhole(one)) && isWhole(two))
    await until(() => sending.acknowledged.length >= countThen + 20)
    await sending.end()
    const contents = sending.acknowledged.map(({ content }) => content)
    await until(() => contents.every((content) => watching.contents().has(content)))
    expect([sending.refusals, watching.reopened, watching.faults]).toEqual([[], [], []])

    const after = await connect(by(two, carol))
    await until(() => isTold(after))
    await until(async () => (await listed(carol.id)) === 'online')
    after.close()
    await until(async () => (await listed(carol.id)) === 'offline')
    await say(alice, channel_id, 'Done')
    desk.close()
    await watching.end()
  },
  SPAWN_MS,
)

test.skipIf(!redisProgram)(
  'two processes share the counts of their limits in the Redis that Sentinels have chosen',
  async () => {
    const { variables, master, replica } = await redisSentinels()
    const one = await boot({ ...variables, RATE_LIMITS: 'on' })
    const two = await boot({ RATE_LIMITS: 'on' }, one)
    await until(async () => (await isWhole(one)) && isWhole(two))
    await master.kill()
    await until(async () => (await roleOf(replica)) === 'master')
    await until(async () => (await isWhole(one)) && isWhole(two))
    let tries = 0
    // A process that waits for Redis longer than a second counts by itself, on a machine that stands still too.
    await until(async () => {
      const body = { username: `mallory-${++tries}`, password: 'Wrong-Guess-99!' }
      const statuses: number[] = []
      for (const parley of [one, two, one, two, one, two])
        statuses.push((await call(parley, 'POST', '/api/auth/login', { body })).status)
      return Bun.deepEquals(statuses, [401, 401, 401, 401, 401, 429])
    })
  },
  SPAWN_MS,
)

test.skipIf(!redisProgram)(
  'a process that hears of another Redis while it asks the Sentinels for one connects to the other',
  async () => {
    const [lost, other] = [await redisServer(), await redisServer()]
    const sentinel = await slowSentinel(lost.port)
    const watch = { sentinels: [{ host: '127.0.0.1', port: sentinel.port }], master: 'parley' }
    const link = openRedis('redis://sentinels', 'test', false, openLog('silent'), watch)
    await until(() => link.isAnswering() && sentinel.listeners.length >= 2)
    const answer = Promise.withResolvers<void>()
    sentinel.state.answer = answer.promise
    const before = sentinel.state.asked
    await lost.kill()
    // The connections for commands and for subscriptions.
    await until(() => sentinel.state.asked >= before + 2)
    sentinel.state.port = other.port
    sentinel.announce()
    // Long enough for both to read it; if they read it later, they have connected.
    await Bun.sleep(100)
    answer.resolve()
    await until(() => link.isAnswering())
    expect(await link.commands.set('a', 'b')).toBe('OK')
    link.stop()
    sentinel.close()
  },
)
