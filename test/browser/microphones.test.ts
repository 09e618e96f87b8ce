import { beforeAll, expect } from 'bun:test'
import type { Parley } from '../../src/parley.ts'
import { WORKER_MS } from '../support/media-worker.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { bootCalls } from '../support/browser/voice.ts'
import { voicePair } from '../support/voice-people.ts'

const browser = await openBrowser()
let parley: Parley
// On a new machine the media worker is built first, which takes longer than a test may.
beforeAll(async () => void (parley = await bootCalls()), WORKER_MS)

browserTest(
  browser,
  'a lost microphone is opened again; without one the person is muted, and unmuting asks again',
  async (chromium) => {
    const { ann, ben, path } = await voicePair(parley)
    const [first, second] = [await Visitor.as(chromium, ann, path), await Visitor.as(chromium, ben, path)]
    const { page } = first
    const control = await chromium.newBrowserCDPSession()
    const { browserContextIds } = await control.send('Target.getBrowserContexts')
    /** Revokes the permission, which ends the page's microphones, and then grants fake ones again. */
    const takeAway = async () => {
      for (const setting of ['denied', 'granted'] as const)
        for (const browserContextId of browserContextIds) {
          const permission = { permission: { name: 'microphone' }, setting, origin: parley.url, browserContextId }
          await control.send('Browser.setPermission', permission)
        }
    }
    await page.addInitScript(() => {
      const { mediaDevices } = navigator
      const take = mediaDevices.getUserMedia.bind(mediaDevices)
      mediaDevices.getUserMedia = async (wishes) => {
        Reflect.set(window, 'times', Number(Reflect.get(window, 'times') ?? 0) + 1)
        if (Reflect.get(window, 'isDenied')) throw new DOMException('Permission denied', 'NotAllowedError')
        return take(wishes)
      }
    })
    const times = () => page.evaluate(() => Number(Reflect.get(window, 'times')))
    const deny = (is: boolean) => page.evaluate((value) => Reflect.set(window, 'isDenied', value), is)
    const tile = second.page.locator('.participant', { hasText: ann.display_name })
    const speaking = second.page.locator('.participants .speaking', { hasText: ann.display_name })
    await second.button('Join voice').click()
    for (const noise of ['browser', 'rnnoise']) {
      await page.evaluate((kind) => localStorage.setItem('parley.talk', JSON.stringify({ noise: kind })), noise)
      await page.reload()
      await first.button('Join voice').click()
      await second.sees(speaking)
      const before = await times()
      await takeAway()
      await first.until(async () => (await times()) > before)
      await second.misses(speaking)
      await second.sees(speaking)
      await deny(true)
      await takeAway()
      await first.sees('No microphone: you can listen, but others cannot hear you.')
      await second.sees(tile.getByLabel('muted'))
      const refused = await times()
      await first.button('Unmute').click()
      await first.until(async () => (await times()) > refused)
      await first.sees(first.button('Unmute'))
      await second.sees(tile.getByLabel('muted'))
      await deny(false)
      await first.button('Unmute').click()
      await second.sees(speaking)
      await first.button('Leave the call').click()
      await second.misses(tile)
    }
    await control.detach()
    for (const visitor of [first, second]) await visitor.leave()
  },
)

browserTest(
  browser,
  'another loudspeaker plays the others and another camera shows the person, in the same call',
  async (chromium) => {
    const { ann, ben, path } = await voicePair(parley)
    const [first, second] = [await Visitor.as(chromium, ann, path), await Visitor.as(chromium, ben, path)]
    const { page } = first
    await page.addInitScript(() => {
      const [played, filmed]: [Set<Element>, string[]] = [new Set(), []]
      Object.assign(window, { played, filmed })
      const { play } = HTMLMediaElement.prototype
      HTMLMediaElement.prototype.play = function () {
        if (this instanceof HTMLAudioElement) played.add(this)
        return play.call(this)
      }
      const { replaceTrack } = RTCRtpSender.prototype
      RTCRtpSender.prototype.replaceTrack = function (track) {
        if (track?.kind === 'video') filmed.push(track.getSettings().deviceId ?? '')
        return replaceTrack.call(this, track)
      }
    })
    await page.reload()
    for (const visitor of [first, second]) await visitor.button('Join voice').click()
    await first.sees(page.locator('.participants .speaking', { hasText: ben.display_name }))
    await first.button('Turn camera on').click()
    const camera = second.page.getByLabel(`Camera of ${ann.display_name}`)
    await second.sees(camera)
    await page.getByRole('button', { name: 'Settings', exact: true }).click()
    await first.button('Calls').click()
    await first.button('Choose microphone, speaker and camera').click()
    const choose = async (name: string) => {
      const devices = page.getByRole('combobox', { name })
      await first.sees(devices)
      const last = (await devices.locator('option').count()) - 1
      expect(last).toBeGreaterThan(0)
      const [id = ''] = await devices.selectOption({ index: last })
      return id
    }
    const loudspeaker = await choose('Speaker')
    const sinks = () => page.evaluate(() => [...Reflect.get(window, 'played')].map(({ sinkId }) => sinkId))
    await first.until(async () => (await sinks()).includes(loudspeaker))
    const chosen = await choose('Camera')
    await first.until(() => page.evaluate((id) => Reflect.get(window, 'filmed').includes(id), chosen))
    await second.sees(camera)
    await second.sees(second.page.locator('.participants .speaking', { hasText: ann.display_name }))
    for (const visitor of [first, second]) await visitor.leave()
  },
)
