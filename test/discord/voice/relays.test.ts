import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createSocket } from 'node:dgram'
import { MODES } from '../../../src/discord/voice/encryption.ts'
import type { Parley } from '../../../src/parley.ts'
import { addBot, botOf } from '../../support/bots.ts'
import { bootCalls } from '../../support/browser/voice.ts'
import { snowflakeOf } from '../../support/discord.ts'
import { Line } from '../../support/discord-line.ts'
import { boot, type Person, person, stop, until } from '../../support/harness.ts'
import { discover } from '../../support/ip-discovery.ts'
import { WORKER_MS } from '../../support/media-worker.ts'
import { redisProgram, redisServer } from '../../support/redis.ts'
import { presentIn, voiceServer } from '../../support/voice-people.ts'

// The voice gateway by hand, by another process than the one with the bot's call. The library does the same in
// processes.test.ts.

describe.if(redisProgram !== undefined)('connections to the voice gateway of another process', () => {
  let own: Parley
  /** Has no SFU of its own: it only passes frames. */
  let front: Parley
  let alice: Person

  beforeAll(async () => {
    const { url } = await redisServer()
    own = await bootCalls({ DISCORD_VOICE_PORT: '0', REDIS_URL: url })
    front = await boot({ DISCORD_VOICE_PORT: '0' }, own)
    await know(own, front)
    alice = await person(own, 'alice')
  }, WORKER_MS)
  afterAll(() => Promise.all([own, front].map(stop)))

  const idOf = ({ parts }: Parley) => parts.nodes.id
  const knows = ({ parts }: Parley, other: Parley) => parts.nodes.others().includes(idOf(other))
  const know = (...all: Parley[]) => until(() => all.every((one) => all.every((two) => one === two || knows(one, two))))

  /** A bot with a seat, whose connection to the main gateway is with that process. */
  async function seated({ url } = own) {
    const { server_id, channel_id } = await voiceServer(alice)
    const account = await botOf(alice, 'Raw')
    await addBot(alice, server_id, account)
    const main = new Line(url, 'gateway')
    await main.send(2, { token: account.token, intents: 1 << 7 })
    await main.next(({ t }) => t === 'READY')
    const guild_id = snowflakeOf((await alice.get(`/api/servers/${server_id}`)).body)
    const channel = snowflakeOf((await alice.get(`/api/channels/${channel_id}`)).body)
    const place = { guild_id, channel_id: channel, self_mute: false, self_deaf: false }
    await main.send(4, place)
    const { token } = await main.next(({ t }) => t === 'VOICE_SERVER_UPDATE')
    const { user_id, session_id } = await main.next(({ t }) => t === 'VOICE_STATE_UPDATE')
    return { main, place, channel_id, account, who: { server_id: guild_id, user_id, session_id, token } }
  }

  /** A connection by the other process that has identified. */
  async function identified(who: object) {
    const line = new Line(front.url, 'voice?v=8')
    await line.send(0, who)
    return { line, ready: await line.next(({ op }) => op === 2) }
  }

  test('a bot identifies, finds its address, selects a mode and resumes', async () => {
    const { who, main } = await seated()
    const { line, ready } = await identified(who)
    await line.send(3, { t: 1_501_184_119_561, seq_ack: 1 })
    expect(await line.next(({ op }) => op === 6)).toEqual({ t: 1_501_184_119_561 })
    const socket = createSocket('udp4')
    const address = await discover(socket, ready.port, ready.ssrc)
    await line.send(1, { protocol: 'udp', data: { ...address, mode: MODES[0] } })
    expect((await line.next(({ op }) => op === 4)).secret_key.length).toBe(32)
    const seq = Math.max(...line.frames.map((frame) => frame.seq ?? 0))
    // By either process, and back: the numbers of frames go on.
    for (const { url } of [own, front, front]) {
      const again = new Line(url, 'voice?v=8')
      await again.send(7, { ...who, seq_ack: seq })
      await again.next(({ op }) => op === 9)
      expect(again.frames.every((frame) => frame.seq === undefined || frame.seq > seq)).toBe(true)
    }
    // Each one took the place of the one before it.
    expect(await line.ends()).toBe(4006)
    socket.close()
    main.close()
  })

  test('a token of another bot, a changed one, or one of no process that is known is refused', async () => {
    const [one, two] = [await seated(), await seated()]
    const { token } = one.who
    for (const [d, code] of [
      [{ ...one.who, token: two.who.token }, 4004],
      [{ ...one.who, user_id: two.who.user_id }, 4004],
      [{ ...one.who, token: `${token}x` }, 4004],
      [{ ...one.who, token: `${idOf(own)}.` }, 4004],
      [{ ...one.who, token: `${'0'.repeat(16)}${token.slice(16)}` }, 4004],
      [{ ...one.who, token: `${idOf(front)}${token.slice(16)}` }, 4004],
      [{ ...one.who, token: 'x'.repeat(200) }, 4002],
    ] as const) {
      const line = new Line(front.url, 'voice?v=8')
      await line.send(0, d)
      expect([d, await line.ends()]).toEqual([d, code])
    }
    // Nothing was selected.
    const resuming = new Line(front.url, 'voice?v=8')
    await resuming.send(7, one.who)
    expect(await resuming.ends()).toBe(4006)
    expect(await presentIn(alice, one.channel_id)).toEqual([one.account.id])
    for (const { main } of [one, two]) main.close()
  })

  test('faults have the codes that they have without the other process', async () => {
    const { who, main, channel_id, account, place } = await seated()
    for (const [op, d, code] of [
      [0, who, 4005],
      [1, { protocol: 'udp', data: { address: '127.0.0.1', port: 9, mode: 'xsalsa20_poly1305' } }, 4016],
      [3, 'soon', 4002],
      [5, 'x'.repeat(5_000), 4002],
    ] as const) {
      const { line } = await identified(who)
      await line.send(op, d)
      expect([op, await line.ends()]).toEqual([op, code])
    }
    const { line } = await identified(who)
    const choice = { protocol: 'udp', data: { address: '192.0.2.1', port: 9, mode: MODES[0] } }
    for (let count = 0; count < 60; count++) await line.send(1, choice)
    expect(await line.ends()).toBe(4021)
    expect(await presentIn(alice, channel_id)).toEqual([account.id])
    await main.send(4, { ...place, channel_id: null })
    await until(async () => (await presentIn(alice, channel_id)).length === 0)
    main.close()
  })

  test('a bot that leaves loses its connection by the other process', async () => {
    const { who, main, place } = await seated()
    const { line } = await identified(who)
    await main.send(4, { ...place, channel_id: null })
    expect(await line.ends()).toBe(4014)
    main.close()
  })

  test('messages of a process without a part in a connection change nothing', async () => {
    const stranger = await boot({ DISCORD_VOICE_PORT: '0' }, own)
    await know(own, front, stranger)
    const { who, main } = await seated()
    const { line } = await identified(who)
    const { nodes } = stranger.parts
    for (let n = 1; n < 50; n++) {
      for (const d of [{ say: 'close', n, code: 4014, reason: '' }, { say: 'close', n, reason: '' }, { n }, 'x'])
        nodes.send(idOf(front), 'discord.voice_down', d)
      for (const d of [{ say: 'closed', n }, { say: 'frame', n, frame: '{"op":1,"d":{}}' }, { say: 'open', n }, null])
        nodes.send(idOf(own), 'discord.voice_up', d)
    }
    // Rows are sent after the messages.
    nodes.table('test').put('sent', '1')
    await until(() => [own, front].every(({ parts }) => parts.nodes.table('test').at('sent').has(nodes.id)))
    await line.send(3, { t: 7 })
    expect(await line.next(({ op }) => op === 6)).toEqual({ t: 7 })
    expect(line.code).toBeUndefined()
    await stop(stranger)
    main.close()
  })

  test('a connection with a made-up token passes few frames on, and an address may have few of them', async () => {
    // It has no part for bots, so it never answers.
    const silent = await boot({ DISCORD_API: 'off' }, own)
    await know(front, silent)
    const got: { say: string }[] = []
    silent.parts.nodes.onMessage('discord.voice_up', (_from, body) => void got.push(body as { say: string }))
    const stranger = { server_id: '1', user_id: '1', session_id: '', token: `${idOf(silent)}.made-up` }
    const line = new Line(front.url, 'voice?v=8')
    await line.send(0, stranger)
    for (let t = 1; t <= 100; t++) await line.send(3, t)
    expect(await line.ends()).toBe(4021)
    await until(() => got.at(-1)?.say === 'closed')
    expect(got.map(({ say }) => say)).toEqual(['open', ...Array(10).fill('frame'), 'closed'])
    const lines: Line[] = []
    const isRefused = () => lines.some(({ code }) => code !== undefined && code < 4000)
    while (lines.length < 200 && !isRefused()) {
      const next = new Line(front.url, 'voice?v=8')
      lines.push(next)
      await next.send(7, stranger)
    }
    await until(isRefused)
    expect(lines.length).toBeGreaterThan(90)
    for (const each of lines) each.close()
    await until(() => lines.every(({ code }) => code !== undefined))
    await stop(silent)
  })

  test('a process that stops closes what it passes on, so that bots resume', async () => {
    const between = await boot({ DISCORD_VOICE_PORT: '0' }, own)
    await know(own, between)
    const { who, main } = await seated()
    const line = new Line(between.url, 'voice?v=8')
    await line.send(0, who)
    await line.next(({ op }) => op === 2)
    await stop(between)
    expect(await line.ends()).toBe(1012)
    main.close()
  })

  test(
    'when the process with the calls dies or stops, connections to them end, and their tokens are refused',
    async () => {
      for (const [end, code] of [
        // The others hear no more of it, as of a dead one.
        [(ending: Parley) => ending.parts.nodes.stop(), 1006],
        [(ending: Parley) => stop(ending), 4006],
      ] as const) {
        const ending = await bootCalls({ DISCORD_VOICE_PORT: '0' }, own)
        await know(own, front, ending)
        const { who } = await seated(ending)
        const { line } = await identified(who)
        await end(ending)
        expect(await line.ends()).toBe(code)
        await until(() => !knows(front, ending))
        for (const op of [0, 7]) {
          const again = new Line(front.url, 'voice?v=8')
          await again.send(op, who)
          expect(await again.ends()).toBe(op === 0 ? 4004 : 4006)
        }
        await stop(ending)
      }
    },
    2 * WORKER_MS,
  )
})
