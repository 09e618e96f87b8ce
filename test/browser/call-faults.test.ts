import { beforeAll, expect } from 'bun:test'
import type { Parley } from '../../src/parley.ts'
import { WORKER_MS } from '../support/media-worker.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { bootCalls } from '../support/browser/voice.ts'
import { befriend, write } from '../support/people.ts'
import { presentIn, voicePair } from '../support/voice-people.ts'

const browser = await openBrowser()
let parley: Parley
// On a new machine the media worker is built first, which takes longer than a test may.
beforeAll(async () => void (parley = await bootCalls()), WORKER_MS)

browserTest(
  browser,
  'a browser without WebRTC says so in place of the join button, and takes no seat',
  async (chromium) => {
    const { ann, ben, voice_id, path } = await voicePair(parley)
    const first = await Visitor.as(chromium, ann, path)
    await first.page.addInitScript(() => Reflect.deleteProperty(window, 'RTCPeerConnection'))
    await first.page.reload()
    await first.sees('This browser does not support calls (WebRTC).')
    await first.misses(first.button('Join voice'))
    await first.page.getByRole('button', { name: 'Settings', exact: true }).click()
    await first.button('Calls').click()
    await first.sees(first.page.locator('dialog').getByText('does not support calls (WebRTC)'))
    expect(await first.button('Test my connection').count()).toBe(0)
    await first.page.keyboard.press('Escape')
    // A dm offers no call, and a ringing one cannot be accepted.
    await befriend(ann, ben)
    const { channel_id: dm } = await write(ben, ann, 'May I call?')
    await first.page.goto(`${parley.url}/c/${dm}`)
    await first.sees(first.composer())
    expect(await first.button('Start a call').count()).toBe(0)
    const second = await Visitor.as(chromium, ben, `/c/${dm}`)
    await second.button('Start a call').click()
    await first.sees(first.page.getByRole('alert').filter({ hasText: ben.display_name }))
    expect(await first.button('Accept').isDisabled()).toBe(true)
    await first.button('Decline').click()
    expect(await presentIn(ben, voice_id)).toEqual([])
    for (const visitor of [first, second]) await visitor.leave()
  },
)

browserTest(
  browser,
  'the sign that others hear nothing follows the microphone: muted by the system, gone, and back',
  async (chromium) => {
    const { ann, path } = await voicePair(parley)
    const visitor = await Visitor.as(chromium, ann, path)
    const { page } = visitor
    await page.addInitScript(() => {
      const clone = MediaStreamTrack.prototype.clone
      const sent: MediaStreamTrack[] = []
      // Only a system mutes a track; the page cannot.
      Reflect.set(window, 'muteBySystem', (is: boolean) => {
        for (const track of sent) Object.defineProperty(track, 'muted', { value: is, configurable: true })
      })
      MediaStreamTrack.prototype.clone = function () {
        const own = clone.call(this)
        sent.push(own)
        return own
      }
      const { mediaDevices } = navigator
      const take = mediaDevices.getUserMedia.bind(mediaDevices)
      mediaDevices.getUserMedia = async (wishes) => {
        if (Reflect.get(window, 'isDenied')) throw new DOMException('Permission denied', 'NotAllowedError')
        return take(wishes)
      }
    })
    await page.reload()
    const none = page.getByText('No microphone: you can listen, but others cannot hear you.').first()
    const muted = page.getByText('Your system has muted the microphone. Others cannot hear you.').first()
    const muteBySystem = (is: boolean) => page.evaluate((value) => Reflect.get(window, 'muteBySystem')(value), is)
    const deny = (is: boolean) => page.evaluate((value) => Reflect.set(window, 'isDenied', value), is)
    // The page joins without a microphone.
    await deny(true)
    await visitor.button('Join voice').click()
    await visitor.sees(none)
    await deny(false)
    await visitor.button('Unmute').click()
    await visitor.misses(none)
    await visitor.sees(visitor.button(/^Mute/))
    await muteBySystem(true)
    await visitor.sees(muted)
    await muteBySystem(false)
    await visitor.misses(muted)
    await visitor.leave()
  },
)

browserTest(
  browser,
  'deafening mutes, and undeafening opens the microphone only if deafening had closed it',
  async (chromium) => {
    const { ann, ben, voice_id, path } = await voicePair(parley)
    const visitor = await Visitor.as(chromium, ann, path)
    const press = (name: string) => visitor.page.getByRole('button', { name, exact: true }).first().click()
    await press('Join voice')
    const states = async () => {
      const { body } = await ben.get(`/api/channels/${voice_id}/voice-states`)
      const [state] = body as { self_mute: boolean; self_deaf: boolean }[]
      return `${state?.self_mute ? 'muted' : 'open'}, ${state?.self_deaf ? 'deaf' : 'hearing'}`
    }
    const becomes = (expected: string) => visitor.until(async () => (await states()) === expected)
    await becomes('open, hearing')
    await press('Deafen')
    await becomes('muted, deaf')
    await press('Undeafen')
    await becomes('open, hearing')
    await press('Mute')
    await press('Deafen')
    await becomes('muted, deaf')
    await press('Undeafen')
    await becomes('muted, hearing')
    await press('Deafen')
    await becomes('muted, deaf')
    // A deafened person cannot speak.
    await press('Unmute')
    await becomes('open, hearing')
    await visitor.leave()
  },
)

/** Runs in the page before its scripts: as in Safari on iOS, the volume of an element is always 1. */
function fixVolumes(): void {
  Object.defineProperty(HTMLMediaElement.prototype, 'volume', { get: () => 1, set: () => {} })
  const players: HTMLAudioElement[] = []
  globalThis.Audio = new Proxy(Audio, {
    construct: (target, args: [string?]) => {
      const player = new target(...args)
      players.push(player)
      return player
    },
  })
  Object.assign(window, { players })
}

browserTest(
  browser,
  'where the volume of players cannot be changed, as in Safari on iOS, Web Audio plays a member, and 0 is silent',
  async (chromium) => {
    const { ann, ben, path } = await voicePair(parley)
    const [first, second] = [await Visitor.as(chromium, ann, path), await Visitor.as(chromium, ben, path)]
    await second.page.addInitScript(fixVolumes)
    await second.page.reload()
    for (const visitor of [first, second]) await visitor.button('Join voice').click()
    await second.button(`Volume and more for ${ann.display_name}`).click()
    const mutedPlayers = () =>
      second.page.evaluate(() => (Reflect.get(window, 'players') as HTMLAudioElement[]).map(({ muted }) => muted))
    for (const [volume, isMuted] of [
      ['0', true],
      ['1', false],
      // Web Audio plays it.
      ['0.5', true],
    ] as const) {
      await second.field(`Volume of ${ann.display_name}`).fill(volume)
      await second.until(async () => (await mutedPlayers()).join() === String(isMuted))
    }
    await second.page.keyboard.press('Escape')
    for (const visitor of [first, second]) await visitor.leave()
  },
)
