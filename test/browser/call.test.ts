import { beforeAll, expect } from 'bun:test'
import { permissions } from '../../src/core/permissions.ts'
import type { Parley } from '../../src/parley.ts'
import { person, standard, until } from '../support/harness.ts'
import { mediaWorker, WORKER_MS } from '../support/media-worker.ts'
import { bootCalls } from '../support/browser/voice.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { presentIn, voicePair } from '../support/voice-people.ts'

const browser = await openBrowser()
// On a new machine it is built first, which takes longer than a test may.
beforeAll(mediaWorker, WORKER_MS)

let booted: Promise<Parley> | undefined
/** The server of this file, started by its first test. */
const serving = () => (booted ??= bootCalls())

const SIZES = [
  [{ width: 390, height: 780 }, 'phone'],
  [{ width: 1280, height: 800 }, 'wide'],
] as const

/** Runs in the page: the screen, each person and the controls are completely on the stage, without overlap. */
function isStripWhole(): boolean {
  const boxOf = (element: Element) => element.getBoundingClientRect()
  const stage = document.querySelector('.voice')
  const parts = [...document.querySelectorAll('.voice :is(.screen, .participant, .controls)')].map(boxOf)
  if (!stage || parts.length !== 4) return false
  const { left, right, top, bottom } = boxOf(stage)
  const isInside = parts.every(
    (one) => one.left >= left && one.right <= right && one.top >= top && one.bottom <= bottom,
  )
  const isApart = parts.every((one, at) =>
    parts
      .slice(at + 1)
      .every((two) => one.right <= two.left || two.right <= one.left || one.bottom <= two.top || two.bottom <= one.top),
  )
  return isInside && isApart && parts.every(({ width, height }) => width > 0 && height > 0)
}

/** Runs in the page: picture, name and buttons of each tile are completely in it, without overlap. */
function areTilesClear(): boolean {
  const boxOf = (element: Element) => element.getBoundingClientRect()
  return [...document.querySelectorAll('.participant')].every((tile) => {
    const all = boxOf(tile)
    const parts = [...tile.querySelectorAll('.picture, .tag, .enlarge, .person-more')].map(boxOf)
    return parts.every(
      (one, at) =>
        one.left >= all.left &&
        one.right <= all.right &&
        one.bottom <= all.bottom &&
        parts
          .slice(at + 1)
          .every(
            (two) => one.right <= two.left || two.right <= one.left || one.bottom <= two.top || two.bottom <= one.top,
          ),
    )
  })
}

/** Pictures arrive in the video of this name. */
const isSeen = ({ page }: Visitor, name: string): Promise<boolean> =>
  page
    .getByLabel(name, { exact: true })
    .first()
    .evaluate((video) => video instanceof HTMLVideoElement && video.videoWidth > 0 && video.currentTime > 0)

/** Both turn their cameras on, look at each other large and small, and a moderator stops one of them. */
async function seeEachOther(first: Visitor, second: Visitor, [ann, ben]: [string, string]): Promise<void> {
  for (const visitor of [first, second]) await visitor.button('Turn camera on').click()
  for (const visitor of [first, second])
    for (const name of [ann, ben]) {
      await visitor.sees(visitor.page.getByLabel(`Camera of ${name}`, { exact: true }))
      await visitor.until(() => isSeen(visitor, `Camera of ${name}`))
    }
  await shootThemes(second, 'call-cameras')
  // By keyboard: large, and back to the grid.
  await second.button(`Show ${ann} large`).focus()
  await second.page.keyboard.press('Enter')
  await second.sees(second.page.locator('.screen.person', { hasText: ann }))
  await second.until(() => isSeen(second, `Camera of ${ann}`))
  for (const [size, name] of SIZES) {
    await second.page.setViewportSize(size)
    await shootThemes(second, `call-speaker-${name}`)
  }
  await second.button('Grid view').click()
  await second.misses(second.page.locator('.screen.person'))
  await second.page.setViewportSize(SIZES[0][0])
  await second.until(() => second.page.evaluate(areTilesClear))
  await shootThemes(second, 'call-cameras-phone')
  await second.page.setViewportSize(SIZES[1][0])
  await first.button(`Volume and more for ${ben}`).click()
  await first.button('Stop their camera').click()
  await first.misses(first.page.getByLabel(`Camera of ${ben}`))
  await second.sees(second.button('A moderator has stopped your camera.'))
  await second.misses(second.page.getByLabel(`Camera of ${ben}`))
  // The room now uses the SFU, and so do the pictures.
  await second.until(() => isSeen(second, `Camera of ${ann}`))
  await first.button('Allow their camera again').click()
  await first.page.keyboard.press('Escape')
  await second.sees(second.button('Turn camera on'))
  await first.button('Turn camera off').click()
  await second.misses(second.page.locator('video'))
}

browserTest(
  browser,
  'two people call each other from their pages, see speakers, mute, turn cameras on, and share a screen',
  async (chromium) => {
    const { ann, ben, path } = await voicePair(await serving())
    const [first, second] = [await Visitor.as(chromium, ann, path), await Visitor.as(chromium, ben, path)]
    await first.button('Join voice').click()
    await second.sees(second.page.locator('.participant', { hasText: ann.display_name }))
    // A tile in a row of its own is not small, on a phone neither.
    await second.page.setViewportSize(SIZES[0][0])
    const picture = second.page.locator('.participant .picture')
    await second.until(() => picture.evaluate((it) => it.getBoundingClientRect().width === 64))
    await second.page.setViewportSize(SIZES[1][0])
    await second.button('Join voice').click()
    await first.sees(first.page.locator('.participants .speaking', { hasText: ben.display_name }))
    await second.sees(second.page.locator('.inside.speaking', { hasText: ann.display_name }))
    await first.button('Direct connection').click()
    await first.sees('go directly from person to person')
    await first.page.keyboard.press('Escape')
    await first.button(`Volume and more for ${ben.display_name}`).click()
    await first.field(`Volume of ${ben.display_name}`).fill('0.5')
    await first.sees(first.button('Disconnect from the call'))
    await first.page.keyboard.press('Escape')
    await shootThemes(first, 'call')

    await second.button('Mute').first().click()
    await first.sees(first.page.locator('.participant', { hasText: ben.display_name }).getByLabel('muted'))
    await first.misses(first.page.locator('.participants .speaking', { hasText: ben.display_name }))
    await second.button('Unmute').click()

    await seeEachOther(first, second, [ann.display_name, ben.display_name])

    await first.button('Share screen').click()
    await first.page.getByRole('menuitem', { name: 'Sharp text' }).click()
    await second.button('Watch screen').click()
    await second.until(() => isSeen(second, 'Shared screen'))
    for (const [size, name] of SIZES) {
      await second.page.setViewportSize(size)
      await second.until(() => second.page.evaluate(isStripWhole))
      await shootThemes(second, `call-screen-${name}`)
    }
    await first.button('Stop sharing').click()
    await second.misses(second.page.getByLabel('Shared screen'))
    await second.page.getByRole('button', { name: 'Settings', exact: true }).click()
    await second.button('Calls').click()
    await second.button('Choose microphone, speaker and camera').click()
    const microphones = second.page.getByRole('combobox', { name: /^Microphone/ })
    await second.sees(microphones)
    expect(await microphones.locator('option').count()).toBeGreaterThan(1)
    await microphones.selectOption({ index: 1 })
    await first.sees(first.page.locator('.participants .speaking', { hasText: ben.display_name }))
    await second.button('Close').click()

    // Messages arrive during a call, and the call goes on while another channel is open.
    await first.link('general').click()
    await first.sees(first.page.getByRole('region', { name: 'Voice call' }))
    await first.button('Leave the call').click()
    await second.misses(second.page.locator('.participant', { hasText: ann.display_name }))
    for (const visitor of [first, second]) await visitor.leave()
  },
)

browserTest(
  browser,
  'a browser that cannot share screens, as on phones, offers no screen, but the camera',
  async (chromium) => {
    const { ben, path } = await voicePair(await serving())
    const visitor = await Visitor.as(chromium, ben, path, { viewport: SIZES[0][0] })
    await visitor.button('Join voice').click()
    await visitor.sees(visitor.button('Share screen'))
    await visitor.page.addInitScript(() => Reflect.deleteProperty(MediaDevices.prototype, 'getDisplayMedia'))
    await visitor.page.reload()
    await visitor.button('Join voice').click()
    await visitor.sees(visitor.button('Turn camera on'))
    expect(await visitor.button('Share screen').count()).toBe(0)
    await visitor.leave()
  },
)

browserTest(
  browser,
  'if two share their screens, the stage names both, marks one’s own, and shows the chosen one',
  async (chromium) => {
    const { ann, ben, path } = await voicePair(await serving())
    const [first, second] = [await Visitor.as(chromium, ann, path), await Visitor.as(chromium, ben, path)]
    const choice = first.page.getByRole('group', { name: 'Screens in this call' })
    const names = () => choice.getByRole('button').allTextContents()
    for (const visitor of [first, second]) {
      await visitor.button('Join voice').click()
      await visitor.sees(visitor.button('Share screen'))
    }
    await first.button('Share screen').click()
    await first.page.getByRole('menuitem', { name: 'Sharp text' }).click()
    // The border of one's own tile shows even while nobody looks at it.
    await first.until(async () => (await names()).join() === 'Your screen')
    await second.button('Share screen').click()
    await second.page.getByRole('menuitem', { name: 'Smooth motion' }).click()
    await first.until(async () => (await names()).join() === `Your screen,${ben.display_name}`)
    await choice.getByRole('button', { name: ben.display_name }).click()
    await first.until(() => isSeen(first, 'Shared screen'))
    await first.sees(first.page.locator('.screen .tag', { hasText: ben.display_name }))
    for (const [size, name] of SIZES) {
      await first.page.setViewportSize(size)
      await first.until(() => first.page.evaluate(isStripWhole))
      await shootThemes(first, `call-screens-${name}`)
    }
    await choice.getByRole('button', { name: 'Your screen' }).click()
    await first.until(() => isSeen(first, 'Your screen'))
    expect(await choice.locator('[aria-pressed=true]').allTextContents()).toEqual(['Your screen'])
    await second.button('Stop sharing').click()
    await first.until(async () => (await names()).join() === 'Your screen')
    await first.button('Stop sharing').click()
    await first.misses(choice)
    await first.misses(first.page.locator('.screen'))
    // A person who looked at their own screen has not chosen to look at the next one.
    await first.button('Share screen').click()
    await first.page.getByRole('menuitem', { name: 'Sharp text' }).click()
    await first.sees(choice.getByRole('button', { name: 'Your screen' }))
    expect(await choice.locator('[aria-pressed=true]').count()).toBe(0)
    expect(await first.page.locator('.screen').count()).toBe(0)
    for (const visitor of [first, second]) await visitor.leave()
  },
)

browserTest(
  browser,
  'a page tests STUN, TURN and handshakes with the SFU over UDP and TCP, and names closed ports',
  async (chromium) => {
    const visitor = await Visitor.as(chromium, await person(await serving(), 'ann'))
    const { page } = visitor
    const doors = ['STUN UDP', 'TURN UDP', 'TURN TCP', 'SFU UDP', 'SFU TCP']
    const says = (door: string, what: string | RegExp) =>
      visitor.sees(page.locator('.checks .row', { hasText: door }).getByText(what, { exact: true }))
    await page.getByRole('button', { name: 'Settings', exact: true }).click()
    await visitor.button('Calls').click()
    await visitor.button('Test my connection').click()
    for (const door of doors) await says(door, 'open')
    await shootThemes(visitor, 'settings-connection')
    // The page gets an SFU address where nothing listens.
    await page.route('**/api/voice/sfu-tests', async (route) => {
      const response = await route.fetch()
      const test = await response.json()
      for (const candidate of test.ice_candidates) candidate.port = 9
      await route.fulfill({ response, json: test })
    })
    await visitor.button('Test my connection').click()
    for (const door of doors.slice(3)) await says(door, /^closed: a firewall/)
    for (const door of doors.slice(0, 3)) await says(door, 'open')
    await visitor.leave()
  },
)

/** Runs in the page: the content of the floating window. */
function floatingCall() {
  const floating: Window | null | undefined = Reflect.get(window, 'documentPictureInPicture')?.window
  const video = floating?.document.querySelector('video')
  const buttons = floating?.document.querySelectorAll('.controls button') ?? []
  const background = floating && getComputedStyle(floating.document.querySelector('.floating') ?? document.body)
  return {
    isSeen: (video?.videoWidth ?? 0) > 0 && (video?.currentTime ?? 0) > 0,
    labels: [...buttons].map((button) => button.getAttribute('aria-label')),
    position: background?.position,
  }
}

browserTest(
  browser,
  'a call is shown above other windows until it ends; losing share_screen removes one’s own pictures too',
  async (chromium) => {
    const { ann, ben, server_id, voice_id, path } = await voicePair(await serving())
    const visitor = await Visitor.as(chromium, ben, path)
    const { page } = visitor
    await visitor.button('Join voice').click()
    await visitor.button('Turn camera on').click()
    const camera = page.getByLabel(`Camera of ${ben.display_name}`)
    await visitor.sees(camera)
    await visitor.button('Pop out').click()
    await visitor.until(async () => (await page.evaluate(floatingCall)).isSeen)
    const { labels, position } = await page.evaluate(floatingCall)
    expect(labels).toEqual(['Mute', 'Deafen', 'Turn camera off', 'Leave the call'])
    expect(position).toBe('fixed')
    await page.evaluate(() => {
      const { document } = Reflect.get(window, 'documentPictureInPicture').window
      document.querySelector('[aria-label="Mute"]').click()
    })
    await visitor.sees(visitor.button('Unmute'))
    const [everyone] = (await ann.get(`/api/servers/${server_id}/roles`)).body
    await ann.put(`/api/channels/${voice_id}/permissions/${everyone.id}`, { deny: permissions('share_screen') })
    await visitor.misses(camera)
    await visitor.misses(visitor.button('Turn camera off'))
    await visitor.button('Leave the call').click()
    await visitor.until(() => page.evaluate(() => Reflect.get(window, 'documentPictureInPicture').window === null))
    await visitor.leave()
  },
)

browserTest(
  browser,
  'without a document window only the video floats; an unanswered join keeps no seat',
  async (chromium) => {
    const { ann, ben, voice_id, path } = await voicePair(await standard())
    const visitor = await Visitor.as(chromium, ben, path)
    const { page } = visitor
    // Imitates Firefox and Safari.
    await page.addInitScript(() => Reflect.deleteProperty(window, 'documentPictureInPicture'))
    let isLate = true
    await page.routeWebSocket(/\/ws\?/, (socket) => {
      const server = socket.connectToServer()
      server.onMessage((frame) => {
        // Delays only answers to joins.
        if (!isLate || !`${frame}`.includes('"ice_servers"')) socket.send(frame)
      })
    })
    await page.reload()
    await visitor.button('Join voice').click()
    await until(async () => (await presentIn(ann, voice_id)).includes(ben.id))
    await visitor.until(async () => (await presentIn(ann, voice_id)).length === 0)
    await visitor.sees(visitor.button('Join voice'))
    isLate = false
    await visitor.button('Join voice').click()
    await visitor.button('Turn camera on').click()
    await visitor.until(() => isSeen(visitor, `Camera of ${ben.display_name}`))
    const pictureLabel = () => page.evaluate(() => document.pictureInPictureElement?.getAttribute('aria-label'))
    await visitor.button('Pop out').click()
    await visitor.until(async () => (await pictureLabel()) === `Camera of ${ben.display_name}`)
    await visitor.button('Pop out').click()
    await visitor.until(async () => (await pictureLabel()) === undefined)
    await visitor.button('Leave the call').click()
    await visitor.leave()
  },
)
