import { expect, test } from 'bun:test'
import { fit } from '../../src/web/ui/shell/fuzzy.ts'
import { person, newServer, say, standard } from '../support/harness.ts'
import { befriend, write } from '../support/people.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(
  browser,
  'a draft stays with its place and its account, with the message that it replies to',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const other = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })).body
    const question = await say(bob, channel_id, 'Who comes on Sunday?')
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    const visitor = await Visitor.as(chromium, alice, path)
    const replying = visitor.page.locator('.replying')
    await visitor.message('Who comes').hover()
    await visitor.button('Reply').click()
    await visitor.composer().fill('I do, with')
    await visitor.link('other').click()
    await visitor.sees(visitor.page.getByRole('heading', { name: 'other', level: 1 }))
    expect(await replying.count()).toBe(0)
    expect(await visitor.composer().inputValue()).toBe('')
    const row = visitor.page.locator('.sidebar .row', { hasText: 'general' })
    await visitor.sees(row.getByRole('img', { name: 'Draft' }))
    await visitor.page.reload()
    await visitor.sees(row.getByRole('img', { name: 'Draft' }))
    await visitor.link(/^general, draft$/).click()
    await visitor.sees(replying)
    expect(await visitor.composer().inputValue()).toBe('I do, with')

    // Another account of the same browser finds neither the draft nor an unsent message.
    await visitor.page
      .context()
      .route('**/api/channels/*/messages', (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      )
    await visitor.composer().fill('I do, with tea')
    await visitor.page.goto(`${parley.url}/app/servers/${server_id}/channels/${other.id}`)
    await visitor.sees(visitor.page.getByRole('heading', { name: 'other', level: 1 }))
    await visitor.say('alone')
    await visitor.sees(visitor.page.locator('.message.pending', { hasText: 'alone' }))
    const as = (who: typeof alice) =>
      visitor.page.context().addCookies([{ name: 'session', value: who.token, url: parley.url, httpOnly: true }])
    await as(bob)
    await visitor.page.context().unrouteAll()
    // The page notices the other account when it next sends: it shows that account instead.
    await visitor.misses(visitor.message('alone'))
    await visitor.page.goto(`${parley.url}/app/servers/${server_id}/channels/${other.id}`)
    await visitor.sees(visitor.page.locator('.beginning'))
    expect(await visitor.page.locator('.message').count()).toBe(0)
    await visitor.link('general').click()
    await visitor.sees(visitor.message('Who comes'))
    expect(await visitor.composer().inputValue()).toBe('')
    expect(await replying.count()).toBe(0)
    expect((await bob.get(`/api/channels/${other.id}/messages`)).body).toEqual([])
    await as(alice)
    await visitor.page.goto(parley.url + path)
    await visitor.sees(replying)
    expect(await visitor.composer().inputValue()).toBe('I do, with tea')
    await visitor.composer().press('Enter')
    await visitor.sees(visitor.page.locator('.message:not(.pending) .quoted'))
    const [sent] = (await alice.get(`/api/channels/${channel_id}/messages`)).body
    expect(sent).toMatchObject({ content: 'I do, with tea', reply_to_id: question.id })
    await visitor.until(async () => (await alice.get(`/api/channels/${other.id}/messages`)).body.length === 1)
    await visitor.leave()
  },
)

browserTest(
  browser,
  'a page whose browser has logged in to another account loads anew for that account once it reconnects',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice)
    const visitor = await Visitor.as(chromium, alice)
    const connections: { close(): Promise<void> }[] = []
    await visitor.page.routeWebSocket(/\/ws\?/, (socket) => {
      socket.connectToServer()
      connections.push(socket)
    })
    await visitor.page.goto(`${parley.url}/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.sees(visitor.composer())
    await visitor.page.context().addCookies([{ name: 'session', value: bob.token, url: parley.url, httpOnly: true }])
    const loaded = visitor.page.waitForEvent('load')
    for (const connection of connections) await connection.close()
    await loaded
    await visitor.misses(visitor.composer())
    await visitor.sees(visitor.page.getByText(bob.display_name).first())
    expect(await visitor.page.getByText(alice.display_name).count()).toBe(0)
    await visitor.leave()
  },
)

browserTest(
  browser,
  'keys lead to any channel, person and server, through the unread ones, and to the table of keys',
  async (chromium) => {
    const [alice, bob, carol] = [
      await person(parley, 'alice'),
      await person(parley, 'bob'),
      await person(parley, 'carol'),
    ]
    await bob.put('/api/auth/display-name', { display_name: 'Bob Heron' })
    await carol.put('/api/auth/display-name', { display_name: 'Carol Winter' })
    const { server_id, channel_id } = await newServer(alice, bob)
    const ids: number[] = []
    for (const name of ['field-notes', 'trips', 'wardens'])
      ids.push((await alice.post(`/api/servers/${server_id}/channels`, { name, type: 'text' })).body.id)
    await befriend(alice, carol)
    await write(bob, alice, 'Are you coming?')
    await say(bob, ids[1] ?? 0, 'The bus leaves at six')
    const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
    const { keyboard } = visitor.page
    const isAt = (name: string) => visitor.sees(visitor.page.getByRole('heading', { name, level: 1 }))
    const options = visitor.page.locator('dialog.switcher').getByRole('option')
    const opens = async (query: string, first: string) => {
      await keyboard.press('Control+k')
      await visitor.until(() => visitor.page.evaluate(() => document.activeElement?.role === 'combobox'))
      await keyboard.type(query)
      await visitor.until(async () => ((await options.first().textContent()) ?? '').includes(first))
      await keyboard.press('Enter')
      await visitor.misses(visitor.page.locator('dialog'))
    }
    await isAt('general')
    await visitor.sees(visitor.composer())

    // Without a query, unread places come first, then recently visited ones.
    await keyboard.press('Control+k')
    await visitor.sees(options.first())
    const listed = await options.locator('bdi').allTextContents()
    expect(listed.slice(0, 2).toSorted()).toEqual(['Bob Heron', 'trips'])
    await keyboard.press('Escape')
    await visitor.misses(options.first())
    await opens('fn', 'field-notes')
    await isAt('field-notes')
    await opens('heron', 'Bob Heron')
    await isAt('Bob Heron')
    await visitor.misses(visitor.page.locator('.sidebar .row.unread', { hasText: 'Bob Heron' }))
    await opens('@caro', 'Carol Winter')
    await isAt('Carol Winter')
    // Opening a conversation changes the page, which closes dialogs.
    await visitor.page.waitForURL(/\/c\/\d+$/)
    await visitor.sees(visitor.composer())
    await opens('*', 'Birdwatchers')
    await isAt('field-notes')

    await keyboard.press('Alt+ArrowUp')
    await isAt('general')
    await keyboard.press('Alt+ArrowUp')
    await isAt('wardens')
    await keyboard.press('Alt+ArrowDown')
    await isAt('general')
    await keyboard.press('Alt+Shift+ArrowDown')
    await isAt('trips')
    await visitor.until(async () => (await visitor.page.locator('.sidebar .unread').count()) === 0)
    await keyboard.press('Alt+Shift+ArrowDown')
    await isAt('trips')

    // Every shortcut of the table is shown, and none works below a dialog.
    await keyboard.press('Control+/')
    const help = visitor.page.locator('dialog.shortcuts')
    for (const label of [
      'Find anything',
      'Search messages',
      'Unread channel below',
      'Edit your last message (when the field is empty)',
      'Mark unread from here',
    ])
      await visitor.sees(help.getByText(label, { exact: true }))
    await keyboard.press('Alt+ArrowUp')
    await keyboard.press('Control+k')
    expect(await visitor.page.locator('dialog').count()).toBe(1)
    await keyboard.press('Escape')
    await visitor.misses(help)
    await isAt('trips')

    // Arrow up edits the last message; Escape restores it.
    await visitor.say('see you ther')
    await visitor.sees(visitor.page.locator('.message:not(.pending)', { hasText: 'see you ther' }))
    await visitor.composer().press('ArrowUp')
    await visitor.until(async () => (await visitor.field('Edit message').inputValue()) === 'see you ther')
    await keyboard.press('Escape')
    await visitor.misses(visitor.page.locator('.editor'))
    await visitor.composer().press('ArrowUp')
    await keyboard.type('e')
    await keyboard.press('Enter')
    await visitor.sees(visitor.message('see you there'))
    await visitor.leave()
  },
)

test('a name matches by its parts: the beginnings of its words first, then any letters in their order', () => {
  const best = (query: string, ...names: string[]) =>
    names.toSorted((a, b) => (fit(query, b) ?? -1) - (fit(query, a) ?? -1))[0]
  expect(best('gen', 'oxygen', 'general')).toBe('general')
  expect(best('fn', 'often', 'field-notes', 'fin')).toBe('field-notes')
  expect(best('notes', 'field-notes', 'footnotes')).toBe('field-notes')
  expect(fit('xyz', 'general')).toBeUndefined()
  expect(fit('lareneg', 'general')).toBeUndefined()
})
