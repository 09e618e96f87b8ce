import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import type { Parley } from '../src/parley.ts'
import { BROWSER_MS, launchChromium } from './browser/chromium.ts'
import { allHear, bootCalls, Caller } from './browser/voice.ts'
import { person, stop } from './harness.ts'
import { WORKER_MS } from './media-worker.ts'
import { voiceRoom } from './voice-people.ts'

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

/** People with a voice channel, each with a browser. */
async function callers(...names: string[]) {
  const people = await Promise.all(names.map((name) => person(parley, name)))
  const [owner, ...others] = people
  const place = await voiceRoom(owner!, ...others)
  const all = await Promise.all(people.map((who) => Caller.open(browser, who)))
  const end = () => Promise.all(all.map((caller) => caller.page.close()))
  return { ...place, all, end }
}

test(
  'two people hear each other, from peer to peer',
  async () => {
    const { channel_id, all, end } = await callers('alice', 'bob')
    const [alice, bob] = all as [Caller, Caller]
    await alice.join(channel_id)
    await bob.join(channel_id)
    await allHear(alice, bob)
    const state = await bob.state()
    expect(state).toMatchObject({ state: 'connected', route: 'p2p', epoch: 1, faults: [] })
    expect(state.levels[alice.id]).toBeGreaterThan(0.02)
    expect(state.speaking).toEqual([alice.id])
    await end()
  },
  BROWSER_MS,
)
