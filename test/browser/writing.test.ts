import { expect } from 'bun:test'
import { person, newServer, say, standard } from '../support/harness.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(browser, 'two tabs send every message once, and show each other’s waiting messages', async (chromium) => {
  const alice = await person(parley, 'alice')
  const { server_id, channel_id } = await newServer(alice)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const first = await Visitor.as(chromium, alice, path)
  const second = await first.tab(path)
  for (const tab of [first, second]) await tab.sees(tab.page.locator('.beginning'))
  // Requests fail, as without a network; sockets stay.
  await first.page
    .context()
    .route('**/api/channels/*/messages', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
  await first.say('from the first tab')
  await second.say('from the second tab')
  await first.say('again from the first tab')
  for (const tab of [first, second])
    await tab.until(async () => (await tab.page.locator('.message.pending').count()) === 3)
  await first.page.context().unrouteAll()
  for (const tab of [first, second]) {
    await tab.misses(tab.page.locator('.message.pending').first())
    // The other tab may report a send before the gateway delivers the message.
    await tab.until(async () => (await tab.page.locator('.message').count()) === 3)
  }
  const { body } = await alice.get(`/api/channels/${channel_id}/messages`)
  expect(body.map((message: { content: string }) => message.content).toReversed()).toEqual([
    'from the first tab',
    'from the second tab',
    'again from the first tab',
  ])
  await second.leave()
})

browserTest(browser, 'mentions keep the chosen person, in messages, edits and quotes', async (chromium) => {
  const [alice, bob, other, carol] = await Promise.all(['alice', 'bob', 'bob2', 'carol'].map((n) => person(parley, n)))
  if (!alice || !bob || !other || !carol) throw new Error('no people')
  for (const [who, display_name] of [
    [bob, 'Bob'],
    [other, 'Bob'],
    [carol, 'Carol Winter'],
  ] as const)
    await who.put('/api/auth/display-name', { display_name })
  const { server_id, channel_id } = await newServer(alice, bob, other, carol)
  const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
  const { keyboard } = visitor.page
  const options = visitor.page.getByRole('option')
  const sent = async () => (await alice.get(`/api/channels/${channel_id}/messages`)).body[0]
  const sends = async (content: string) => {
    await keyboard.press('Enter')
    await visitor.until(async () => (await sent())?.content === content)
  }
  await visitor.sees(visitor.composer())
  await visitor.until(async () => (await visitor.page.locator('.members li').count()) === 4)

  // Two people with one name differ by their ids in the list, and arrows choose one.
  await visitor.composer().pressSequentially('Hi @bob')
  await visitor.until(async () => (await options.count()) === 2)
  await visitor.sees(options.filter({ hasText: `#${bob.id}` }))
  await visitor.sees(options.filter({ hasText: `#${other.id}` }))
  expect(await visitor.composer().getAttribute('aria-activedescendant')).toBe(await options.nth(0).getAttribute('id'))
  await keyboard.press('ArrowDown')
  expect(await visitor.composer().getAttribute('aria-activedescendant')).toBe(await options.nth(1).getAttribute('id'))
  expect(await options.nth(1).getAttribute('aria-selected')).toBe('true')
  await keyboard.press('Enter')
  expect(await visitor.composer().inputValue()).toBe('Hi @Bob ')
  await keyboard.type('x@Bob.org and `@Bob` and @Bob')
  await keyboard.press('Escape')
  const later = Math.max(bob.id, other.id)
  await sends(`Hi <@${later}> x@Bob.org and \`@Bob\` and @Bob`)

  // Escape closes the list; then Enter sends. A lone @ chooses nobody.
  await keyboard.type('5 @')
  await visitor.sees(options.first())
  await sends('5 @')

  // A name with a space, in the middle of a text.
  await keyboard.type('tea for today')
  for (let n = 0; n < 6; n++) await keyboard.press('ArrowLeft')
  await keyboard.type(' @carol w')
  await keyboard.press('Tab')
  expect(await visitor.composer().inputValue()).toBe('tea for @Carol Winter today')
  await keyboard.type('and ')
  await sends(`tea for <@${carol.id}> and today`)

  // An edit shows names, and sends ids.
  await visitor.composer().press('ArrowUp')
  await visitor.until(
    async () => (await visitor.field('Edit message').inputValue()) === 'tea for @Carol Winter and today',
  )
  await keyboard.type('!')
  await keyboard.press('Enter')
  await visitor.until(async () => (await sent()).content === `tea for <@${carol.id}> and today!`)

  // Quotes and announcements have names.
  const { id } = await say(bob, channel_id, `Ask <@${carol.id}>`)
  await visitor.sees(visitor.message('Ask'))
  await visitor.until(async () =>
    (await visitor.page.locator('.messages > [aria-live]').allTextContents()).includes('Bob: Ask @Carol Winter'),
  )
  await bob.post(`/api/channels/${channel_id}/messages`, { content: 'Did you?', reply_to_id: id })
  await visitor.sees(visitor.page.locator('.quoted', { hasText: 'Ask @Carol Winter' }))
  await visitor.leave()
})

browserTest(browser, 'a draft is kept or asked about, and the focus returns to it', async (chromium) => {
  const alice = await person(parley, 'alice')
  const { server_id, channel_id } = await newServer(alice)
  const other = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })).body
  await say(alice, channel_id, 'first')
  await say(alice, channel_id, 'second')
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const visitor = await Visitor.as(chromium, alice, path)
  const { keyboard } = visitor.page
  const focused = (selector: string) =>
    visitor.until(() => visitor.page.evaluate((one) => document.activeElement?.matches(one) === true, selector))
  await visitor.sees(visitor.message('second'))

  // A draft survives a reload.
  await visitor.composer().fill('half a thought')
  await visitor.page.reload()
  await visitor.sees(visitor.message('second'))
  expect(await visitor.composer().inputValue()).toBe('half a thought')
  await visitor.composer().fill('')

  // An edit from the composer returns there; one from a button returns to its message.
  await visitor.composer().press('ArrowUp')
  await keyboard.type(' half')
  await visitor.link('other').click()
  await visitor.sees(visitor.page.getByRole('heading', { name: 'other', level: 1 }))
  await visitor.link('general').click()
  await visitor.sees(visitor.field('Edit message'))
  expect(await visitor.field('Edit message').inputValue()).toBe('second half')
  await visitor.page.reload()
  await visitor.sees(visitor.field('Edit message'))
  expect(await visitor.field('Edit message').inputValue()).toBe('second half')
  await visitor.field('Edit message').press('Escape')
  await visitor.button('Cancel').click()
  await focused('.editor textarea')
  await keyboard.press('Escape')
  await visitor.button('Discard changes').click()
  await visitor.misses(visitor.page.locator('.editor'))
  await visitor.composer().focus()
  await keyboard.press('ArrowUp')
  await keyboard.type('!')
  await keyboard.press('Enter')
  await visitor.sees(visitor.message('second!'))
  await focused('.composer textarea')
  await visitor.message('first').hover()
  await visitor.button('Edit message').click()
  await keyboard.press('Escape')
  await focused('.message')
  await visitor.message('first').hover()
  await visitor.act('Delete message')
  await visitor.page.locator('dialog').getByRole('button', { name: 'Delete message' }).click()
  await visitor.misses(visitor.message('first'))
  await focused('.composer textarea')

  // Unsaved settings cause a question; closing returns to the button that opened them.
  await visitor.inServerMenu('Server settings')
  await visitor.field('Server name').fill('Owls')
  await visitor.button('Roles').click()
  await visitor.sees('Discard your changes?')
  await visitor.button('Cancel').click()
  expect(await visitor.field('Server name').inputValue()).toBe('Owls')
  await keyboard.press('Escape')
  await visitor.sees('Discard your changes?')
  await visitor.button('Cancel').click()
  await visitor.button(/^Save$/).click()
  await visitor.sees(visitor.page.locator('dialog .note.shown', { hasText: 'Saved' }))
  await focused('dialog .footer button.primary')
  await keyboard.press('Escape')
  await visitor.misses(visitor.page.locator('dialog'))
  await focused('.server-name')
  expect(other.name).toBe('other')
  await visitor.leave()
})

/** Drops files on an element of the page. */
const drop = (visitor: Visitor, selector: string, ...names: string[]) =>
  visitor.page.evaluate(
    ([selector = '', ...names]) => {
      const dataTransfer = new DataTransfer()
      for (const name of names) dataTransfer.items.add(new File(['a kestrel'], name))
      const options = { bubbles: true, cancelable: true, dataTransfer }
      document.querySelector(selector)?.dispatchEvent(new DragEvent('drop', options))
    },
    [selector, ...names],
  )

/** Blocks the visitor's uploads; the returned function resumes them. */
async function holdUploads(visitor: Visitor): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await visitor.page.route('**/api/files', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

browserTest(browser, 'files are taken wherever they are dropped, and Enter waits for them', async (chromium) => {
  const alice = await person(parley, 'alice')
  const { server_id, channel_id } = await newServer(alice)
  const { id } = await say(alice, channel_id, 'a beginning')
  const thread = (await alice.post(`/api/channels/${channel_id}/threads`, { name: 'aside', message_id: id })).body
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const visitor = await Visitor.as(chromium, alice, path)
  await visitor.sees(visitor.message('a beginning'))
  const go = await holdUploads(visitor)
  await drop(visitor, '.sidebar', 'drop-0.txt')
  await visitor.sees(visitor.page.locator('.tray li'))
  await visitor.say('with a file')
  await visitor.sees('This message will be sent when its files are uploaded.')
  expect(await visitor.message('with a file').count()).toBe(0)
  go()
  await visitor.sees(visitor.message('with a file').getByText('drop-0.txt'))
  expect(await visitor.composer().inputValue()).toBe('')
  await drop(visitor, '.messages', ...Array.from({ length: 12 }, (_, n) => `drop-${n}.txt`))
  await visitor.sees('A message can have up to 10 files. 2 files were left out.')
  expect(await visitor.page.locator('.tray li').count()).toBe(10)

  // Next to a thread, each place takes its own drops.
  await visitor.page.goto(`${parley.url}/app/servers/${server_id}/channels/${thread.id}`)
  const panel = visitor.page.locator('.side-panel')
  await visitor.sees(panel.locator('.composer textarea'))
  await drop(visitor, '.side-panel .messages', 'for-the-thread.txt')
  await visitor.sees(panel.locator('.tray li', { hasText: 'for-the-thread.txt' }))
  expect(await visitor.page.locator('.tray li', { hasText: 'for-the-thread.txt' }).count()).toBe(1)
  await visitor.leave()
})

browserTest(
  browser,
  'chosen files and a message that waits for them outlive the view of their place',
  async (chromium) => {
    const alice = await person(parley, 'alice')
    const { server_id, channel_id } = await newServer(alice)
    await alice.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })
    const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.sees(visitor.page.locator('.beginning'))
    const other = async () => {
      await visitor.link('other').click()
      await visitor.sees(visitor.page.getByRole('heading', { name: 'other', level: 1 }))
    }
    const go = await holdUploads(visitor)
    await drop(visitor, '.messages', 'late.txt')
    await visitor.sees(visitor.page.locator('.tray li'))
    await visitor.say('once it is there')
    await visitor.sees('This message will be sent when its files are uploaded.')
    await other()
    expect(await visitor.page.locator('.tray li').count()).toBe(0)
    go()
    await visitor.until(async () => (await alice.get(`/api/channels/${channel_id}/messages`)).body.length === 1)
    const [sent] = (await alice.get(`/api/channels/${channel_id}/messages`)).body
    expect(sent).toMatchObject({ content: 'once it is there', files: [{ filename: 'late.txt' }] })

    // Unsent files stay chosen, after a visit to another place and after a reload; the list of channels shows it.
    await visitor.link('general').click()
    await visitor.sees(visitor.message('once it is there'))
    expect(await visitor.composer().inputValue()).toBe('')
    expect(await visitor.page.locator('.tray li').count()).toBe(0)
    await drop(visitor, '.messages', 'kept.txt')
    await visitor.sees(visitor.page.locator('.tray li'))
    await visitor.misses(visitor.page.locator('.tray progress'))
    await other()
    await visitor.sees(visitor.link(/general.*draft/i))
    await visitor.page.reload()
    await visitor.link('general').click()
    await visitor.sees(visitor.page.locator('.tray li', { hasText: 'kept.txt' }))
    await visitor.composer().press('Enter')
    await visitor.sees(visitor.page.locator('.message').getByText('kept.txt'))
    expect(await visitor.page.locator('.tray li').count()).toBe(0)
    await visitor.page.reload()
    await visitor.sees(visitor.page.locator('.message').getByText('kept.txt'))
    expect(await visitor.page.locator('.tray li').count()).toBe(0)
    await visitor.leave()
  },
)
