import { beforeAll, expect } from 'bun:test'
import type { Browser } from 'playwright-core'
import type { Parley } from '../../src/parley.ts'
import { type Person, person, newServer } from '../support/harness.ts'
import { WORKER_MS } from '../support/media-worker.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { bootCalls } from '../support/browser/voice.ts'

const browser = await openBrowser()
let parley: Parley
// On a new machine the media worker is built first, which takes longer than a test may.
beforeAll(async () => void (parley = await bootCalls()), WORKER_MS)

/** A person and the path of a voice channel. */
async function place() {
  const ann = await person(parley, 'ann')
  const { server_id } = await newServer(ann)
  const { id } = (await ann.post(`/api/servers/${server_id}/channels`, { name: 'Hide', type: 'voice' })).body
  return { ann, path: `/app/servers/${server_id}/channels/${id}` }
}

/** Runs in the page before its scripts: the microphone hears a voice without a pause, until `speak(false)`. */
function speak(): void {
  navigator.mediaDevices.getUserMedia = async () => {
    const context = new AudioContext()
    const [voice, volume] = [context.createOscillator(), new GainNode(context)]
    const output = context.createMediaStreamDestination()
    voice.connect(volume).connect(output)
    voice.start()
    Reflect.set(window, 'speak', (isOn: boolean) => (volume.gain.value = isOn ? 1 : 0))
    return output.stream
  }
}

/** Opens the channel as a person who speaks, with a mode of transmission; and joins. */
async function joined(chromium: Browser, ann: Person, path: string, talk: object, script?: () => void, options = {}) {
  const visitor = await Visitor.as(chromium, ann, path, options)
  await visitor.page.addInitScript(speak)
  if (script) await visitor.page.addInitScript(script)
  await visitor.page.evaluate((set) => localStorage.setItem('parley.talk', JSON.stringify(set)), talk)
  await visitor.page.reload()
  await visitor.button('Join voice').click()
  await visitor.sees(visitor.button('Leave the call').first())
  return visitor
}

/** One's own tile while others hear one's voice. */
const speakingTile = ({ page }: Visitor, { display_name }: Person) =>
  page.locator('.participants .speaking', { hasText: display_name })

browserTest(
  browser,
  'on a phone a person talks while holding a button, also when the finger leaves it',
  async (chromium) => {
    const { ann, path } = await place()
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const visitor = await joined(chromium, ann, path, { mode: 'push' }, undefined, phone)
    const { page } = visitor
    const hold = visitor.button('Hold to talk')
    await visitor.sees(hold)
    await visitor.until(async () => (await page.locator('.loading').count()) === 0)
    expect(await faultsOf(visitor)).toEqual([])
    await shootThemes(visitor, 'call-hold')
    // The narrowest phones have the other six in one row, with the screen button if the browser can share.
    await page.setViewportSize({ width: 320, height: 640 })
    const others = page.locator('.voice .controls button:not(.hold)')
    const rows = await others.evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().bottom)))
    expect([rows.length, new Set(rows).size]).toEqual([6, 1])
    await page.setViewportSize(phone.viewport)
    const { x = 0, y = 0, width = 0, height = 0 } = (await hold.boundingBox()) ?? {}
    const touch = await page.context().newCDPSession(page)
    const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: { x: number; y: number }[]) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: points })
    const [middle, line] = [x + width / 2, y + height / 2]
    for (const to of [
      { x: middle + 100, y: line },
      { x: middle, y: 200 },
    ]) {
      await finger('touchStart', { x: middle, y: line })
      await visitor.sees(speakingTile(visitor, ann))
      await finger('touchMove', to)
      expect(await hold.getAttribute('aria-pressed')).toBe('true')
      await shootThemes(visitor, 'call-held')
      await finger('touchEnd')
      await visitor.misses(speakingTile(visitor, ann))
    }
    // A finger that moves sideways elsewhere opens the lists.
    expect(await page.locator('.shell.open').count()).toBe(0)
    await hold.press('Enter')
    await visitor.sees(speakingTile(visitor, ann))
    await hold.press('Enter')
    await visitor.misses(speakingTile(visitor, ann))
    // A person who mutes while the finger is down stays muted after it.
    await finger('touchStart', { x: middle, y: line })
    await visitor.sees(speakingTile(visitor, ann))
    await page.keyboard.press('Control+Shift+KeyM')
    await visitor.until(() => hold.isDisabled())
    await finger('touchEnd')
    await visitor.button('Unmute').click()
    await visitor.until(() => hold.isEnabled())
    expect(await hold.getAttribute('aria-pressed')).toBe('false')
    await visitor.leave()
    // A page with a mouse offers keys.
    const desk = await joined(chromium, ann, path, { mode: 'push' })
    expect(await desk.button('Hold to talk').count()).toBe(0)
    await desk.leave()
  },
)

browserTest(browser, 'the keys of a call also work in the floating window', async (chromium) => {
  const { ann, path } = await place()
  const visitor = await joined(chromium, ann, path, { mode: 'push', key: 'F8' })
  await visitor.button('Pop out').click()
  await visitor.until(() =>
    visitor.page.evaluate(() => Reflect.get(window, 'documentPictureInPicture').window !== null),
  )
  const press = (type: 'keydown' | 'keyup', key: KeyboardEventInit) =>
    visitor.page.evaluate(
      ([what, which]) => {
        const { window: above } = Reflect.get(window, 'documentPictureInPicture')
        above.document.body.dispatchEvent(new above.KeyboardEvent(what, { ...which, bubbles: true, cancelable: true }))
      },
      [type, key] as const,
    )
  await visitor.misses(speakingTile(visitor, ann))
  await press('keydown', { code: 'F8', key: 'F8' })
  await visitor.sees(speakingTile(visitor, ann))
  await press('keyup', { code: 'F8', key: 'F8' })
  await visitor.misses(speakingTile(visitor, ann))
  await press('keydown', { code: 'KeyM', key: 'M', ctrlKey: true, shiftKey: true })
  await visitor.sees(visitor.button('Unmute'))
  await press('keydown', { code: 'KeyM', key: 'M', ctrlKey: true, shiftKey: true })
  await visitor.misses(visitor.button('Unmute'))
  // A closed window cannot report that the key was released.
  await press('keydown', { code: 'F8', key: 'F8' })
  await visitor.sees(speakingTile(visitor, ann))
  await visitor.button('Return to the page').click()
  await visitor.misses(speakingTile(visitor, ann))
  await visitor.leave()
})

/** Runs in the page before its scripts: its short timers never fire, and it reports if the microphone is open. */
function stopTimers(): void {
  const start = window.setInterval.bind(window)
  const slowly = (run: () => void, ms = 0, ...rest: unknown[]) => (ms <= 100 ? 0 : start(run, ms, ...rest))
  Reflect.set(window, 'setInterval', slowly)
  const { set } = Object.getOwnPropertyDescriptor(MediaStreamTrack.prototype, 'enabled') ?? {}
  Object.defineProperty(MediaStreamTrack.prototype, 'enabled', {
    set(this: MediaStreamTrack, isOn: boolean) {
      Reflect.set(window, 'isOpen', isOn)
      set?.call(this, isOn)
    },
  })
}

browserTest(browser, 'a voice opens and closes the microphone without any timer of the page', async (chromium) => {
  const { ann, path } = await place()
  const visitor = await joined(chromium, ann, path, { mode: 'voice', threshold: 0.5 }, stopTimers)
  const { page } = visitor
  const isOpen = (wasOpen: boolean) =>
    visitor.until(async () => (await page.evaluate(() => Reflect.get(window, 'isOpen'))) === wasOpen)
  for (const on of [false, true, false, true]) {
    await page.evaluate((is) => Reflect.get(window, 'speak')(is), on)
    await isOpen(on)
  }
  await visitor.leave()
})

/** Runs in the page before its scripts: no worklet can be loaded, as after an update of the server. */
const loseWorklets = (): void =>
  void (AudioWorklet.prototype.addModule = () => Promise.reject(new Error('There is no such file')))

browserTest(browser, 'a voice also opens and closes the microphone without its worklet', async (chromium) => {
  const { ann, path } = await place()
  const visitor = await joined(chromium, ann, path, { mode: 'voice', threshold: 0.5 }, loseWorklets)
  await visitor.sees(speakingTile(visitor, ann))
  await visitor.page.evaluate(() => Reflect.get(window, 'speak')(false))
  await visitor.misses(speakingTile(visitor, ann))
  await visitor.leave()
})
