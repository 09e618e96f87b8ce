import { describe, expect, test } from 'bun:test'
import { eventFrame, topic } from '../../src/core/events.ts'
import { permissions } from '../../src/core/permissions.ts'
import { boot, call, Person, person, room, say, until } from '../support/harness.ts'
import { redisProgram, redisServer } from '../support/redis.ts'
import { connect, type Frame } from '../support/socket.ts'

const view = permissions('view_channel')

describe.if(redisProgram !== undefined)('what reaches a node late', async () => {
  const redis = await redisServer()
  const one = await boot({ REDIS_URL: redis.url })
  const two = await boot({}, one)
  const isReady = async (parley: typeof one) => (await call(parley, 'GET', '/readyz')).body.status === 'ok'
  await until(async () => (await isReady(one)) && isReady(two))

  /** A socket of the person at the other node. */
  const elsewhere = ({ id, username, email, display_name, token }: Person) =>
    connect(new Person(two, id, username, email, display_name, token))

  /** A channel that alice sees throughout, and bob only while it is open to everyone. */
  async function hall() {
    const [alice, bob] = [await person(one, 'alice'), await person(one, 'bob')]
    const { server_id, channel_id } = await room(alice, bob)
    const [everyone] = (await alice.get(`/api/servers/${server_id}/roles`)).body
    const path = `/api/channels/${channel_id}/permissions/${everyone.id}`
    const [live, passing] = [await elsewhere(alice), await elsewhere(bob)]
    const set = async (deny: number) => expect((await alice.put(path, { deny })).status).toBe(200)
    return { alice, live, passing, channel_id, hide: () => set(view), open: () => set(0) }
  }

  test('a message that Redis delivers after its channel changed reaches members who see it throughout', async () => {
    const { alice, live, passing, channel_id, hide, open } = await hall()
    for (let n = 0; n < 8; n++) {
      await hide()
      for (const [what, change] of [
        ['before it was opened', open],
        ['before it was hidden', hide],
      ] as const) {
        const content = `${what}, ${n}`
        redis.freeze()
        try {
          await say(alice, channel_id, content)
          await change()
        } finally {
          redis.thaw()
        }
        await live.next('message.created', ({ d }) => d.content === content, 4_000)
      }
    }
    live.close()
    passing.close()
  })

  test('a member who lost sight of a channel receives no message of it after the change was answered', async () => {
    const { alice, live, passing, channel_id, hide, open } = await hall()
    for (let n = 0; n < 3; n++) {
      redis.freeze()
      let before = 0
      try {
        await say(alice, channel_id, `just before, ${n}`)
        await hide()
        await passing.settled()
        before = passing.of('message.created').length
      } finally {
        redis.thaw()
      }
      await live.next('message.created', ({ d }) => d.content === `just before, ${n}`)
      await Bun.sleep(1_500)
      expect(passing.of('message.created')).toHaveLength(before)
      await open()
    }
    live.close()
    passing.close()
  })

  test('a late event is followed by the newest event of its resource', async () => {
    const [alice, bob] = [await person(one, 'alice'), await person(one, 'bob')]
    const { server_id, channel_id } = await room(alice, bob)
    const { sql, bus } = one.parts
    const before = await elsewhere(alice)
    const late = Promise.withResolvers<void>()
    // The log is final only up to the oldest transaction: until that ends, no follower delivers what comes after.
    const oldest = sql.begin(async (tx) => {
      await tx`select pg_current_xact_id()`
      await late.promise
    })
    const message = { ...(await say(alice, channel_id, 'first')), id: 3_000_001 }
    const logged = async (type: string, content: string) => {
      const body = JSON.stringify({ ...message, content })
      const [row] = await sql<[{ id: number }]>`
        insert into events (type, resource, topic, server_id, channel_id, body) values (${type},
          ${`message:${message.id}`}, ${`server:${server_id}`}, ${server_id}, ${channel_id}, ${body}::text::json)
        returning id`
      return () => bus.publish(eventFrame(topic.server(server_id), type, row.id, body))
    }
    // One event of a node that died before it published, and one of a node that did not.
    await logged('message.created', 'first')
    const publish = await logged('message.updated', 'edited')
    publish()
    await before.next('message.updated')
    const live = await elsewhere(bob)
    late.resolve()
    await oldest
    const isIt = ({ d }: Frame) => d.id === message.id
    await live.next('message.created', isIt)
    await live.settled()
    expect(live.frames.filter(isIt).map(({ t, d }) => [t, d.content])).toEqual([
      ['message.created', 'first'],
      ['message.updated', 'edited'],
    ])
    before.close()
    live.close()
  })
})
