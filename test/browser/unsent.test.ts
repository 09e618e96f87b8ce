import { expect } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PASSWORD, type Person, person, newServer, say, standard } from '../support/harness.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

const pathOf = ({ server_id, channel_id }: { server_id: number; channel_id: number }) =>
  `/app/servers/${server_id}/channels/${channel_id}`

/** The contents of a channel's messages, the oldest first. */
const contentsIn = async (who: Person, channel_id: number): Promise<string[]> =>
  (await who.get(`/api/channels/${channel_id}/messages`)).body.map(({ content }: any) => content).toReversed()

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

/** Refuses the page's requests to a path, until the returned function is called. */
async function cut({ page }: Visitor, path: string, method: string, most = Number.POSITIVE_INFINITY) {
  let cuts = 0
  await page.context().route(path, (route) => {
    if (route.request().method() !== method || cuts >= most) return route.continue()
    cuts++
    return route.abort()
  })
  return () => page.context().unroute(path)
}

browserTest(browser, 'a failed upload is tried again by itself and by a button, and is sent then', async (chromium) => {
  const alice = await person(parley, 'alice')
  const place = await newServer(alice)
  const visitor = await Visitor.as(chromium, alice, pathOf(place))
  await visitor.sees(visitor.page.locator('.beginning'))
  await cut(visitor, '**/api/files/upload-url', 'POST', 1)
  await hand(visitor, 'drop', '', 'one.txt')
  await visitor.say('by itself')
  await visitor.sees('The upload was interrupted. Trying again…')
  await visitor.sees(visitor.message('by itself').getByText('one.txt'))
  const mend = await cut(visitor, '**/api/files', 'POST')
  await hand(visitor, 'drop', '', 'two.txt')
  await visitor.say('by the button')
  await visitor.sees('The upload was interrupted. Trying again…')
  // The page asks before it discards text that is only on this device.
  const dialog = visitor.page.waitForEvent('dialog')
  await visitor.page.close({ runBeforeUnload: true })
  await (await dialog).dismiss()
  await mend()
  await tray(visitor).getByRole('button', { name: 'Try again' }).click()
  await visitor.sees(visitor.message('by the button').getByText('two.txt'))
  await visitor.leave()
})

browserTest(
  browser,
  'a paste is text if it contains text, and a file if its text is only the file name',
  async (chromium) => {
    const alice = await person(parley, 'alice')
    const visitor = await Visitor.as(chromium, alice, pathOf(await newServer(alice)))
    await visitor.sees(visitor.page.locator('.beginning'))
    // Excel and Word add a picture of the copied text.
    expect(await hand(visitor, 'paste', 'a\tb\n1\t2', 'image.png')).toBe(false)
    expect(await tray(visitor).count()).toBe(0)
    // A file manager adds the path of a file.
    expect(await hand(visitor, 'paste', '/home/alice/kestrel.png', 'kestrel.png')).toBe(true)
    expect(await hand(visitor, 'paste', '', 'picture.png')).toBe(true)
    await visitor.until(async () => (await tray(visitor).count()) === 2)
    await visitor.leave()
  },
)

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

browserTest(browser, 'a session that ended elsewhere keeps unsent messages, only for its account', async (chromium) => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const place = await newServer(alice, bob)
  const visitor = await Visitor.as(chromium, alice, pathOf(place))
  await visitor.sees(visitor.page.locator('.beginning'))
  const mend = await cut(visitor, '**/api/channels/*/messages', 'POST')
  await visitor.say('on its way')
  await visitor.sees(visitor.page.locator('.message.pending'))
  await visitor.composer().fill('half a thought')
  const again = await alice.post('/api/auth/login', { username: alice.username, password: PASSWORD })
  expect((await alice.post('/api/auth/logout-all')).status).toBe(200)
  expect(again.status).toBe(200)
  const logIn = async ({ username }: Person) => {
    await visitor.field('Username or e-mail').fill(username)
    await visitor.field('Password').fill(PASSWORD)
    await visitor.button('Log in').click()
  }
  await visitor.sees(/Your session was ended from another device/)
  await mend()
  await logIn(bob)
  await visitor.sees(visitor.page.locator('.beginning'))
  expect(await visitor.composer().inputValue()).toBe('')
  expect(await visitor.page.locator('.message.pending').count()).toBe(0)
  await visitor.page.context().clearCookies()
  await visitor.page.goto(`${parley.url}/login`)
  await logIn(alice)
  await visitor.sees(visitor.page.locator('.shell'))
  await visitor.page.goto(parley.url + pathOf(place))
  await visitor.sees(visitor.message('on its way'))
  await visitor.misses(visitor.page.locator('.message.pending'))
  expect(await visitor.composer().inputValue()).toBe('half a thought')
  const { body } = await bob.get(`/api/channels/${place.channel_id}/messages`)
  expect(body.map(({ content, author }: any) => [content, author.id])).toEqual([['on its way', alice.id]])
  // Logging out here deletes it.
  await visitor.page.evaluate(() => fetch('/api/auth/logout', { method: 'POST' }))
  await visitor.leave()
})

browserTest(browser, 'a send in one tab leaves the draft of another tab in that place', async (chromium) => {
  const alice = await person(parley, 'alice')
  const place = await newServer(alice)
  const first = await Visitor.as(chromium, alice, pathOf(place))
  const second = await first.tab(pathOf(place))
  for (const tab of [first, second]) await tab.sees(tab.page.locator('.beginning'))
  await first.composer().fill('from the first')
  await second.composer().fill('from the second')
  await hand(second, 'drop', '', 'second.txt')
  await second.sees(tray(second).getByText('second.txt'))
  await second.misses(second.page.locator('.tray progress'))
  await first.composer().press('Enter')
  await second.sees(second.message('from the first'))
  expect(await tray(first).count()).toBe(0)
  for (const reload of [false, true]) {
    if (reload) await second.page.reload()
    await second.sees(second.message('from the first'))
    expect(await second.composer().inputValue()).toBe('from the second')
    await second.sees(tray(second).getByText('second.txt'))
  }
  await second.composer().press('Enter')
  await first.sees(first.message('from the second').getByText('second.txt'))
  await second.page.reload()
  await second.sees(second.message('from the second'))
  expect(await second.composer().inputValue()).toBe('')
  await first.leave()
})

browserTest(
  browser,
  'a reply whose original is deleted is sent without it, before or after a refusal',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const place = await newServer(alice, bob)
    const visitor = await Visitor.as(chromium, alice, pathOf(place))
    const originals = [await say(bob, place.channel_id, 'original 1'), await say(bob, place.channel_id, 'original 2')]
    const reply = async (text: string) => {
      await visitor.message(text).hover()
      await visitor.button('Reply').click()
      await visitor.sees(visitor.page.locator('.replying'))
    }
    await visitor.sees(visitor.message('original 1'))
    await reply('original 1')
    await visitor.composer().fill('to the first')
    await bob.delete(`/api/messages/${originals[0]?.id}`)
    await visitor.sees(visitor.page.locator('.replying', { hasText: 'The original message was deleted' }))
    await visitor.composer().press('Enter')
    await visitor.until(async () => (await contentsIn(alice, place.channel_id)).at(-1) === 'to the first')

    // The page gets the deletion after it has accepted the message.
    await reply('original 2')
    const mend = await cut(visitor, '**/api/channels/*/messages', 'POST')
    await visitor.say('to the second')
    await visitor.sees(visitor.page.locator('.message.pending'))
    await bob.delete(`/api/messages/${originals[1]?.id}`)
    await mend()
    await visitor.button('Send without the reply').click()
    await visitor.until(async () => (await contentsIn(alice, place.channel_id)).at(-1) === 'to the second')
    await visitor.misses(visitor.page.locator('.message.pending'))
    await visitor.leave()
  },
)

browserTest(browser, 'the text of an edit comes back when its message is deleted', async (chromium) => {
  const alice = await person(parley, 'alice')
  const place = await newServer(alice)
  const { id } = await say(alice, place.channel_id, 'mine')
  const visitor = await Visitor.as(chromium, alice, pathOf(place))
  await visitor.sees(visitor.message('mine'))
  await visitor.composer().press('ArrowUp')
  await visitor.page.locator('.editor textarea').fill('much better')
  await alice.delete(`/api/messages/${id}`)
  await visitor.sees('The message was deleted. Your text is in the field below.')
  expect(await visitor.composer().inputValue()).toBe('much better')
  await visitor.composer().press('Enter')
  await visitor.sees(visitor.message('much better'))
  await visitor.leave()
})

browserTest(browser, 'a text too long for a message is kept, and can be sent as a file', async (chromium) => {
  const alice = await person(parley, 'alice')
  const place = await newServer(alice)
  await alice.post(`/api/servers/${place.server_id}/channels`, { name: 'other', type: 'text' })
  const visitor = await Visitor.as(chromium, alice, pathOf(place))
  await visitor.sees(visitor.page.locator('.beginning'))
  const text = 'kestrel '.repeat(16_000)
  await visitor.composer().fill(text)
  await visitor.composer().press('Enter')
  await visitor.sees(/Your message is longer than 4,000 characters/)
  await visitor.link('other').click()
  await visitor.sees(visitor.page.getByRole('heading', { name: 'other', level: 1 }))
  await visitor.link(/^general/).click()
  await visitor.until(async () => (await visitor.composer().inputValue()) === text)
  await visitor.button('Send as a file').click()
  await visitor.sees(visitor.page.locator('.message').getByText('message.txt'))
  expect(await visitor.composer().inputValue()).toBe('')
  const [{ files }] = (await alice.get(`/api/channels/${place.channel_id}/messages`)).body
  expect(files).toMatchObject([{ filename: 'message.txt', size: text.length }])
  await visitor.leave()
})

browserTest(browser, 'a failed first page says so, and is fetched by a button or by itself', async (chromium) => {
  const alice = await person(parley, 'alice')
  const place = await newServer(alice)
  await say(alice, place.channel_id, 'a heron')
  const visitor = await Visitor.as(chromium, alice, '/app')
  const history = `**/api/channels/${place.channel_id}/messages?*`
  for (const isAsked of [true, false]) {
    const mend = await cut(visitor, history, 'GET')
    await visitor.page.goto(parley.url + pathOf(place))
    await visitor.sees('These messages could not be loaded.')
    await mend()
    if (isAsked) await visitor.page.locator('.messages').getByRole('button', { name: 'Try again' }).click()
    await visitor.sees(visitor.message('a heron'))
  }
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
