import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import type { Parley } from '../../../src/parley.ts'
import { addBot, botOf } from '../../support/bots.ts'
import { BROWSER_MS, launchChromium } from '../../support/browser/chromium.ts'
import { bootCalls, Caller } from '../../support/browser/voice.ts'
import { snowflakeOf } from '../../support/discord.ts'
import { person, stop, until } from '../../support/harness.ts'
import { WORKER_MS } from '../../support/media-worker.ts'
import { writeTone } from '../../support/ogg-opus.ts'
import { tlsFront, VoiceBot } from '../../support/voice-bot.ts'
import { presentIn, voiceServer } from '../../support/voice-people.ts'

const front = await tlsFront()
const tone = join(mkdtempSync(join(tmpdir(), 'tone-')), 'tone.ogg')
let browser: Browser
let parley: Parley

beforeAll(async () => {
  writeTone(tone, 20)
  parley = await bootCalls({ PUBLIC_URL: front.url, DISCORD_VOICE_PORT: '0' })
  front.port = Number(new URL(parley.url).port)
  browser = await launchChromium()
}, WORKER_MS)
afterAll(async () => {
  await browser?.close()
  if (parley) await stop(parley)
  front.close()
})

test(
  'a bot of @discordjs/voice plays a file that a browser hears, and records a speaker',
  async () => {
    const alice = await person(parley, 'alice')
    const { server_id, channel_id } = await voiceServer(alice)
    const account = await botOf(alice, 'Music')
    await addBot(alice, server_id, account)
    const page = await Caller.open(browser, alice)
    await page.join(channel_id)
    const bot = await VoiceBot.start(front.url, account.token)
    const guild = snowflakeOf((await alice.get(`/api/servers/${server_id}`)).body)
    const channel = snowflakeOf((await alice.get(`/api/channels/${channel_id}`)).body)
    bot.do('join', { guild, channel, selfDeaf: false })
    await until(() => bot.status === 'ready')
    expect(await presentIn(alice, channel_id)).toEqual([alice.id, account.id])
    await page.goes('sfu')

    bot.do('play', { path: tone })
    const [peer] = (await page.state()).peers
    expect(peer?.user_id).toBe(account.id)
    await page.hears({ id: peer?.id } as Caller)

    const me = snowflakeOf((await alice.get('/api/auth/me')).body)
    bot.do('record', { user: me })
    await until(() => bot.state.packets > 100 && bot.state.energy > 1)
    expect(bot.state.errors).toEqual([])
    await bot.kill()
    await until(async () => !(await presentIn(alice, channel_id)).includes(account.id))
    await page.end()
  },
  BROWSER_MS,
)
