import { expect } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { person, newServer, standard } from '../support/harness.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

const pathOf = ({ server_id, channel_id }: { server_id: number; channel_id: number }) =>
  `/app/servers/${server_id}/channels/${channel_id}`

/** Drops or pastes on the composer: an optional text, and files by their names. */
const hand = (visitor: Visitor, type: 'drop' | 'paste', text: string, ...names: string[]) =>
  visitor.page.evaluate(
    ([kind = '', words = '', ...all]) => {
      const data = new DataTransfer()
      if (words) data.setData('text/plain', words)
      for (const name of all) data.items.add(new File(['a kestrel'], name, { type: 'image/png' }))
      const options = { bubbles: true, cancelable: true }
      const event =
        kind === 'drop'
          ? new DragEvent('drop', { ...options, dataTransfer: data })
          : new ClipboardEvent('paste', { ...options, clipboardData: data })
      document.querySelector('.composer textarea')?.dispatchEvent(event)
      return event.defaultPrevented
    },
    [type, text, ...names],
  )

const tray = ({ page }: Visitor) => page.locator('.tray li')

browserTest(browser, 'the files of a dropped folder are taken, and an empty one is named', async (chromium) => {
  const alice = await person(parley, 'alice')
  const visitor = await Visitor.as(chromium, alice, pathOf(await newServer(alice)))
  await visitor.sees(visitor.page.locator('.beginning'))
  const parent = mkdtempSync(join(tmpdir(), 'dropped-'))
  const [full, empty] = [mkdtempSync(join(parent, 'full-')), mkdtempSync(join(parent, 'empty-'))]
  const inner = mkdtempSync(join(full, 'inner-'))
  for (const path of [join(full, 'one.txt'), join(inner, 'two.txt')]) writeFileSync(path, 'a kestrel')
  const session = await visitor.page.context().newCDPSession(visitor.page)
  const dropFiles = async (...files: string[]) => {
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await session.send('Input.dispatchDragEvent', {
        type,
        x: 600,
        y: 300,
        data: { items: [], files, dragOperationsMask: 1 },
      })
  }
  await dropFiles(full)
  await visitor.until(async () => (await tray(visitor).count()) === 2)
  expect((await tray(visitor).locator('bdi').allTextContents()).toSorted()).toEqual(['one.txt', 'two.txt'])
  await dropFiles(empty)
  await visitor.sees(/There are no files in empty-/)
  expect(await tray(visitor).count()).toBe(2)
  await visitor.misses(visitor.page.locator('.tray progress').first())
  await visitor.leave()
})

/** Runs before the page's scripts: a full storage, and a forbidden one. */
const STORAGES = [
  () => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  },
  () => {
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('forbidden', 'SecurityError')
        },
      })
  },
]

browserTest(browser, 'a storage that is full or forbidden stops no action', async (chromium) => {
  for (const storage of STORAGES) {
    const alice = await person(parley, 'alice')
    const place = await newServer(alice)
    await alice.post(`/api/servers/${place.server_id}/channels`, { name: 'nest', type: 'category' })
    await alice.post(`/api/servers/${place.server_id}/channels`, { name: 'other', type: 'text' })
    const visitor = await Visitor.as(chromium, alice, '/login')
    await visitor.page.addInitScript(storage)
    await visitor.page.goto(parley.url + pathOf(place))
    await visitor.sees(visitor.page.locator('.beginning'))
    await visitor.say('sent')
    await visitor.sees(visitor.message('sent'))
    await visitor.composer().fill('half')
    await visitor.link('other').click()
    await visitor.sees(visitor.page.getByRole('heading', { name: 'other', level: 1 }))
    await visitor.link(/^general/).click()
    await visitor.until(async () => (await visitor.composer().inputValue()) === 'half')
    await hand(visitor, 'drop', '', 'one.txt')
    await visitor.sees(tray(visitor))
    await visitor.composer().press('Enter')
    await visitor.sees(visitor.message('half').getByText('one.txt'))
    await visitor.composer().press('ArrowUp')
    await visitor.page.locator('.editor textarea').fill('whole')
    await visitor.page.locator('.editor textarea').press('Enter')
    await visitor.sees(visitor.message('whole'))
    await visitor.button(/^nest/).click()
    await visitor.sees(visitor.page.locator('[aria-expanded=false]', { hasText: 'nest' }))
    await visitor.leave()
  }
})

browserTest(browser, 'a recording stays in its place when the person leaves it', async (chromium) => {
  const alice = await person(parley, 'alice')
  const place = await newServer(alice)
  await alice.post(`/api/servers/${place.server_id}/channels`, { name: 'other', type: 'text' })
  const visitor = await Visitor.as(chromium, alice, pathOf(place))
  await visitor.sees(visitor.page.locator('.beginning'))
  await visitor.button('Record a voice message').click()
  await visitor.until(async () => Number((await visitor.page.locator('.clock').textContent())?.slice(2)) >= 1)
  await visitor.link('other').click()
  await visitor.sees(visitor.page.getByRole('heading', { name: 'other', level: 1 }))
  await visitor.link(/^general/).click()
  await visitor.sees(tray(visitor).getByText('voice-message.webm'))
  await visitor.misses(visitor.page.locator('.tray progress'))
  await visitor.composer().press('Enter')
  await visitor.sees(visitor.page.getByRole('figure', { name: 'Voice message' }))
  await visitor.leave()
})
