import { expect, test } from 'bun:test'
import { fit } from '../../../src/web/ui/shell/fuzzy.ts'
import { person, newServer, say, standard } from '../../support/harness.ts'
import { befriend, write } from '../../support/people.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

test('a draft stays with its place and its account, with the message that it replies to', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const other = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })).body
  const question = await say(bob, channel_id, 'Who comes on Sunday?')
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const page = await Page.as(alice, path)
  const replying = page.locator('.replying')
  await page.message('Who comes').hover()
  await page.button('Reply').click()
  await page.composer().fill('I do, with')
  await page.link('other').click()
  await page.sees(page.getByRole('heading', { name: 'other', level: 1 }))
  expect(await replying.count()).toBe(0)
  expect(await page.composer().inputValue()).toBe('')
  const row = page.locator('.sidebar .row', { hasText: 'general' })
  await page.sees(row.getByRole('img', { name: 'Draft' }))
  await page.reload()
  await page.sees(row.getByRole('img', { name: 'Draft' }))
  await page.link(/^general, draft$/).click()
  await page.sees(replying)
  expect(await page.composer().inputValue()).toBe('I do, with')

  // Another account of the same browser finds neither the draft nor an unsent message.
  page.route('**/api/channels/*/messages', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await page.composer().fill('I do, with tea')
  await page.goto(`${parley.url}/app/servers/${server_id}/channels/${other.id}`)
  await page.sees(page.getByRole('heading', { name: 'other', level: 1 }))
  await page.say('alone')
  await page.sees(page.locator('.message.pending', { hasText: 'alone' }))
  const as = (who: typeof alice) => page.cookies.set('session', who.token)
  as(bob)
  page.unroute()
  // The page notices the other account when it next sends: it shows that account instead.
  await page.misses(page.message('alone'))
  await page.goto(`${parley.url}/app/servers/${server_id}/channels/${other.id}`)
  await page.sees(page.locator('.beginning'))
  expect(await page.locator('.message').count()).toBe(0)
  await page.link('general').click()
  await page.sees(page.message('Who comes'))
  expect(await page.composer().inputValue()).toBe('')
  expect(await replying.count()).toBe(0)
  expect((await bob.get(`/api/channels/${other.id}/messages`)).body).toEqual([])
  as(alice)
  await page.goto(parley.url + path)
  await page.sees(replying)
  expect(await page.composer().inputValue()).toBe('I do, with tea')
  await page.composer().press('Enter')
  await page.sees(page.locator('.message:not(.pending) .quoted'))
  const [sent] = (await alice.get(`/api/channels/${channel_id}/messages`)).body
  expect(sent).toMatchObject({ content: 'I do, with tea', reply_to_id: question.id })
  await page.until(async () => (await alice.get(`/api/channels/${other.id}/messages`)).body.length === 1)
  await page.leave()
})

test('keys lead to any channel, person and server, through the unread ones, and to the table of keys', async () => {
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
  const page = await Page.as(alice, `/app/servers/${server_id}/channels/${channel_id}`)
  const { keyboard } = page
  const isAt = (name: string) => page.sees(page.getByRole('heading', { name, level: 1 }))
  const options = page.locator('dialog.switcher').getByRole('option')
  const opens = async (query: string, first: string) => {
    await keyboard.press('Control+k')
    await page.until(() => page.evaluate(() => document.activeElement?.role === 'combobox'))
    await keyboard.type(query)
    await page.until(async () => ((await options.first().textContent()) ?? '').includes(first))
    await keyboard.press('Enter')
    await page.misses(page.locator('dialog'))
  }
  await isAt('general')
  await page.sees(page.composer())

  // Without a query, unread places come first, then recently visited ones.
  await keyboard.press('Control+k')
  await page.until(async () => {
    const names = await options.locator('bdi').allTextContents()
    return names.slice(0, 2).toSorted().join() === 'Bob Heron,trips'
  })
  await keyboard.press('Escape')
  await page.misses(options.first())
  await opens('fn', 'field-notes')
  await isAt('field-notes')
  await opens('heron', 'Bob Heron')
  await isAt('Bob Heron')
  await page.sees(page.message('Are you coming?'))
  await page.misses(page.locator('.sidebar .row.unread', { hasText: 'Bob Heron' }))
  await opens('@caro', 'Carol Winter')
  await isAt('Carol Winter')
  // Opening a conversation changes the page, which closes dialogs.
  await page.waitForUrl(/\/c\/\d+$/)
  await page.sees(page.composer())
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
  await page.until(async () => (await page.locator('.sidebar .unread').count()) === 0)
  await keyboard.press('Alt+Shift+ArrowDown')
  await isAt('trips')

  // Every shortcut of the table is shown, and none works below a dialog.
  await keyboard.press('Control+/')
  const help = page.locator('dialog.shortcuts')
  for (const label of [
    'Find anything',
    'Search messages',
    'Unread channel below',
    'Edit your last message (when the field is empty)',
    'Mark unread from here',
  ])
    await page.sees(help.getByText(label, { exact: true }))
  await keyboard.press('Alt+ArrowUp')
  await keyboard.press('Control+k')
  expect(await page.locator('dialog').count()).toBe(1)
  await keyboard.press('Escape')
  await page.misses(help)
  await isAt('trips')

  // Arrow up edits the last message; Escape restores it.
  await page.say('see you ther')
  await page.sees(page.locator('.message:not(.pending)', { hasText: 'see you ther' }))
  await page.composer().press('ArrowUp')
  await page.until(async () => (await page.field('Edit message').inputValue()) === 'see you ther')
  await keyboard.press('Escape')
  await page.misses(page.locator('.editor'))
  await page.composer().press('ArrowUp')
  await keyboard.type('e')
  await keyboard.press('Enter')
  await page.sees(page.message('see you there'))
  await page.leave()
})

test('a name matches by its parts: the beginnings of its words first, then any letters in their order', () => {
  const best = (query: string, ...names: string[]) =>
    names.toSorted((a, b) => (fit(query, b) ?? -1) - (fit(query, a) ?? -1))[0]
  expect(best('gen', 'oxygen', 'general')).toBe('general')
  expect(best('fn', 'often', 'field-notes', 'fin')).toBe('field-notes')
  expect(best('notes', 'field-notes', 'footnotes')).toBe('field-notes')
  expect(fit('xyz', 'general')).toBeUndefined()
  expect(fit('lareneg', 'general')).toBeUndefined()
})
