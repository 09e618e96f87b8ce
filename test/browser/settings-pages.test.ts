import { expect } from 'bun:test'
import { person, newServer, say, standard } from '../support/harness.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

declare global {
  /** In the page: the number of times that a closed dialog's veil was visible. */
  var veils: number
}

const parley = await standard()
const browser = await openBrowser()

browserTest(browser, 'a section of the settings opens at its top', async (chromium) => {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  const visitor = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`)
  await visitor.inServerMenu('Server settings')
  const scroll = visitor.page.locator('dialog.settings > .scroll')
  await visitor.page.setViewportSize({ width: 1280, height: 400 })
  await visitor.button('Explain permissions').click()
  await visitor.sees(visitor.page.locator('.checks li').last())
  await scroll.evaluate((element) => (element.scrollTop = 200))
  await visitor.button('Audit log').click()
  expect(await scroll.evaluate((element) => element.scrollTop)).toBe(0)
  await visitor.leave()
})

browserTest(browser, 'the page brightens as a dialog closes, at once with reduced motion', async (chromium) => {
  const ann = await person(parley, 'ann')
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const visitor = await Visitor.as(chromium, ann, '/app', { reducedMotion })
    await visitor.page.getByRole('button', { name: 'Settings', exact: true }).click()
    await visitor.sees(visitor.page.locator('dialog.settings'))
    await visitor.page.evaluate(() => {
      globalThis.veils = 0
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
          for (const node of addedNodes) if (node instanceof HTMLElement && node.matches('.leaving')) globalThis.veils++
      }).observe(document.body, { childList: true })
    })
    await visitor.page.keyboard.press('Escape')
    await visitor.misses(visitor.page.locator('dialog'))
    expect(await visitor.page.evaluate(() => globalThis.veils)).toBe(reducedMotion === 'reduce' ? 0 : 1)
    await visitor.misses(visitor.page.locator('.leaving'))
    await visitor.leave()
  }
})

browserTest(browser, 'the remains of a closed dialog block no key of the page, and take no space', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const other = (await ann.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })).body
  const visitor = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${other.id}`)
  const [veil, unread] = [visitor.page.locator('.leaving'), visitor.page.locator('.sidebar .unread')]
  await visitor.sees(visitor.composer())
  await say(ben, channel_id, 'an owl')
  await visitor.sees(unread)
  // Imitates a very busy machine.
  await visitor.page.evaluate(() => document.documentElement.style.setProperty('--move', '100s'))
  await visitor.page.getByRole('button', { name: 'Settings', exact: true }).click()
  await visitor.sees(visitor.page.locator('dialog.settings'))
  await visitor.page.keyboard.press('Escape')
  await visitor.misses(visitor.page.locator('dialog'))
  expect(await veil.count()).toBe(1)
  await visitor.page.keyboard.press('Shift+Escape')
  await visitor.misses(unread)
  // Imitates an animation that ends early.
  await veil.evaluate((element) => (element.style.animation = 'none'))
  await visitor.misses(veil)
  await visitor.leave()
})

browserTest(
  browser,
  'permissions of a channel are chosen by arrow keys, keep their save button in view, and have no accessibility fault',
  async (chromium) => {
    const ann = await person(parley, 'ann')
    const { server_id, channel_id } = await newServer(ann)
    await ann.post(`/api/servers/${server_id}/roles`, { name: 'Wardens' })
    const visitor = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.page.locator('.sidebar .row', { hasText: 'general' }).hover()
    await visitor.button('Settings of #general').click()
    await visitor.button('Permissions').click()
    const choices = (name: string) => visitor.page.getByRole('radiogroup', { name })
    await visitor.page.locator('summary', { hasText: 'Messages' }).click()
    await choices('Attach files').getByRole('radio', { name: 'Inherit' }).focus()
    await visitor.page.keyboard.press('ArrowRight')
    expect(await choices('Attach files').getByRole('radio', { name: 'Allow' }).isChecked()).toBe(true)
    for (const [width, height] of [
      [390, 844],
      [1280, 800],
    ] as const) {
      await visitor.page.setViewportSize({ width, height })
      expect(await faultsOf(visitor)).toEqual([])
      await visitor.until(async () => {
        const box = await visitor.button('Save').boundingBox()
        return box !== null && box.y + box.height <= height
      })
      await shootThemes(visitor, `settings-permissions-${width}`)
    }
    await visitor.button('Save').click()
    await visitor.page.getByRole('switch', { name: /^Private channel/ }).check()
    await visitor.sees(visitor.page.getByRole('checkbox', { name: 'Wardens' }))
    expect(await faultsOf(visitor)).toEqual([])
    await shootThemes(visitor, 'settings-private')
    await visitor.button('Close').click()
    await visitor.sees(visitor.link('general, private'))
    await shootThemes(visitor, 'private-list')
    await visitor.leave()
  },
)
