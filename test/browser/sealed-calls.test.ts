import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Locator } from 'playwright-core'
import type { Parley } from '../../src/parley.ts'
import { BROWSER_MS, launchChromium } from '../support/browser/chromium.ts'
import { launchFirefox } from '../support/browser/firefox.ts'
import { Member, servePage } from '../support/browser/sfu.ts'
import { allHear, bootCalls, Caller } from '../support/browser/voice.ts'
import { Visitor } from '../support/browser/visitor.ts'
import { type Person, person, stop, until } from '../support/harness.ts'
import { WORKER_MS } from '../support/media-worker.ts'
import { voicePair, voiceServer } from '../support/voice-people.ts'

let parley: Parley
let page: Awaited<ReturnType<typeof servePage>>

beforeAll(async () => {
  parley = await bootCalls({ CALLS_ENCRYPTION: 'preferred' })
  page = await servePage()
}, WORKER_MS)
afterAll(async () => {
  page?.stop(true)
  if (parley) await stop(parley)
})

/** A browser for the tests of a group. The next group starts its own after it. */
function browserOf(launch: () => Promise<Browser>): () => Browser {
  let browser: Browser | undefined
  beforeAll(async () => void (browser = await launch()), BROWSER_MS)
  afterAll(() => browser?.close())
  return () => browser!
}

/** People with a voice channel, each with a page. */
async function callers(browser: Browser, ...names: string[]) {
  const people = await Promise.all(names.map((name) => person(parley, name)))
  const [owner, ...others] = people
  const place = await voiceServer(owner!, ...others)
  const all = await Promise.all(people.map((who) => Caller.open(browser, who)))
  return { ...place, all: all as [Caller, Caller, Caller], end: () => Promise.all(all.map((caller) => caller.end())) }
}

const isSealed = async (caller: Caller) => (await caller.state()).encryption === 'sealed'

/** Consumes the sound of a member as the SFU has it. */
async function eavesdrop(browser: Browser, channel_id: number, from: Caller) {
  const room = await parley.sfu.room(channel_id, () => undefined)
  const spy = await Member.open(browser, page.url.origin, 'f'.repeat(32), room)
  await spy.join()
  const producer = () =>
    room.producers().find((each) => each.voice_session_id === from.id && each.source === 'microphone')
  await until(() => producer() !== undefined)
  return { spy, consumer: await spy.receive(producer()!.producer_id) }
}

const NUMBER = /^(\d{5} ){5}\d{5}$/

/** Opens the code of the call that a page shows. */
async function codeOf(visitor: Visitor): Promise<Locator> {
  // On a busy machine, the call may have moved to the SFU.
  await visitor.button(/Direct connection|Through the server/).click()
  const digits = visitor.page.locator('.reason:popover-open .digits')
  await visitor.until(async () => NUMBER.test(await digits.innerText()))
  return digits
}

/** The number that a page shows to compare with another member of the call. */
async function numberWith(visitor: Visitor, who: Person): Promise<string> {
  await visitor.button(`Volume and more for ${who.display_name}`).click()
  await visitor.button('Compare numbers').click()
  return visitor.page.locator('dialog .digits').innerText()
}

async function inMesh(browser: Browser): Promise<void> {
  const { all, channel_id, end } = await callers(browser, 'alice', 'bob')
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
}

describe('Chromium', () => {
  const browser = browserOf(launchChromium)

  test('two people hear and see each other in an encrypted call from peer to peer', () => inMesh(browser()), BROWSER_MS)

  test(
    'three hear and see each other over the SFU, which forwards only noise; one who cannot encrypt opens the call',
    async () => {
      const { all, channel_id, end } = await callers(browser(), 'alice', 'bob', 'carol')
      const [alice, bob, carol] = all
      await alice.join(channel_id, { relay_only: true })
      await bob.join(channel_id)
      await allHear(alice, bob)
      await alice.film()
      await bob.sees(alice, 'camera')
      await alice.goes('sfu')
      const sound = await eavesdrop(browser(), channel_id, alice)
      // Packets arrive, and the decoder makes something of them, but not the tone.
      await until(async () => (await sound.spy.arrived(sound.consumer)).energy > 0)
      expect(await sound.spy.tone(sound.consumer)).toBeLessThan(0.3)
      // The same ear hears the tone once the call is open, which everybody learns.
      await carol.join(channel_id, { plain: true })
      await allHear(alice, bob, carol)
      expect(await Promise.all(all.map(isSealed))).toEqual([false, false, false])
      const change = (await alice.seen()).find(({ t }) => t === 'voice.encryption')
      expect(change?.d).toEqual({ channel_id, state: 'open', group: null, reason: 'member' })
      await until(async () => (await sound.spy.tone(sound.consumer)) > 0.8)
      await carol.leave()
      await until(() => isSealed(alice))
      await allHear(alice, bob)
      await carol.join(channel_id)
      await allHear(alice, bob, carol)
      expect(await Promise.all(all.map(isSealed))).toEqual([true, true, true])
      await until(async () => (await sound.spy.tone(sound.consumer)) < 0.3)
      expect((await alice.state()).faults).toEqual([])
      await sound.spy.page.close()
      await end()
    },
    BROWSER_MS,
  )

  test(
    'two people in their pages see each other, and by a lock that their call is encrypted',
    async () => {
      const { ann, ben, path } = await voicePair(parley)
      const [first, second] = [await Visitor.as(browser(), ann, path), await Visitor.as(browser(), ben, path)]
      for (const visitor of [first, second]) await visitor.button('Join voice').click()
      for (const { page } of [first, second]) await page.getByRole('img', { name: 'End-to-end encrypted' }).waitFor()
      await first.button('Turn camera on').click()
      const film = second.page.getByLabel(`Camera of ${ann.display_name}`, { exact: true }).first()
      await second.until(() => film.evaluate((video) => video instanceof HTMLVideoElement && video.currentTime > 0))
      const [one, other] = [await codeOf(first), await codeOf(second)]
      // A page may show the lock before the other one has joined its group.
      await first.until(async () => (await one.innerText()) === (await other.innerText()))
      expect(await one.innerText()).toMatch(NUMBER)
      await Promise.all([first, second].map((visitor) => visitor.leave()))
    },
    BROWSER_MS,
  )

  test(
    'two people compare numbers, and a new device of a verified one is named before it is heard',
    async () => {
      const { ann, ben, path } = await voicePair(parley)
      const [first, second] = [await Visitor.as(browser(), ann, path), await Visitor.as(browser(), ben, path)]
      for (const visitor of [first, second]) await visitor.button('Join voice').click()
      for (const { page } of [first, second]) await page.getByRole('img', { name: 'End-to-end encrypted' }).waitFor()
      const numbers = [await numberWith(first, ben), await numberWith(second, ann)]
      expect(numbers[0]).toMatch(NUMBER)
      expect(numbers[1]).toBe(numbers[0]!)
      await first.button('They are the same').click()
      await first.sees('Verified on')
      await first.button('Close').click()
      await second.leave()
      // A browser of its own makes a key of its own.
      const third = await Visitor.as(browser(), ben, path)
      await third.button('Join voice').click()
      await first.sees(`${ben.display_name} has a new device since you compared numbers.`)
      expect(await numberWith(first, ben)).not.toBe(numbers[0]!)
      await first.sees(`${ben.display_name} has a new device since`)
      await first.button('They are the same').click()
      await first.sees('Verified on')
      await first.button('Close').click()
      await first.until(async () => (await first.page.getByText('since you compared numbers').count()) === 0)
      await Promise.all([first, third].map((visitor) => visitor.leave()))
    },
    BROWSER_MS,
  )

  test(
    'a connection that asks for encoded streams sends nothing until it has a transform',
    async () => {
      const { all, end } = await callers(browser(), 'alice')
      expect(await all[0].page.evaluate(sentBeforeAndAfterTransform)).toEqual({ before: 0, after: true })
      await end()
    },
    BROWSER_MS,
  )
})

describe('Firefox', () => {
  const browser = browserOf(launchFirefox)

  test('two people hear and see each other in an encrypted call from peer to peer', () => inMesh(browser()), BROWSER_MS)

  test(
    'three hear each other in an encrypted call over the SFU',
    async () => {
      const { all, channel_id, end } = await callers(browser(), 'alice', 'bob', 'carol')
      const [alice, bob, carol] = all
      await alice.join(channel_id, { relay_only: true })
      await bob.join(channel_id)
      await carol.join(channel_id)
      await allHear(alice, bob, carol)
      await alice.goes('sfu')
      await allHear(alice, bob, carol)
      expect(await Promise.all(all.map(isSealed))).toEqual([true, true, true])
      await end()
    },
    BROWSER_MS,
  )
})

/** In a page: packets that a connection sends in a second without a transform, and whether it sends any with one. */
async function sentBeforeAndAfterTransform() {
  const settings = { encodedInsertableStreams: true } as RTCConfiguration
  const [from, to] = [new RTCPeerConnection(settings), new RTCPeerConnection(settings)]
  from.onicecandidate = ({ candidate }) => void to.addIceCandidate(candidate ?? undefined).catch(() => {})
  to.onicecandidate = ({ candidate }) => void from.addIceCandidate(candidate ?? undefined).catch(() => {})
  const [track] = (await navigator.mediaDevices.getUserMedia({ audio: true })).getTracks()
  const sender = from.addTrack(track!)
  await from.setLocalDescription()
  await to.setRemoteDescription(from.localDescription!)
  await to.setLocalDescription()
  await from.setRemoteDescription(to.localDescription!)
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const sent = async () => {
    const stats = [...(await sender.getStats()).values()]
    return Number(stats.find(({ type }) => type === 'outbound-rtp')?.packetsSent ?? 0)
  }
  while (from.connectionState !== 'connected') await pause(20)
  await pause(1_000)
  const before = await sent()
  const worker = new Worker('/frame-worker.js')
  worker.postMessage({ kind: 'open' })
  const { RTCRtpScriptTransform } = globalThis as any
  Object.assign(sender, { transform: new RTCRtpScriptTransform(worker, { side: 'send', isAudio: true }) })
  while ((await sent()) === before) await pause(20)
  from.close()
  to.close()
  return { before, after: true }
}
