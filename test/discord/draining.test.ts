import { expect, test } from 'bun:test'
import { type Client, Events } from 'discord.js'
import { permissions } from '../../src/core/permissions.ts'
import { addBot, botOf } from '../support/bots.ts'
import { discordClient, loggedIn } from '../support/discord.ts'
import { front } from '../support/front.ts'
import { newServer, person, say, stop, until } from '../support/harness.ts'
import { nodesOn } from '../support/installation.ts'
import { redisProgram, redisServer } from '../support/redis.ts'
import { SPAWN_MS } from '../support/spawned.ts'

const BOTS = ['Wren', 'Robin', 'Dunnock']

interface Frame {
  op: number
  t: string | null
  d: { content?: string }
}

/** A bot, with all frames of Discord's gateway that it has received. */
function listening(place: { url: string }) {
  const client = discordClient(place)
  const frames: Frame[] = []
  client.on(Events.Raw as never, (frame: Frame) => frames.push(frame))
  const contents = () => frames.flatMap(({ t, d }) => (t === 'MESSAGE_CREATE' ? (d.content ?? []) : []))
  const count = (kind: string) => frames.filter(({ t }) => t === kind).length
  return { client: client as Client, contents, count }
}

test.skipIf(!redisProgram)(
  'bots of a process that drains resume at another one, and hear every message once and in order',
  async () => {
    const redis = await redisServer()
    const [other, ending] = await nodesOn(redis)
    const alice = await person(other, 'alice')
    const { server_id, channel_id } = await newServer(alice)
    const entrance = await front(Number(new URL(ending.url).port))
    const bots: ReturnType<typeof listening>[] = []
    for (const name of BOTS) {
      const who = await botOf(alice, name)
      await addBot(alice, server_id, who, permissions('administrator'))
      const bot = listening(entrance)
      await loggedIn(entrance, who, bot.client)
      bots.push(bot)
    }
    const sent: string[] = []
    let isSending = true
    const sending = (async () => {
      while (isSending) {
        const content = `Seed ${sent.length}`
        await say(alice, channel_id, content)
        sent.push(content)
      }
    })()
    await until(() => sent.length >= 10)
    entrance.port = Number(new URL(other.url).port)
    await ending.drain(new AbortController().signal)
    await until(() => bots.every(({ count }) => count('RESUMED') > 0))
    const before = sent.length
    await until(() => sent.length >= before + 10)
    isSending = false
    await sending
    await stop(ending)
    for (const bot of bots) {
      await until(() => bot.contents().includes(sent.at(-1) ?? ''))
      expect(bot.contents()).toEqual(sent)
      expect([bot.count('READY'), bot.count('RESUMED')]).toEqual([1, 1])
      await bot.client.destroy()
    }
    entrance.close()
    await stop(other)
  },
  SPAWN_MS,
)
