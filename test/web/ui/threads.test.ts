import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { person, newServer, say, standard } from '../../support/harness.ts'
import { rank } from '../../support/places.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

test('a thread is begun from the header, without a message, by keyboard', async () => {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  const visitor = await Page.as(ann, `/app/servers/${server_id}/channels/${channel_id}`)
  await visitor.getByRole('button', { name: /^Threads/ }).press('Enter')
  await visitor.sees('No threads yet')
  await visitor.locator('.empty-state').getByRole('button', { name: 'Start a thread' }).press('Enter')
  await visitor.field('Thread name').fill('Owls')
  await visitor.keyboard.press('Enter')
  await visitor.sees(visitor.getByRole('complementary', { name: 'Thread Owls' }))
  await visitor.sees('This is the beginning of the thread.')
  await visitor.leave()
})

test('the address of an unfollowed thread leads to it, though other events arrive before its answer', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const thread = (await ben.post(`/api/channels/${channel_id}/threads`, { name: 'Kingfishers' })).body
  await say(ben, thread.id, 'It sat on the third post.')
  const visitor = await Page.as(ann)
  await visitor.route(`**/api/channels/${thread.id}`, async (route) => {
    await ann.post(`/api/servers/${server_id}/channels`, { name: 'meanwhile', type: 'text' })
    await visitor.sees(visitor.link('meanwhile'))
    await route.continue()
  })
  await visitor.goto(`${parley.url}/app/servers/${server_id}/channels/${thread.id}`)
  await visitor.sees(visitor.message('third post'))
  await visitor.leave()
})

test('a thread is begun at a message, gets messages, is followed, archived and found again', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  await rank(parley, server_id, permissions('manage_threads'), ann)
  await say(ann, channel_id, 'A kingfisher at the lower weir!')
  for (const text of ['I saw it too.', 'Blue as anything.']) await say(ben, channel_id, text)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const [first, second] = [await Page.as(ann, path), await Page.as(ben, path)]
  await first.message('lower weir').hover()
  await first.button('Start a thread').click()
  expect(await first.field('Thread name').inputValue()).toBe('A kingfisher at the lower weir!')
  await first.field('Thread name').fill('Kingfishers')
  await first.locator('dialog').getByRole('button', { name: 'Start a thread' }).click()
  const panel = (visitor: Page) => visitor.getByRole('complementary', { name: 'Thread Kingfishers' })
  await first.sees(panel(first))
  const write = async (visitor: Page, text: string) => {
    const box = panel(visitor).locator('.composer textarea')
    await box.fill(text)
    await box.press('Enter')
    await visitor.sees(panel(visitor).locator('.message', { hasText: text }))
  }
  await write(first, 'It sat on the third post.')
  await second.sees('started the thread Kingfishers')
  const line = second.locator('.thread-line', { hasText: 'Kingfishers' })
  await second.sees(line.getByText('1 message'))
  await second.sees(second.button('Threads, with new messages'))

  await line.click()
  await second.sees(panel(second).locator('.message', { hasText: 'third post' }))
  await write(second, 'With a fish!')
  await first.sees(panel(first).locator('.message', { hasText: 'With a fish!' }))
  await second.sees(second.locator('.sidebar .thread', { hasText: 'Kingfishers' }))
  expect(await panel(second).getByRole('button', { name: 'Following' }).getAttribute('aria-pressed')).toBe('true')
  await panel(second).getByRole('button', { name: 'Following' }).click()
  await second.sees(panel(second).getByRole('button', { name: 'Follow', exact: true }))

  // Lists of threads show the draft.
  await panel(second).locator('.composer textarea').fill('Half')
  await second.button('Close the thread').click()
  await second.sees(line.getByRole('img', { name: 'Draft' }))
  await second.sees(line.locator('time'))
  await line.click()
  await panel(second).locator('.composer textarea').fill('')
  const menu = async (visitor: Page, name: string) => {
    await visitor.button('Thread actions').click()
    await visitor.getByRole('menuitem', { name, exact: true }).click()
  }
  for (const [name, title] of [
    ['Pinned messages', 'Pinned messages'],
    ['Notifications', /Notifications.*Kingfishers/],
    ['Jump to a date', 'Jump to a date'],
  ] as const) {
    await menu(second, name)
    await second.sees(second.getByRole('dialog', { name: title }))
    await second.keyboard.press('Escape')
    await second.misses(second.getByRole('dialog'))
  }
  await menu(first, 'Thread settings')
  await first.field('Slowmode').selectOption('10')
  await first.button('Save').click()
  await second.sees(/^Slowmode/)
  await first.button('Thread actions').click()
  await first.getByRole('menuitem', { name: 'Lock', exact: true }).click()
  await second.sees('This thread is locked.')
  await first.button('Thread actions').click()
  await first.getByRole('menuitem', { name: 'Archive', exact: true }).click()
  await first.button('Close the thread').click()
  await first.misses(panel(first))
  await first.getByRole('button', { name: /^Threads/ }).click()
  await first.button('Archived').click()
  const row = first.locator('.side-panel li', { hasText: 'Kingfishers' })
  await first.sees(row)
  await row.getByRole('link').click()
  await first.sees(panel(first).locator('.message', { hasText: 'With a fish!' }))
  for (const visitor of [first, second]) await visitor.leave()
})

test('an invalid address also lands a person who left it and came back; an unreached one is tried again', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const thread = (await ben.post(`/api/channels/${channel_id}/threads`, { name: 'Kingfishers' })).body
  await say(ben, thread.id, 'It sat on the third post.')
  const path = `/app/servers/${server_id}/channels/`
  const visitor = await Page.as(ann)
  const page = visitor
  const departure = Promise.withResolvers<void>()
  await page.route('**/api/channels/999999', (route) => departure.promise.then(() => route.continue()))
  await page.goto(parley.url + path + 999_999)
  await visitor.sees(page.getByRole('main').getByText('Loading…'))
  await visitor.link('general').first().click()
  await visitor.sees(visitor.composer())
  await page.goBack()
  await visitor.sees(page.getByRole('main').getByText('Loading…'))
  departure.resolve()
  await visitor.sees(visitor.composer())
  expect(page.url()).toBe(parley.url + path + channel_id)

  const failed = page.answered(`**/api/channels/${thread.id}`)
  let isFirst = true
  page.route(`**/api/channels/${thread.id}`, (route) => {
    if (isFirst) route.abort()
    else route.continue()
    isFirst = false
  })
  await page.goto(parley.url + path + thread.id)
  // A page that has heard of the thread meanwhile shows it without asking.
  await Promise.race([failed, visitor.sees(visitor.message('third post'))])
  await ann.post(`/api/servers/${server_id}/channels`, { name: 'meanwhile', type: 'text' })
  await visitor.sees(visitor.message('third post'))
  await visitor.leave()
})
