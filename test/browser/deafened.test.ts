import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import type { Parley } from '../../src/parley.ts'
import { BROWSER_MS, launchChromium } from '../support/browser/chromium.ts'
import { allHear, bootCalls, Caller } from '../support/browser/voice.ts'
import { person, stop, until } from '../support/harness.ts'
import { WORKER_MS } from '../support/media-worker.ts'
import { connect } from '../support/socket.ts'
import { voiceServer } from '../support/voice-people.ts'

let browser: Browser
let parley: Parley

beforeAll(async () => {
  parley = await bootCalls()
  browser = await launchChromium()
}, WORKER_MS)
afterAll(async () => {
  await browser?.close()
  if (parley) await stop(parley)
})

test(
  'the server sends no sound to a member that a moderator deafened, until that is lifted',
  async () => {
    const [alice, bob] = await Promise.all([person(parley, 'alice'), person(parley, 'bob')])
    const { server_id, channel_id } = await voiceServer(alice, bob)
    const [first, second] = [await Caller.open(browser, alice), await Caller.open(browser, bob)]
    await first.join(channel_id)
    await second.join(channel_id)
    await allHear(first, second)
    const moderator = await connect(alice)
    const deafen = async (isOn: boolean) =>
      (await moderator.command('voice.deafen_member', { server_id, user_id: bob.id, deafen: isOn })).d
    expect(await deafen(true)).toEqual({})
    await Promise.all([first, second].map((caller) => caller.goes('sfu')))
    // Others go on hearing the member, who is sent nothing: no bytes arrive while it plays.
    await first.hears(second)
    await until(async () => (await second.sound(first)).bits === 0)
    await first.hears(second)
    expect((await second.sound(first)).bits).toBe(0)
    expect(await deafen(false)).toEqual({})
    await second.listen()
    await allHear(first, second)
    moderator.close()
    for (const caller of [first, second]) await caller.end()
  },
  BROWSER_MS,
)
