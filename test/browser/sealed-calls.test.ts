import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import type { Parley } from '../../src/parley.ts'
import { BROWSER_MS, launchChromium } from '../support/browser/chromium.ts'
import { Member, servePage } from '../support/browser/sfu.ts'
import { allHear, bootCalls, Caller } from '../support/browser/voice.ts'
import { person, stop, until } from '../support/harness.ts'
import { WORKER_MS } from '../support/media-worker.ts'
import { voiceServer } from '../support/voice-people.ts'

let browser: Browser
let parley: Parley
let page: Awaited<ReturnType<typeof servePage>>

beforeAll(async () => {
  parley = await bootCalls({ CALLS_ENCRYPTION: 'preferred' })
  browser = await launchChromium()
  page = await servePage()
}, WORKER_MS)
afterAll(async () => {
  await browser?.close()
  page?.stop(true)
  if (parley) await stop(parley)
})

/** People with a voice channel, each with a browser. */
async function callers(...names: string[]) {
  const people = await Promise.all(names.map((name) => person(parley, name)))
  const [owner, ...others] = people
  const place = await voiceServer(owner!, ...others)
  const all = await Promise.all(people.map((who) => Caller.open(browser, who)))
  return { ...place, all: all as [Caller, Caller, Caller], end: () => Promise.all(all.map((caller) => caller.end())) }
}

/** The frames of a page's call: whether its state is sealed. */
const isSealed = async (caller: Caller) => (await caller.state()).encryption === 'sealed'

/** Somebody with the server's own view: consumes a producer of the call as it is. */
async function eavesdrop(channel_id: number, from: Caller, source: 'microphone' | 'camera') {
  const room = await parley.sfu.room(channel_id, () => undefined)
  const spy = await Member.open(browser, page.url.origin, 'f'.repeat(32), room)
  await spy.join()
  const producer = () => room.producers().find((each) => each.voice_session_id === from.id && each.source === source)
  await until(() => producer() !== undefined)
  return { spy, consumer: await spy.receive(producer()!.producer_id) }
}

test(
  'two people hear and see each other in an encrypted call from peer to peer',
  async () => {
    const { all, channel_id, end } = await callers('alice', 'bob')
    const [alice, bob] = all
    await alice.join(channel_id)
    await bob.join(channel_id)
    await allHear(alice, bob)
    expect(await Promise.all([isSealed(alice), isSealed(bob)])).toEqual([true, true])
    expect((await bob.state()).route).toBe('p2p')
    await alice.film()
    await bob.sees(alice, 'camera')
    expect((await bob.state()).faults).toEqual([])
    await end()
  },
  BROWSER_MS,
)

test(
  'three people hear and see each other over the SFU, which forwards only noise; one who cannot encrypt opens the call',
  async () => {
    const { all, channel_id, end } = await callers('alice', 'bob', 'carol')
    const [alice, bob, carol] = all
    await alice.join(channel_id, { relay_only: true })
    await bob.join(channel_id)
    await allHear(alice, bob)
    await alice.film()
    await bob.sees(alice, 'camera')
    await alice.goes('sfu')
    const sealed = await eavesdrop(channel_id, alice, 'microphone')
    const film = await eavesdrop(channel_id, alice, 'camera')
    // The packets arrive, and the decoder makes something of them: but no tone, and no picture.
    await until(async () => (await sealed.spy.arrived(sealed.consumer)).energy > 0)
    expect(await sealed.spy.tone(sealed.consumer)).toBeLessThan(0.5)
    expect((await film.spy.arrived(film.consumer)).frames).toBe(0)
    // The same ear hears the tone once the call is open, and everybody is told.
    await carol.join(channel_id, { plain: true })
    await allHear(alice, bob, carol)
    expect(await Promise.all(all.map(isSealed))).toEqual([false, false, false])
    const told = (await alice.seen()).find(({ t }) => t === 'voice.encryption')
    expect(told?.d).toEqual({ state: 'open', group: null })
    await until(async () => (await sealed.spy.tone(sealed.consumer)) > 0.9)
    // And is shut out again.
    await carol.leave()
    await until(() => isSealed(alice))
    await allHear(alice, bob)
    await carol.join(channel_id)
    await allHear(alice, bob, carol)
    expect(await Promise.all(all.map(isSealed))).toEqual([true, true, true])
    await until(async () => (await sealed.spy.tone(sealed.consumer)) < 0.5)
    expect((await alice.state()).faults).toEqual([])
    await Promise.all([sealed, film].map(({ spy }) => spy.page.close()))
    await end()
  },
  BROWSER_MS,
)
