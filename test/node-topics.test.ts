import { describe, expect, test } from 'bun:test'
import { permissions } from '../src/core/permissions.ts'
import { boot, call, Person, person, room, say, until } from './harness.ts'
import { redisProgram, redisServer } from './redis.ts'
import { connect } from './socket.ts'

const view = permissions('view_channel')

describe.if(redisProgram !== undefined)('a channel that changes its topic', async () => {
  const redis = await redisServer()
  const one = await boot({ REDIS_URL: redis.url })
  const two = await boot({}, one)
  const isReady = async (parley: typeof one) => (await call(parley, 'GET', '/readyz')).body.status === 'ok'
  await until(async () => (await isReady(one)) && isReady(two))

  /** By way of the other node. */
  const elsewhere = ({ id, username, email, display_name, token }: Person) =>
    connect(new Person(two, id, username, email, display_name, token))

  /** A channel of alice's, who sees it all the time, and of bob's, who does not. */
  async function hall() {
    const [alice, bob] = [await person(one, 'alice'), await person(one, 'bob')]
    const { server_id, channel_id } = await room(alice, bob)
    const [everyone] = (await alice.get(`/api/servers/${server_id}/roles`)).body
    const path = `/api/channels/${channel_id}/permissions/${everyone.id}`
    const [live, passing] = [await elsewhere(alice), await elsewhere(bob)]
    const set = async (deny: number) => expect((await alice.put(path, { deny })).status).toBe(200)
    return { alice, live, passing, channel_id, hide: () => set(view), open: () => set(0) }
  }

  test('what was said there before, and comes by Redis after, is heard by who sees it all the time', async () => {
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

  test('what was said before a channel was hidden does not come to who lost it once that was answered', async () => {
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
})
