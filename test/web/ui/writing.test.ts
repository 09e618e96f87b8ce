import { expect, test } from 'bun:test'
import { person, newServer, say, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

test('mentions keep the chosen person, in messages, edits and quotes', async () => {
  const [alice, bob, other, carol] = await Promise.all(['alice', 'bob', 'bob2', 'carol'].map((n) => person(parley, n)))
  if (!alice || !bob || !other || !carol) throw new Error('no people')
  for (const [who, display_name] of [
    [bob, 'Bob'],
    [other, 'Bob'],
    [carol, 'Carol Winter'],
  ] as const)
    await who.put('/api/auth/display-name', { display_name })
  const { server_id, channel_id } = await newServer(alice, bob, other, carol)
  const page = await Page.as(alice, `/app/servers/${server_id}/channels/${channel_id}`)
  const { keyboard } = page
  const options = page.getByRole('option')
  const sent = async () => (await alice.get(`/api/channels/${channel_id}/messages`)).body[0]
  const sends = async (content: string) => {
    await keyboard.press('Enter')
    await page.until(async () => (await sent())?.content === content)
    // The server has a message before the page knows so, and arrow up edits none that is being sent.
    await page.misses(page.locator('.message.pending'))
  }
  await page.sees(page.composer())
  await page.until(async () => (await page.locator('.members li').count()) === 4)

  // Two people with one name differ by their ids in the list, and arrows choose one.
  await page.composer().pressSequentially('Hi @bob')
  await page.until(async () => (await options.count()) === 2)
  await page.sees(options.filter({ hasText: `#${bob.id}` }))
  await page.sees(options.filter({ hasText: `#${other.id}` }))
  expect(await page.composer().getAttribute('aria-activedescendant')).toBe(await options.nth(0).getAttribute('id'))
  await keyboard.press('ArrowDown')
  expect(await page.composer().getAttribute('aria-activedescendant')).toBe(await options.nth(1).getAttribute('id'))
  expect(await options.nth(1).getAttribute('aria-selected')).toBe('true')
  await keyboard.press('Enter')
  expect(await page.composer().inputValue()).toBe('Hi @Bob ')
  await keyboard.type('x@Bob.org and `@Bob` and @Bob')
  await page.sees(options.first())
  await keyboard.press('Escape')
  const later = Math.max(bob.id, other.id)
  await sends(`Hi <@${later}> x@Bob.org and \`@Bob\` and @Bob`)

  // Escape closes the list; then Enter sends. A lone @ chooses nobody.
  await keyboard.type('5 @')
  await page.sees(options.first())
  await sends('5 @')

  // A name with a space, in the middle of a text.
  await keyboard.type('tea for today')
  for (let n = 0; n < 6; n++) await keyboard.press('ArrowLeft')
  await keyboard.type(' @carol w')
  await page.sees(options.first())
  await keyboard.press('Tab')
  expect(await page.composer().inputValue()).toBe('tea for @Carol Winter today')
  await keyboard.type('and ')
  await sends(`tea for <@${carol.id}> and today`)

  // An edit shows names, and sends ids.
  await page.composer().press('ArrowUp')
  await page.until(async () => (await page.field('Edit message').inputValue()) === 'tea for @Carol Winter and today')
  await keyboard.type('!')
  await keyboard.press('Enter')
  await page.until(async () => (await sent()).content === `tea for <@${carol.id}> and today!`)

  // Quotes and announcements have names.
  const { id } = await say(bob, channel_id, `Ask <@${carol.id}>`)
  await page.sees(page.message('Ask'))
  await page.until(async () =>
    (await page.locator('.messages > [aria-live]').allTextContents()).includes('Bob: Ask @Carol Winter'),
  )
  await bob.post(`/api/channels/${channel_id}/messages`, { content: 'Did you?', reply_to_id: id })
  await page.sees(page.locator('.quoted', { hasText: 'Ask @Carol Winter' }))
  await page.leave()
})

test('a draft is kept or asked about, and the focus returns to it', async () => {
  const alice = await person(parley, 'alice')
  const { server_id, channel_id } = await newServer(alice)
  const other = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })).body
  await say(alice, channel_id, 'first')
  await say(alice, channel_id, 'second')
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const page = await Page.as(alice, path)
  const { keyboard } = page
  const focused = (selector: string) =>
    page.until(() => page.evaluate((one) => document.activeElement?.matches(one) === true, selector))
  await page.sees(page.message('second'))

  // A draft survives a reload.
  await page.composer().fill('half a thought')
  await page.reload()
  await page.sees(page.message('second'))
  expect(await page.composer().inputValue()).toBe('half a thought')
  await page.composer().fill('')

  // An edit from the composer returns there; one from a button returns to its message.
  await page.composer().press('ArrowUp')
  await keyboard.type(' half')
  await page.link('other').click()
  await page.sees(page.getByRole('heading', { name: 'other', level: 1 }))
  await page.link('general').click()
  await page.sees(page.field('Edit message'))
  expect(await page.field('Edit message').inputValue()).toBe('second half')
  await page.reload()
  await page.sees(page.field('Edit message'))
  expect(await page.field('Edit message').inputValue()).toBe('second half')
  await page.field('Edit message').press('Escape')
  await page.button('Cancel').click()
  await focused('.editor textarea')
  await keyboard.press('Escape')
  await page.button('Discard changes').click()
  await page.misses(page.locator('.editor'))
  await page.composer().focus()
  await keyboard.press('ArrowUp')
  await keyboard.type('!')
  await keyboard.press('Enter')
  await page.sees(page.message('second!'))
  await focused('.composer textarea')
  await page.message('first').hover()
  await page.button('Edit message').click()
  await keyboard.press('Escape')
  await focused('.message')
  await page.message('first').hover()
  await page.act('Delete message')
  await page.locator('dialog').getByRole('button', { name: 'Delete message' }).click()
  await page.misses(page.message('first'))
  await focused('.composer textarea')

  // Unsaved settings cause a question; closing returns to the button that opened them.
  await page.inServerMenu('Server settings')
  await page.field('Server name').fill('Owls')
  await page.button('Roles').click()
  await page.sees('Discard your changes?')
  await page.button('Cancel').click()
  expect(await page.field('Server name').inputValue()).toBe('Owls')
  await keyboard.press('Escape')
  await page.sees('Discard your changes?')
  await page.button('Cancel').click()
  await page.button(/^Save$/).click()
  await page.sees(page.locator('dialog .note.shown', { hasText: 'Saved' }))
  await focused('dialog .footer button.primary')
  await keyboard.press('Escape')
  await page.misses(page.locator('dialog'))
  await focused('.server-name')
  expect(other.name).toBe('other')
  await page.leave()
})

/** Drops files on an element of the page. */
const drop = (page: Page, selector: string, ...names: string[]) =>
  page.evaluate(
    ([selector = '', ...names]) => {
      const dataTransfer = new DataTransfer()
      for (const name of names) dataTransfer.items.add(new File(['a kestrel'], name))
      const options = { bubbles: true, cancelable: true, dataTransfer }
      document.querySelector(selector)?.dispatchEvent(new DragEvent('drop', options))
    },
    [selector, ...names],
  )

/** Blocks the page's uploads; the returned function resumes them. */
async function holdUploads(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/files', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

test('files are taken wherever they are dropped, and Enter waits for them', async () => {
  const alice = await person(parley, 'alice')
  const { server_id, channel_id } = await newServer(alice)
  const { id } = await say(alice, channel_id, 'a beginning')
  const thread = (await alice.post(`/api/channels/${channel_id}/threads`, { name: 'aside', message_id: id })).body
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const page = await Page.as(alice, path)
  await page.sees(page.message('a beginning'))
  const go = await holdUploads(page)
  await drop(page, '.sidebar', 'drop-0.txt')
  await page.sees(page.locator('.tray li'))
  await page.say('with a file')
  await page.sees('This message will be sent when its files are uploaded.')
  expect(await page.message('with a file').count()).toBe(0)
  go()
  await page.sees(page.message('with a file').getByText('drop-0.txt'))
  expect(await page.composer().inputValue()).toBe('')
  await drop(page, '.messages', ...Array.from({ length: 12 }, (_, n) => `drop-${n}.txt`))
  await page.sees('A message can have up to 10 files. 2 files were left out.')
  expect(await page.locator('.tray li').count()).toBe(10)

  // Next to a thread, each place takes its own drops.
  await page.goto(`${parley.url}/app/servers/${server_id}/channels/${thread.id}`)
  const panel = page.locator('.side-panel')
  await page.sees(panel.locator('.composer textarea'))
  await drop(page, '.side-panel .messages', 'for-the-thread.txt')
  await page.sees(panel.locator('.tray li', { hasText: 'for-the-thread.txt' }))
  expect(await page.locator('.tray li', { hasText: 'for-the-thread.txt' }).count()).toBe(1)
  await page.leave()
})

test('chosen files and a message that waits for them outlive the view of their place', async () => {
  const alice = await person(parley, 'alice')
  const { server_id, channel_id } = await newServer(alice)
  await alice.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })
  const page = await Page.as(alice, `/app/servers/${server_id}/channels/${channel_id}`)
  await page.sees(page.locator('.beginning'))
  const other = async () => {
    await page.link('other').click()
    await page.sees(page.getByRole('heading', { name: 'other', level: 1 }))
  }
  const go = await holdUploads(page)
  await drop(page, '.messages', 'late.txt')
  await page.sees(page.locator('.tray li'))
  await page.say('once it is there')
  await page.sees('This message will be sent when its files are uploaded.')
  await other()
  expect(await page.locator('.tray li').count()).toBe(0)
  go()
  await page.until(async () => (await alice.get(`/api/channels/${channel_id}/messages`)).body.length === 1)
  const [sent] = (await alice.get(`/api/channels/${channel_id}/messages`)).body
  expect(sent).toMatchObject({ content: 'once it is there', files: [{ filename: 'late.txt' }] })

  // Unsent files stay chosen, after a visit to another place and after a reload; the list of channels shows it.
  await page.link('general').click()
  await page.sees(page.message('once it is there'))
  expect(await page.composer().inputValue()).toBe('')
  expect(await page.locator('.tray li').count()).toBe(0)
  await drop(page, '.messages', 'kept.txt')
  await page.sees(page.locator('.tray li'))
  await page.misses(page.locator('.tray progress'))
  await other()
  await page.sees(page.link(/general.*draft/i))
  await page.reload()
  await page.link('general').click()
  await page.sees(page.locator('.tray li', { hasText: 'kept.txt' }))
  await page.composer().press('Enter')
  await page.sees(page.locator('.message').getByText('kept.txt'))
  expect(await page.locator('.tray li').count()).toBe(0)
  await page.reload()
  await page.sees(page.locator('.message').getByText('kept.txt'))
  expect(await page.locator('.tray li').count()).toBe(0)
  await page.leave()
})
