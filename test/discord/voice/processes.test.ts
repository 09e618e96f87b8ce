import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Parley } from '../../../src/parley.ts'
import { addBot, botOf } from '../../support/bots.ts'
import { bootCalls } from '../../support/browser/voice.ts'
import { snowflakeOf } from '../../support/discord.ts'
import { type Person, person, stop, until } from '../../support/harness.ts'
import { by, inCallBy } from '../../support/installation.ts'
import { WORKER_MS } from '../../support/media-worker.ts'
import { writeTone } from '../../support/ogg-opus.ts'
import { redisProgram, redisServer } from '../../support/redis.ts'
import { tlsFront, VoiceBot } from '../../support/voice-bot.ts'
import { presentIn, voiceServer } from '../../support/voice-people.ts'

// Bots of @discordjs/voice on several processes of one installation, in one call.

/** Bots, processes and a server start: seconds when the machine is idle. */
const LONG_MS = 240_000

type Front = Awaited<ReturnType<typeof tlsFront>>

/** A process of the installation, and the way of bots to it. */
interface Side {
  parley: Parley
  front: Front
}

describe.if(redisProgram !== undefined)('bots in calls of other processes', () => {
  const tone = join(mkdtempSync(join(tmpdir(), 'tone-')), 'tone.ogg')
  const bots: VoiceBot[] = []
  const fronts: Front[] = []
  const running = new Set<Parley>()
  let redis = ''
  let owner: Side
  let other: Side
  let alice: Person

  async function open(beside?: Parley): Promise<Side> {
    const front = await tlsFront()
    fronts.push(front)
    const variables = { PUBLIC_URL: front.url, DISCORD_VOICE_PORT: '0', ...(beside ? {} : { REDIS_URL: redis }) }
    const parley = await bootCalls(variables, beside)
    running.add(parley)
    front.port = Number(new URL(parley.url).port)
    return { parley, front }
  }
  const end = async ({ parley }: Side) => {
    running.delete(parley)
    await stop(parley)
  }
  const know = async (...sides: Side[]) => {
    const idOf = ({ parley }: Side) => parley.parts.nodes.id
    const says = ({ parley }: Side, about: Side) => parley.parts.nodes.table('voice_links').at(idOf(about)).size > 0
    await until(() => sides.every((one) => sides.every((two) => one === two || says(one, two))))
  }

  beforeAll(async () => {
    writeTone(tone, 200)
    redis = (await redisServer()).url
    owner = await open()
    other = await open(owner.parley)
    await know(owner, other)
    alice = await person(owner.parley, 'alice')
  }, WORKER_MS)
  afterAll(async () => {
    await Promise.all(bots.map((bot) => bot.kill()))
    for (const parley of running) await stop(parley)
    for (const front of fronts) front.close()
  })

  /** A voice channel, and bots that may use it, each logged in at a process. */
  async function place(...sides: Side[]) {
    const { server_id, channel_id } = await voiceServer(alice)
    const guild = snowflakeOf((await alice.get(`/api/servers/${server_id}`)).body)
    const channel = snowflakeOf((await alice.get(`/api/channels/${channel_id}`)).body)
    const all: { bot: VoiceBot; id: number; user: string }[] = []
    for (const [at, { front }] of sides.entries()) {
      const account = await botOf(alice, `Wren${at}`)
      await addBot(alice, server_id, account)
      const bot = await VoiceBot.start(front.url, account.token)
      bots.push(bot)
      all.push({ bot, id: account.id, user: snowflakeOf((await account.get('/api/auth/me')).body) })
    }
    const [one, two] = all as [(typeof all)[number], (typeof all)[number]]
    return { guild, channel, channel_id, one, two }
  }
  const isReady = (bot: VoiceBot) => until(() => bot.status === 'ready')
  async function hears({ state }: VoiceBot, bot: VoiceBot) {
    const { packets, energy } = state
    await until(() => bot.state.packets > packets + 50 && bot.state.energy > energy + 10)
  }
  const listens = (bot: VoiceBot) => hears(bot, bot)

  test(
    'a bot is heard in a call of another process and records a speaker there, also after the death of a worker',
    async () => {
      const { guild, channel, channel_id, one, two } = await place(owner, other)
      one.bot.do('join', { guild, channel, selfDeaf: false })
      await isReady(one.bot)
      two.bot.do('join', { guild, channel, selfDeaf: false })
      await isReady(two.bot)
      expect((await presentIn(alice, channel_id)).toSorted()).toEqual([one.id, two.id].toSorted())
      for (const [{ bot }, { user }] of [
        [one, two],
        [two, one],
      ] as const) {
        bot.do('play', { path: tone })
        bot.do('record', { user })
      }
      await Promise.all([listens(one.bot), listens(two.bot)])
      expect(other.parley.sfu.figures()).toMatchObject([{ rooms: 0, links: 1 }])
      for (const { parley } of [other, owner]) {
        const pids = parley.sfu.pids()
        for (const pid of pids) process.kill(pid, 'SIGKILL')
        await until(() => parley.sfu.state() === 'ready' && !parley.sfu.pids().some((pid) => pids.includes(pid)))
        await Promise.all([listens(one.bot), listens(two.bot)])
      }
      expect([one.bot.state.errors, two.bot.state.errors]).toEqual([[], []])
      for (const { bot } of [two, one]) bot.do('leave')
      await until(async () => (await presentIn(alice, channel_id)).length === 0)
      await until(() => other.parley.sfu.figures().every(({ links }) => links === 0))
    },
    LONG_MS,
  )

  test(
    'a bot whose two connections reach two processes is heard, also after one of them has drained, and then the other',
    async () => {
      const [own, between] = [await open(owner.parley), await open(owner.parley)]
      await know(owner, own, between)
      const { guild, channel, channel_id, one, two } = await place(own, own)
      own.front.voicePort = between.front.port
      for (const { bot } of [one, two]) {
        bot.do('join', { guild, channel, selfDeaf: false })
        await isReady(bot)
      }
      one.bot.do('play', { path: tone })
      two.bot.do('record', { user: one.user })
      await listens(two.bot)
      const reconnect = async (act: () => unknown) => {
        const counts = [one, two].map(({ bot }) => bot.state.statuses.length)
        await act()
        await until(() =>
          [one, two].every(({ bot: { state, status } }, at) => {
            return state.statuses.length > (counts[at] ?? 0) && status === 'ready'
          }),
        )
        await listens(two.bot)
      }
      own.front.voicePort = owner.front.port
      await reconnect(() => between.parley.drain(new AbortController().signal))
      await end(between)
      await reconnect(() => [one, two].forEach(({ bot }) => bot.do('breakVoice')))
      // Libraries resumed: their calls are untouched.
      for (const { bot } of [one, two]) {
        expect(bot.state.statuses.filter((status) => typeof status === 'number')).toEqual([])
        expect(bot.state.voices.filter(([, at]) => at === null)).toEqual([])
      }

      own.front.port = owner.front.port
      own.front.voicePort = undefined
      await own.parley.drain(new AbortController().signal)
      await end(own)
      await until(async () => (await presentIn(by(owner.parley, alice), channel_id)).includes(one.id))
      await Promise.all([isReady(one.bot), isReady(two.bot)])
      await listens(two.bot)
    },
    LONG_MS,
  )

  test(
    'when the process with the call drains, its bots on others go on; when their own drains, they come back',
    async () => {
      const ending = await open(owner.parley)
      await know(owner, other, ending)
      const { guild, channel, channel_id, one, two } = await place(other, other)
      const seat = await inCallBy(ending.parley, alice, channel_id)
      for (const { bot } of [one, two]) {
        bot.do('join', { guild, channel, selfDeaf: false })
        await isReady(bot)
      }
      one.bot.do('play', { path: tone })
      two.bot.do('record', { user: one.user })
      await listens(two.bot)
      seat.gateway.close()
      await ending.parley.drain(new AbortController().signal)
      await end(ending)
      await listens(two.bot)
      expect(two.bot.state.voices.filter(([, at]) => at === null)).toEqual([])

      other.front.port = owner.front.port
      await other.parley.drain(new AbortController().signal)
      await end(other)
      await until(async () => (await presentIn(by(owner.parley, alice), channel_id)).includes(one.id))
      await Promise.all([isReady(one.bot), isReady(two.bot)])
      await listens(two.bot)
    },
    LONG_MS,
  )
})
