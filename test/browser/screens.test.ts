import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import type { Parley } from '../../src/parley.ts'
import { BROWSER_MS, launchChromium } from '../support/browser/chromium.ts'
import { allHear, bootCalls, Caller } from '../support/browser/voice.ts'
import { type Person, person, stop, until } from '../support/harness.ts'
import { WORKER_MS } from '../support/media-worker.ts'
import { voiceChannel, voiceServer } from '../support/voice-people.ts'

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

/** Constraints on the sound of a screen. */
const WHOLE = { echoCancellation: false, autoGainControl: false, noiseSuppression: false, channelCount: { ideal: 2 } }
const SOUND = { ...WHOLE, restrictOwnAudio: true }

/** Two people in a call, from peer to peer and then over the SFU. */
async function onBothRoutes(work: (alice: Caller, bob: Caller, route: 'p2p' | 'sfu') => Promise<void>) {
  for (const route of ['p2p', 'sfu'] as const) {
    const [first, second] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { channel_id } = await voiceServer(first, second)
    const [alice, bob] = [await Caller.open(browser, first), await Caller.open(browser, second)]
    await alice.join(channel_id, { relay_only: route === 'sfu' })
    await bob.join(channel_id)
    await allHear(alice, bob)
    expect((await bob.state()).route).toBe(route)
    await work(alice, bob, route)
    expect((await alice.state()).faults).toEqual([])
    await Promise.all([alice.end(), bob.end()])
  }
}

test(
  'a shared screen is sent for sharp text or smooth motion, as chosen, and arrives',
  () =>
    onBothRoutes(async (alice, bob, route) => {
      // Bits per second for 1600 × 900, largest size first.
      const bounds = { p2p: { detail: [1e7], motion: [1e7] }, sfu: { detail: [2.5e6, 5e5], motion: [4.32e6, 8.64e5] } }
      for (const kind of ['detail', 'motion'] as const) {
        await alice.share(kind, [1600, 900])
        await bob.sees(alice, 'screen')
        const { settings, sent } = await alice.sentScreen()
        expect([settings?.width, settings?.height]).toEqual([1600, 900])
        expect(sent.map(({ hint }) => hint)).toEqual([kind])
        const encodings = sent[0]?.encodings.toReversed() ?? []
        expect(encodings.map(({ maxBitrate }) => maxBitrate)).toEqual(bounds[route][kind])
        expect(encodings.map(({ scaleResolutionDownBy = 1 }) => scaleResolutionDownBy)).toEqual(
          route === 'sfu' ? [1, 2] : [1],
        )
        await alice.stopSharing()
        await until(async () => (await bob.frames(alice, 'screen')) === 0)
      }
    }),
  BROWSER_MS,
)

test(
  'the browser captures up to 4K, at a rate that suits the choice, and sends it at full size',
  () =>
    onBothRoutes(async (alice, bob, route) => {
      const constraints = { width: { max: 3840 }, height: { max: 2160 } }
      await alice.giveScreens({ width: { max: 320 }, height: { max: 180 }, frameRate: { max: 5 } })
      await alice.share('motion')
      expect((await alice.sentScreen()).asked).toEqual({
        video: { ...constraints, frameRate: { ideal: 60, max: 60 } },
        audio: SOUND,
      })
      await alice.stopSharing()
      await alice.giveScreens({ frameRate: { max: 2 } })
      await alice.share('detail')
      const { asked: forText, settings, sent } = await alice.sentScreen()
      expect(forText).toEqual({ video: { ...constraints, frameRate: { ideal: 15, max: 30 } }, audio: SOUND })
      // Chromium's fake screen has the maximum size.
      expect([settings?.width, settings?.height]).toEqual([3840, 2160])
      expect(sent[0]?.encodings.at(-1)?.scaleResolutionDownBy ?? 1).toBe(1)
      // The time until the SFU forwards the full size depends on the machine's load.
      await bob.sees(alice, 'screen', 1)
      if (route === 'p2p') expect(await bob.heightOf(alice, 'screen')).toBe(2160)
    }),
  BROWSER_MS,
)

test(
  'a screen that is shared again at once is seen and heard again',
  () =>
    onBothRoutes(async (alice, bob) => {
      for (let n = 0; n < 3; n++) {
        await alice.share('motion', [320, 180], true)
        await alice.stopSharing()
      }
      await alice.share('motion', [320, 180], true)
      await bob.sees(alice, 'screen')
      await until(async () => (await bob.energy(alice, 'screen_audio')) > 1e-3)
    }),
  BROWSER_MS,
)

test(
  'the sound of a shared screen is heard along with the voice, and ends with the screen',
  () =>
    onBothRoutes(async (alice, bob) => {
      await alice.giveScreens({ width: { max: 320 }, height: { max: 180 }, frameRate: { max: 5 } })
      expect(await bob.energy(alice, 'screen_audio')).toBe(0)
      await alice.share('motion')
      await until(async () => (await bob.energy(alice, 'screen_audio')) > 1e-3, 20_000)
      await bob.listen()
      await bob.hears(alice)
      await alice.stopSharing()
      await until(async () => (await bob.energy(alice, 'screen_audio')) === 0)
      await bob.listen()
      await bob.hears(alice)
    }),
  BROWSER_MS,
)

test(
  'the sound of a shared screen is heard in stereo, and the voice along with it as before',
  () =>
    onBothRoutes(async (alice, bob) => {
      await alice.share('motion', [320, 180], true)
      // Its right channel is 18 dB below its left one, unlike any mixture of both.
      await until(async () => {
        const [left = 0, right = 0] = (await bob.sound(alice, 'screen_audio')).sides
        return right > 0 && left > 20 * right
      })
      await until(async () => {
        const [left = 0, right = 0] = (await bob.sound(alice)).sides
        return left > 0 && Math.abs(left - right) < left / 100
      })
    }),
  BROWSER_MS,
)

/** The size of a voice's packets, bytes, in the loudest of some moments: a test microphone beeps now and then. */
async function loudest(caller: Caller): Promise<number> {
  const totals = async () => {
    const sent = await caller.sentVoice()
    return [
      sent.reduce((sum, { bytes }) => sum + bytes, 0),
      sent.reduce((sum, { packets }) => sum + packets, 0),
    ] as const
  }
  let before = await totals()
  let largest = 0
  for (let moment = 0; moment < 20; moment++) {
    await Bun.sleep(150)
    const now = await totals()
    largest = Math.max(largest, (now[0] - before[0]) / Math.max(1, now[1] - before[1]))
    before = now
  }
  return largest
}

test(
  'speech carries the previous packet and is silent in pauses; a mesh sends it twice, the SFU once',
  async () => {
    const bytes: number[] = []
    await onBothRoutes(async (alice, bob, route) => {
      for (const each of [alice, bob]) {
        await until(async () => (await each.sentVoice()).some((sent) => sent.bytes > 0))
        const [sent, ...others] = (await each.sentVoice()).filter((one) => one.bytes > 0)
        expect([sent?.codec, others]).toEqual([route === 'sfu' ? 'audio/opus' : 'audio/red', []])
        expect(sent?.opus).toMatch(/useinbandfec=1/)
        expect(sent?.opus).toMatch(/usedtx=1/)
      }
      bytes.push(await loudest(alice))
    })
    const [twice = 0, once = 0] = bytes
    expect(twice).toBeGreaterThan(1.5 * once)
  },
  BROWSER_MS,
)

test(
  'a member moved by a moderator while sharing a screen is heard and seen in the other channel',
  async () => {
    const people = await Promise.all(['alice', 'bob', 'carol'].map((name) => person(parley, name)))
    const { channel_id, server_id } = await voiceServer(...(people as [Person, ...Person[]]))
    const all = await Promise.all(people.map((who) => Caller.open(browser, who)))
    const [alice, bob, carol] = all as [Caller, Caller, Caller]
    const other = await voiceChannel(alice.who, server_id, 'dusk')
    await alice.join(channel_id)
    await bob.join(channel_id)
    await carol.join(other)
    await allHear(alice, bob)
    await bob.share('motion', [640, 360], true)
    await alice.sees(bob, 'screen')
    const answer = await alice.command('voice.move_member', { server_id, user_id: bob.who.id, channel_id: other })
    expect<object>(answer).toEqual({})
    await until(async () => (await bob.state()).channel_id === other)
    await bob.follow()
    await allHear(bob, carol)
    await carol.sees(bob, 'screen')
    await until(async () => (await carol.energy(bob, 'screen_audio')) > 0)
    await until(async () => (await alice.state()).peers.length === 0)
    await Promise.all(all.map((caller) => caller.end()))
  },
  BROWSER_MS,
)

test(
  'the sound of a shared screen excludes the call, or the echo canceller removes it',
  async () => {
    const [first, second] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { channel_id } = await voiceServer(first, second)
    const alice = await Caller.open(browser, first)
    await alice.join(channel_id)
    /** Shares from a browser that knows `restrictOwnAudio`, and has applied it. Chromium's fake screen does not. */
    const share = async (isKnown: boolean, isDone: boolean) => {
      await alice.page.evaluate(
        ([supported, done]) => {
          const { mediaDevices } = navigator
          const { getDisplayMedia, getSupportedConstraints } = MediaDevices.prototype
          const seen: { asked?: unknown; applied: unknown[] } = { applied: [] }
          Reflect.set(window, 'soundOfScreen', seen)
          mediaDevices.getSupportedConstraints = () => ({
            ...getSupportedConstraints.call(mediaDevices),
            restrictOwnAudio: supported,
          })
          mediaDevices.getDisplayMedia = async (wishes) => {
            seen.asked = wishes?.audio
            const stream = await getDisplayMedia.call(mediaDevices, wishes)
            const [track] = stream.getAudioTracks()
            const settings = track?.getSettings()
            if (track) {
              track.getSettings = () => ({ ...settings, restrictOwnAudio: done, echoCancellation: false })
              track.applyConstraints = async (wish) => void seen.applied.push(wish)
            }
            return stream
          }
        },
        [isKnown, isDone] as const,
      )
      await alice.share('detail')
      const read = () => alice.page.evaluate(() => Reflect.get(window, 'soundOfScreen'))
      // The page checks the sound after it has begun to share.
      await until(async () => isDone || (await read()).applied.length > 0)
      const seen = await read()
      await alice.stopSharing()
      return seen
    }
    const cancelled = { ...WHOLE, echoCancellation: true }
    expect(await share(true, true)).toEqual({ asked: SOUND, applied: [] })
    expect(await share(true, false)).toEqual({ asked: SOUND, applied: [cancelled] })
    expect(await share(false, false)).toEqual({ asked: cancelled, applied: [cancelled] })
    await alice.end()
  },
  BROWSER_MS,
)
