import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import type { Parley } from '../../src/parley.ts'
import { BROWSER_MS, launchChromium } from '../support/browser/chromium.ts'
import { launchFirefox } from '../support/browser/firefox.ts'
import { allHear, bootCalls, Caller } from '../support/browser/voice.ts'
import { Visitor } from '../support/browser/visitor.ts'
import { person, stop, until } from '../support/harness.ts'
import { WORKER_MS } from '../support/media-worker.ts'
import { voicePair, voiceServer } from '../support/voice-people.ts'

// Everything that people do in a call, in encrypted ones.

let parley: Parley

beforeAll(async () => void (parley = await bootCalls({ CALLS_ENCRYPTION: 'preferred' })), WORKER_MS)
afterAll(async () => {
  if (parley) await stop(parley)
})

/** A browser for the tests of a group. The next group starts its own after it. */
function browserOf(launch: () => Promise<Browser>): () => Browser {
  let browser: Browser | undefined
  beforeAll(async () => void (browser = await launch()), BROWSER_MS)
  afterAll(() => browser?.close())
  return () => browser!
}

interface Options {
  route?: 'p2p' | 'sfu'
  /** Runs in each page before the call. */
  before?: (caller: Caller) => Promise<void>
}

/** Two people in an encrypted call. After `work`, it is still encrypted, and no fault was reported. */
async function inSealedCall(
  browser: Browser,
  { route = 'p2p', before }: Options,
  work: (alice: Caller, bob: Caller) => Promise<void>,
): Promise<void> {
  const [first, second] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { channel_id } = await voiceServer(first, second)
  const [alice, bob] = [await Caller.open(browser, first), await Caller.open(browser, second)]
  for (const each of [alice, bob]) await before?.(each)
  await alice.join(channel_id, { relay_only: route === 'sfu', receives_what_is_looked_at: route === 'sfu' })
  await bob.join(channel_id, { receives_what_is_looked_at: route === 'sfu' })
  await allHear(alice, bob)
  await work(alice, bob)
  for (const each of [alice, bob]) expect(await each.state()).toMatchObject({ route, encryption: 'sealed', faults: [] })
  await Promise.all([alice.end(), bob.end()])
}

/** Runs in a page: its connections prefer this video codec. @returns false if the browser does not send it */
function preferCodec(mimeType: string): boolean {
  const isIt = (codec: { mimeType: string }) => codec.mimeType.toLowerCase() === mimeType
  const has = (capabilities: RTCRtpCapabilities | null) => capabilities?.codecs.some(isIt) === true
  if (!has(RTCRtpSender.getCapabilities('video')) || !has(RTCRtpReceiver.getCapabilities('video'))) return false
  const codecs = RTCRtpReceiver.getCapabilities('video')!.codecs
  const preferred = [...codecs.filter(isIt), ...codecs.filter((codec) => !isIt(codec))]
  for (const name of ['createOffer', 'createAnswer'] as const) {
    const make = RTCPeerConnection.prototype[name] as (this: RTCPeerConnection) => Promise<RTCSessionDescriptionInit>
    Object.assign(RTCPeerConnection.prototype, {
      [name](this: RTCPeerConnection) {
        for (const transceiver of this.getTransceivers())
          if (transceiver.receiver.track.kind === 'video') transceiver.setCodecPreferences(preferred)
        return make.call(this)
      },
    })
  }
  return true
}

/** Runs in a page: the codecs of video that it has received. */
async function receivedCodecs(): Promise<string[]> {
  const names: string[] = []
  for (const connection of globalThis.openedMedia?.connections ?? []) {
    const stats = [...(await connection.getStats()).values()]
    for (const { type, kind, codecId, framesDecoded } of stats)
      if (type === 'inbound-rtp' && kind === 'video' && framesDecoded > 0)
        names.push(String(stats.find(({ id }) => id === codecId)?.mimeType).toLowerCase())
  }
  return names
}

describe('Chromium', () => {
  const browser = browserOf(launchChromium)

  test(
    'a viewer of an encrypted camera gets the size that it looks at, and changes it',
    () =>
      inSealedCall(browser(), { route: 'sfu' }, async (alice, bob) => {
        await alice.film()
        for (const [looked, height, layer] of [
          [480, 480, 1],
          [100, 120, 0],
          [480, 480, 1],
        ] as const) {
          await bob.look(alice, 'camera', looked)
          await bob.seesHeight(alice, 'camera', height, layer)
          await bob.sees(alice, 'camera', 20)
        }
      }),
    BROWSER_MS,
  )

  for (const route of ['p2p', 'sfu'] as const)
    test(
      `a shared screen and its sound arrive in an encrypted call (${route})`,
      () =>
        inSealedCall(browser(), { route }, async (alice, bob) => {
          await alice.share('motion', [640, 360], true)
          await bob.look(alice, 'screen', 720)
          await bob.sees(alice, 'screen')
          await until(async () => (await bob.energy(alice, 'screen_audio')) > 0)
          // In stereo: loud on the left, quiet on the right.
          await until(async () => {
            const [left = 0, right = 0] = (await bob.sound(alice, 'screen_audio')).sides
            return right > 0 && left > 4 * right
          })
          await alice.stopSharing()
          await until(async () => (await bob.frames(alice, 'screen')) === 0)
          await allHear(alice, bob)
        }),
      BROWSER_MS,
    )

  for (const route of ['p2p', 'sfu'] as const)
    test(
      `a muted member of an encrypted call sends next to nothing (DTX), and is heard again (${route})`,
      () =>
        inSealedCall(browser(), { route }, async (alice, bob) => {
          const packets = async () => (await alice.sentVoice()).reduce((sum, each) => sum + each.packets, 0)
          /** Packets of 100, counted by the clock of the receiver: its samples go on without packets. */
          const share = async () => {
            const [samples, sent] = [(await bob.samples(alice)).all, await packets()]
            // Two seconds of sound.
            await until(async () => (await bob.samples(alice)).all > samples + 96_000)
            return ((await packets()) - sent) / 100
          }
          expect((await alice.sentVoice())[0]?.opus).toMatch(/usedtx=1/)
          await alice.mute(true)
          await until(async () => (await share()) < 0.5)
          await alice.mute(false)
          await allHear(alice, bob)
          await until(async () => (await share()) > 0.5)
        }),
      BROWSER_MS,
    )

  for (const codec of ['vp8', 'vp9', 'h264', 'av1'])
    test(
      `pictures of an encrypted call decode, sent as ${codec}`,
      async () => {
        let isKnown = true
        const before = async ({ page }: Caller) => {
          isKnown &&= await page.evaluate(preferCodec, `video/${codec}`)
        }
        await inSealedCall(browser(), { before }, async (alice, bob) => {
          if (!isKnown) return console.error(`SKIPPED: this Chromium does not send ${codec}`)
          await alice.film()
          // Key frames as well as the others: a picture of each size and direction.
          await bob.sees(alice, 'camera', 30)
          await bob.film()
          await alice.sees(bob, 'camera', 30)
          for (const { page } of [alice, bob]) expect(await page.evaluate(receivedCodecs)).toEqual([`video/${codec}`])
        })
      },
      BROWSER_MS,
    )

  test(
    'a page of an encrypted call negotiates no codec whose frames cannot be sealed',
    async () => {
      const before = async ({ page }: Caller) =>
        void (await page.evaluate(() => {
          // A browser with H.265: Chromium refuses preferences that it does not know.
          const { getCapabilities } = RTCRtpReceiver
          RTCRtpReceiver.getCapabilities = (kind) => {
            const own = getCapabilities.call(RTCRtpReceiver, kind)
            const unknown = { mimeType: 'video/H265', clockRate: 90_000 }
            return own && kind === 'video' ? { ...own, codecs: [unknown, ...own.codecs] } : own
          }
          const preferred: string[][] = []
          Reflect.set(window, 'preferred', preferred)
          const { setCodecPreferences } = RTCRtpTransceiver.prototype
          RTCRtpTransceiver.prototype.setCodecPreferences = function (codecs) {
            if (this.receiver.track.kind === 'video') preferred.push(Array.from(codecs).map(({ mimeType }) => mimeType))
            return setCodecPreferences.call(this, codecs)
          }
        }))
      await inSealedCall(browser(), { before }, async (alice, bob) => {
        await alice.film()
        await bob.sees(alice, 'camera')
        for (const { page } of [alice, bob]) {
          const preferred: string[][] = await page.evaluate(() => Reflect.get(window, 'preferred'))
          expect(preferred.length).toBeGreaterThan(0)
          for (const codecs of preferred) {
            expect(codecs).toContain('video/VP8')
            expect(codecs).not.toContain('video/H265')
          }
        }
      })
    },
    BROWSER_MS,
  )

  test(
    'push-to-talk, noise suppression and a floating window go on in an encrypted call',
    async () => {
      const { ann, ben, path } = await voicePair(parley)
      const [first, second] = [await Visitor.as(browser(), ann, path), await Visitor.as(browser(), ben, path)]
      const talk = { mode: 'push', key: 'F8', noise: 'rnnoise' }
      await first.page.evaluate((set) => localStorage.setItem('parley.talk', JSON.stringify(set)), talk)
      await first.page.reload()
      for (const visitor of [first, second]) await visitor.button('Join voice').click()
      const lock = ({ page }: Visitor) => page.getByRole('img', { name: 'End-to-end encrypted' })
      for (const visitor of [first, second]) await lock(visitor).waitFor()
      const speaking = second.page.locator('.participants .speaking', { hasText: ann.display_name })
      await first.sees(first.page.locator('.participants .speaking', { hasText: ben.display_name }))
      await second.misses(speaking)
      await first.page.keyboard.down('F8')
      await second.sees(speaking)
      await first.page.keyboard.up('F8')
      await second.misses(speaking)
      await second.button('Turn camera on').click()
      await first.button('Pop out').click()
      await first.until(() => first.page.evaluate(floatingVideoPlays))
      for (const visitor of [first, second]) expect(await lock(visitor).count()).toBe(1)
      await Promise.all([first, second].map((visitor) => visitor.leave()))
    },
    BROWSER_MS,
  )
})

/** Runs in a page: pictures of a camera play in its floating window. */
function floatingVideoPlays(): boolean {
  const floating: Window | null | undefined = Reflect.get(window, 'documentPictureInPicture')?.window
  const videos = [...(floating?.document.querySelectorAll('video') ?? [])]
  return videos.some(({ videoWidth, currentTime }) => videoWidth > 0 && currentTime > 0)
}

describe('Firefox', () => {
  const browser = browserOf(launchFirefox)

  test(
    'a camera is seen in an encrypted call over the SFU, large and small',
    () =>
      inSealedCall(browser(), { route: 'sfu' }, async (alice, bob) => {
        await alice.film()
        for (const looked of [480, 100]) {
          await bob.look(alice, 'camera', looked)
          await bob.sees(alice, 'camera', 20)
        }
      }),
    BROWSER_MS,
  )

  test(
    'a shared screen arrives in an encrypted call',
    () =>
      inSealedCall(browser(), {}, async (alice, bob) => {
        await alice.share('detail', [640, 360])
        await bob.sees(alice, 'screen')
      }),
    BROWSER_MS,
  )
})
