import { expect } from 'bun:test'
import { person, room } from '../support/harness.ts'
import { bootCalls } from '../support/browser/voice.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const browser = await openBrowser()

const SIZES = [
  [{ width: 390, height: 780 }, 'phone'],
  [{ width: 1280, height: 800 }, 'wide'],
] as const

/** Runs in the page: whether the screen, each person and the controls lie wholly on the stage, side by side. */
function isStripWhole(): boolean {
  const boxOf = (element: Element) => element.getBoundingClientRect()
  const stage = document.querySelector('.voice')
  const parts = [...document.querySelectorAll('.voice :is(.screen, .participant, .controls)')].map(boxOf)
  if (!stage || parts.length !== 4) return false
  const { left, right, top, bottom } = boxOf(stage)
  const inside = parts.every((one) => one.left >= left && one.right <= right && one.top >= top && one.bottom <= bottom)
  const apart = parts.every((one, at) =>
    parts
      .slice(at + 1)
      .every((two) => one.right <= two.left || two.right <= one.left || one.bottom <= two.top || two.bottom <= one.top),
  )
  return inside && apart && parts.every(({ width, height }) => width > 0 && height > 0)
}

browserTest(
  browser,
  'two people call each other from their pages, hear who speaks, mute, and share a screen',
  async (chromium) => {
    const parley = await bootCalls()
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id } = await room(ann, ben)
    const voice = (await ann.post(`/api/servers/${server_id}/channels`, { name: 'Hide', type: 'voice' })).body
    const path = `/app/servers/${server_id}/channels/${voice.id}`
    const [first, second] = [await Visitor.as(chromium, ann, path), await Visitor.as(chromium, ben, path)]
    await first.button('Join voice').click()
    await second.sees(second.page.locator('.participant', { hasText: ann.display_name }))
    await second.button('Join voice').click()
    await first.sees(first.page.locator('.participants .speaking', { hasText: ben.display_name }))
    await second.sees(second.page.locator('.inside.speaking', { hasText: ann.display_name }))
    await first.button('Direct connection').click()
    await first.sees('go straight from person to person')
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

    await first.button('Share screen').click()
    await second.button('Watch screen').click()
    await second.until(() => second.page.evaluate(() => (document.querySelector('video')?.videoWidth ?? 0) > 0))
    for (const [size, name] of SIZES) {
      await second.page.setViewportSize(size)
      await second.until(() => second.page.evaluate(isStripWhole))
      await shootThemes(second, `call-screen-${name}`)
    }
    await first.button('Stop sharing').click()
    await second.misses(second.page.locator('video'))
    await second.page.getByRole('button', { name: 'Settings', exact: true }).click()
    await second.button('Calls').click()
    await second.button('Choose microphone and loudspeaker').click()
    const microphones = second.field('Microphone')
    await second.sees(microphones)
    expect(await microphones.locator('option').count()).toBeGreaterThan(1)
    await microphones.selectOption({ index: 1 })
    await first.sees(first.page.locator('.participants .speaking', { hasText: ben.display_name }))
    await second.button('Test my connection').click()
    for (const transport of ['UDP', 'TCP'])
      await second.sees(second.page.locator('.checks .yes', { hasText: transport }).getByText('open'))
    await second.button('Close').click()

    // Messages arrive during a call, and the call goes on while another channel is open.
    await first.link('general').click()
    await first.sees(first.page.getByRole('region', { name: 'Voice call' }))
    await first.button('Leave the call').click()
    await second.misses(second.page.locator('.participant', { hasText: ann.display_name }))
    for (const visitor of [first, second]) await visitor.leave()
  },
)
