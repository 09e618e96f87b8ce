import { expect, test } from 'bun:test'

import { PASSWORD, type Person, person, newServer, say, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

const pathOf = ({ server_id, channel_id }: { server_id: number; channel_id: number }) =>
  `/app/servers/${server_id}/channels/${channel_id}`

/** The contents of a channel's messages, the oldest first. */
const contentsIn = async (who: Person, channel_id: number): Promise<string[]> =>
  (await who.get(`/api/channels/${channel_id}/messages`)).body.map(({ content }: any) => content).toReversed()

/** Drops or pastes on the composer: an optional text, and files by their names. */
const hand = (page: Page, type: 'drop' | 'paste', text: string, ...names: string[]) =>
  page.evaluate(
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

const tray = (page: Page) => page.locator('.tray li')

/** Refuses the page's requests to a path, until the returned function is called. */
async function cut(page: Page, path: string, method: string, most = Number.POSITIVE_INFINITY) {
  let cuts = 0
  page.route(path, (route) => {
    if (route.request().method() !== method || cuts >= most) return route.continue()
    cuts++
    return route.abort()
  })
  return () => page.unroute()
}

test('a failed upload is tried again by itself and by a button, and is sent then', async () => {
  const alice = await person(parley, 'alice')
  const place = await newServer(alice)
  const page = await Page.as(alice, pathOf(place))
  await page.sees(page.locator('.beginning'))
  await cut(page, '**/api/files/upload-url', 'POST', 1)
  await hand(page, 'drop', '', 'one.txt')
  await page.say('by itself')
  await page.sees('The upload was interrupted. Trying again…')
  await page.sees(page.message('by itself').getByText('one.txt'))
  const mend = await cut(page, '**/api/files', 'POST')
  await hand(page, 'drop', '', 'two.txt')
  await page.say('by the button')
  await page.sees('The upload was interrupted. Trying again…')
  // The page asks before it discards text that is only on this device.
  expect(page.mayLeave()).toBe(false)
  mend()
  await tray(page).getByRole('button', { name: 'Try again' }).click()
  await page.sees(page.message('by the button').getByText('two.txt'))
  await page.leave()
})

test('a paste is text if it contains text, and a file if its text is only the file name', async () => {
  const alice = await person(parley, 'alice')
  const page = await Page.as(alice, pathOf(await newServer(alice)))
  await page.sees(page.locator('.beginning'))
  // Excel and Word add a picture of the copied text.
  expect(await hand(page, 'paste', 'a\tb\n1\t2', 'image.png')).toBe(false)
  expect(await tray(page).count()).toBe(0)
  // A file manager adds the path of a file.
  expect(await hand(page, 'paste', '/home/alice/kestrel.png', 'kestrel.png')).toBe(true)
  expect(await hand(page, 'paste', '', 'picture.png')).toBe(true)
  await page.until(async () => (await tray(page).count()) === 2)
  await page.leave()
})

test('a session that ended elsewhere keeps unsent messages, only for its account', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const place = await newServer(alice, bob)
  const page = await Page.as(alice, pathOf(place))
  await page.sees(page.locator('.beginning'))
  const mend = await cut(page, '**/api/channels/*/messages', 'POST')
  await page.say('on its way')
  await page.sees(page.locator('.message.pending'))
  await page.composer().fill('half a thought')
  const again = await alice.post('/api/auth/login', { username: alice.username, password: PASSWORD })
  expect((await alice.post('/api/auth/logout-all')).status).toBe(200)
  expect(again.status).toBe(200)
  const logIn = async ({ username }: Person) => {
    await page.field('Username or e-mail').fill(username)
    await page.field('Password').fill(PASSWORD)
    await page.button('Log in').click()
  }
  await page.sees(/Your session was ended from another device/)
  await mend()
  await logIn(bob)
  await page.sees(page.locator('.beginning'))
  expect(await page.composer().inputValue()).toBe('')
  expect(await page.locator('.message.pending').count()).toBe(0)
  page.cookies.clear()
  await page.goto(`${parley.url}/login`)
  await logIn(alice)
  await page.sees(page.locator('.shell'))
  await page.goto(parley.url + pathOf(place))
  await page.sees(page.message('on its way'))
  await page.misses(page.locator('.message.pending'))
  expect(await page.composer().inputValue()).toBe('half a thought')
  const { body } = await bob.get(`/api/channels/${place.channel_id}/messages`)
  expect(body.map(({ content, author }: any) => [content, author.id])).toEqual([['on its way', alice.id]])
  // Logging out here deletes it.
  await page.evaluate(() => fetch('/api/auth/logout', { method: 'POST' }))
  await page.leave()
})

test('a send in one tab leaves the draft of another tab in that place', async () => {
  const alice = await person(parley, 'alice')
  const place = await newServer(alice)
  const first = await Page.as(alice, pathOf(place))
  const second = await first.tab(pathOf(place))
  for (const tab of [first, second]) await tab.sees(tab.locator('.beginning'))
  await first.composer().fill('from the first')
  await second.composer().fill('from the second')
  await hand(second, 'drop', '', 'second.txt')
  await second.sees(tray(second).getByText('second.txt'))
  await second.misses(second.locator('.tray progress'))
  await first.composer().press('Enter')
  await second.sees(second.message('from the first'))
  expect(await tray(first).count()).toBe(0)
  for (const reload of [false, true]) {
    if (reload) await second.reload()
    await second.sees(second.message('from the first'))
    expect(await second.composer().inputValue()).toBe('from the second')
    await second.sees(tray(second).getByText('second.txt'))
  }
  await second.composer().press('Enter')
  await first.sees(first.message('from the second').getByText('second.txt'))
  await second.reload()
  await second.sees(second.message('from the second'))
  expect(await second.composer().inputValue()).toBe('')
  await first.leave()
})

test('a reply whose original is deleted is sent without it, before or after a refusal', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const place = await newServer(alice, bob)
  const page = await Page.as(alice, pathOf(place))
  const originals = [await say(bob, place.channel_id, 'original 1'), await say(bob, place.channel_id, 'original 2')]
  const reply = async (text: string) => {
    await page.message(text).hover()
    await page.button('Reply').click()
    await page.sees(page.locator('.replying'))
  }
  await page.sees(page.message('original 1'))
  await reply('original 1')
  await page.composer().fill('to the first')
  await bob.delete(`/api/messages/${originals[0]?.id}`)
  await page.sees(page.locator('.replying', { hasText: 'The original message was deleted' }))
  await page.composer().press('Enter')
  await page.until(async () => (await contentsIn(alice, place.channel_id)).at(-1) === 'to the first')

  // The page gets the deletion after it has accepted the message.
  await reply('original 2')
  const mend = await cut(page, '**/api/channels/*/messages', 'POST')
  await page.say('to the second')
  await page.sees(page.locator('.message.pending'))
  await bob.delete(`/api/messages/${originals[1]?.id}`)
  await mend()
  await page.button('Send without the reply').click()
  await page.until(async () => (await contentsIn(alice, place.channel_id)).at(-1) === 'to the second')
  await page.misses(page.locator('.message.pending'))
  await page.leave()
})

test('the text of an edit comes back when its message is deleted', async () => {
  const alice = await person(parley, 'alice')
  const place = await newServer(alice)
  const { id } = await say(alice, place.channel_id, 'mine')
  const page = await Page.as(alice, pathOf(place))
  await page.sees(page.message('mine'))
  await page.composer().press('ArrowUp')
  await page.locator('.editor textarea').fill('much better')
  await alice.delete(`/api/messages/${id}`)
  await page.sees('The message was deleted. Your text is in the field below.')
  expect(await page.composer().inputValue()).toBe('much better')
  await page.composer().press('Enter')
  await page.sees(page.message('much better'))
  await page.leave()
})

test('a text too long for a message is kept, and can be sent as a file', async () => {
  const alice = await person(parley, 'alice')
  const place = await newServer(alice)
  await alice.post(`/api/servers/${place.server_id}/channels`, { name: 'other', type: 'text' })
  const page = await Page.as(alice, pathOf(place))
  await page.sees(page.locator('.beginning'))
  const text = 'kestrel '.repeat(16_000)
  await page.composer().fill(text)
  await page.composer().press('Enter')
  await page.sees(/Your message is longer than 4,000 characters/)
  await page.link('other').click()
  await page.sees(page.getByRole('heading', { name: 'other', level: 1 }))
  await page.link(/^general/).click()
  await page.until(async () => (await page.composer().inputValue()) === text)
  await page.button('Send as a file').click()
  await page.sees(page.locator('.message').getByText('message.txt'))
  expect(await page.composer().inputValue()).toBe('')
  const [{ files }] = (await alice.get(`/api/channels/${place.channel_id}/messages`)).body
  expect(files).toMatchObject([{ filename: 'message.txt', size: text.length }])
  await page.leave()
})

test('a failed first page says so, and is fetched by a button or by itself', async () => {
  const alice = await person(parley, 'alice')
  const place = await newServer(alice)
  await say(alice, place.channel_id, 'a heron')
  const page = await Page.as(alice, '/app')
  const history = `**/api/channels/${place.channel_id}/messages?*`
  for (const isAsked of [true, false]) {
    const mend = await cut(page, history, 'GET')
    await page.goto(parley.url + pathOf(place))
    await page.sees('These messages could not be loaded.')
    await mend()
    if (isAsked) await page.locator('.messages').getByRole('button', { name: 'Try again' }).click()
    await page.sees(page.message('a heron'))
  }
  await page.leave()
})
