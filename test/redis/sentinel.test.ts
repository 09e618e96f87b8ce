import { expect, test } from 'bun:test'
import { boot, call, person, newServer, say, until } from '../support/harness.ts'
import { Sending, Watching } from '../support/failover.ts'
import { by } from '../support/installation.ts'
import { redisProgram, redisSentinels, roleOf } from '../support/redis.ts'
import { connect, type Gateway } from '../support/socket.ts'
import { SPAWN_MS } from '../support/spawned.ts'
import type { Parley } from '../../src/parley.ts'

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
    const statuses: number[] = []
    for (const parley of [one, two, one, two, one, two]) {
      const body = { username: 'mallory', password: 'Wrong-Guess-99!' }
      statuses.push((await call(parley, 'POST', '/api/auth/login', { body })).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  },
  SPAWN_MS,
)
