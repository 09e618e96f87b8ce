import { expect } from 'bun:test'
import type { Locator } from 'playwright-core'
import { person, newServer, say, standard } from '../support/harness.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

const menuOf = ({ page }: Visitor) => page.getByRole('menu')
const itemsOf = (visitor: Visitor) => menuOf(visitor).getByRole('menuitem').allTextContents()

/** Opens the menu of an element by right click. @returns its entries */
async function rightClick(visitor: Visitor, what: Locator): Promise<string[]> {
  await visitor.opensMenus()
  await what.click({ button: 'right' })
  await visitor.sees(menuOf(visitor))
  return itemsOf(visitor)
}

browserTest(
  browser,
  'a right click and the menu key open the actions of a message, person, channel and server',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    await say(ben, channel_id, 'An osprey')
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    const [owner, member] = [await Visitor.as(chromium, ann, path), await Visitor.as(chromium, ben, path)]
    await owner.sees(owner.message('osprey'))

    // Until they are online, their rows move.
    const personRow = owner.page.locator('.members button.online', { hasText: ben.display_name })
    expect(await rightClick(owner, personRow)).toEqual([
      'Profile',
      'Send a message',
      'Add friend',
      'Cases',
      'Warn',
      'Time out',
      'Quarantine',
      'Kick',
      'Ban',
      'Report profile',
      'Block',
    ])
    expect(await faultsOf(owner)).toEqual([])
    await shootThemes(owner, 'menu-person')
    await owner.page.getByRole('menuitem', { name: 'Add friend' }).click()
    await owner.until(async () => (await ben.get('/api/friends/pending')).body.length === 1)

    // The menu opens at the pointer, and Escape returns the focus.
    const channel = owner.page.locator('.sidebar').getByRole('link', { name: 'general' })
    await channel.focus()
    await owner.page.keyboard.press('ContextMenu')
    await owner.sees(menuOf(owner))
    expect(await itemsOf(owner)).toEqual(expect.arrayContaining(['Notifications…', 'Settings…', 'Delete channel']))
    await owner.page.keyboard.press('Escape')
    await owner.misses(menuOf(owner))
    expect(await channel.evaluate((link) => link === document.activeElement)).toBe(true)

    const server = owner.page.locator('.server-list').getByRole('link', { name: 'Birdwatchers' }).first()
    expect(await rightClick(owner, server)).toEqual([
      'Mark as read',
      'Notifications…',
      'Invite people',
      'Events',
      'Channels and roles',
      'Server settings',
    ])
    await owner.page.keyboard.press('Escape')

    const text = owner.message('osprey').getByText('An osprey')
    expect((await rightClick(owner, text)).some((item) => item.startsWith('Pin message'))).toBe(true)
    const [menu, at] = [await menuOf(owner).boundingBox(), await text.boundingBox()]
    expect(Math.abs((menu?.x ?? 0) - (at?.x ?? 0))).toBeLessThan(at?.width ?? 0)
    await owner.page.keyboard.press('Escape')

    // Every name has the menu.
    await say(ann, channel_id, `Did <@${ben.id}> see it?`)
    const chip = owner.page.locator('.message .mention', { hasText: ben.display_name })
    expect(await rightClick(owner, chip)).toEqual(expect.arrayContaining(['Profile', 'Kick', 'Block']))
    await owner.page.keyboard.press('Escape')
    await owner.page.keyboard.press('Control+f')
    await owner.page.getByRole('combobox', { name: 'Search messages' }).fill('osprey')
    await owner.page.keyboard.press('Enter')
    const found = owner.page.locator('.result .byline', { hasText: ben.display_name })
    expect(await rightClick(owner, found)).toEqual(expect.arrayContaining(['Profile', 'Kick', 'Block']))
    await owner.page.keyboard.press('Escape')

    // In a dialog, which would cover the menu, the browser's own menu opens.
    const { id: questionId } = await say(ann, channel_id, `Ask <@${ben.id}>`)
    await ann.put(`/api/channels/${channel_id}/pins/${questionId}`)
    await owner.button('Pinned messages').first().click()
    const pinned = owner.page.getByRole('dialog', { name: 'Pinned messages' }).locator('.mention')
    await owner.sees(pinned)
    const isLeftToBrowser = (element: HTMLElement | SVGElement) =>
      element.dispatchEvent(new MouseEvent('contextmenu', { button: 2, bubbles: true, cancelable: true }))
    expect(await pinned.evaluate(isLeftToBrowser)).toBe(true)
    expect(await menuOf(owner).count()).toBe(0)
    await owner.page.keyboard.press('Escape')

    // A member with fewer permissions gets fewer entries.
    const row = member.page.locator('.members button.online', { hasText: ann.display_name })
    expect(await rightClick(member, row)).toEqual([
      'Profile',
      'Send a message',
      'Accept friend request',
      'Report profile',
      'Block',
    ])
    await member.page.keyboard.press('Escape')
    const home = member.page.locator('.server-list').getByRole('link', { name: 'Birdwatchers' }).first()
    expect(await rightClick(member, home)).toContain('Leave server')
    for (const visitor of [owner, member]) await visitor.leave()
  },
)

browserTest(browser, 'a long press opens the menu, and lifting the finger is no click', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  for (const text of ['An osprey', 'A bittern']) await say(ben, channel_id, text)
  const visitor = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const name = visitor.message('osprey').getByRole('button', { name: ben.display_name })
  await visitor.sees(name)
  const box = await name.boundingBox()
  const finger = await visitor.page.context().newCDPSession(visitor.page)
  const touchPoints = [{ x: (box?.x ?? 0) + 10, y: (box?.y ?? 0) + 8 }]
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
  await visitor.sees(menuOf(visitor))
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await shootThemes(visitor, 'menu-phone')
  await visitor.page.getByRole('menuitem', { name: 'Profile', exact: true }).click()
  await visitor.sees(visitor.page.getByRole('dialog', { name: ben.display_name }))
  expect(await visitor.page.getByRole('dialog').count()).toBe(1)
  // A tap shows no buttons; the sheet of a long press begins with reactions.
  await visitor.page.keyboard.press('Escape')
  await visitor.misses(visitor.page.getByRole('dialog'))
  const row = visitor.message('bittern')
  const { width = 0 } = (await row.boundingBox()) ?? {}
  await row.tap({ position: { x: width - 100, y: 8 } })
  await row.dispatchEvent('contextmenu')
  const first = menuOf(visitor).getByRole('menuitem').first()
  await visitor.sees(first)
  await shootThemes(visitor, 'sheet-phone')
  expect(await visitor.page.locator('.message .actions').count()).toBe(0)
  await first.tap()
  await visitor.sees(row.locator('.reactions button[aria-pressed=true]'))
  expect(await visitor.page.locator('.message .actions').count()).toBe(0)
  await visitor.leave()
})
