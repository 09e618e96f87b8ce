import { expect } from 'bun:test'
import { permissions } from '../../src/core/permissions.ts'
import { person, newServer, say, standard } from '../support/harness.ts'
import { rank } from '../support/places.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(
  browser,
  'a thread is begun at a message, gets messages, is followed, archived and found again',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    await rank(parley, server_id, permissions('manage_threads'), ann)
    const start = await say(ann, channel_id, 'A kingfisher at the lower weir!')
    for (const text of ['I saw it too.', 'Blue as anything.']) await say(ben, channel_id, text)
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    const [first, second] = [await Visitor.as(chromium, ann, path), await Visitor.as(chromium, ben, path)]
    await first.message('lower weir').hover()
    await first.button('Start a thread').click()
    expect(await first.field('Thread name').inputValue()).toBe('A kingfisher at the lower weir!')
    await first.field('Thread name').fill('Kingfishers')
    await first.page.locator('dialog').getByRole('button', { name: 'Start a thread' }).click()
    const panel = (visitor: Visitor) => visitor.page.getByRole('complementary', { name: 'Thread Kingfishers' })
    await first.sees(panel(first))
    const write = async (visitor: Visitor, text: string) => {
      const box = panel(visitor).locator('.composer textarea')
      await box.fill(text)
      await box.press('Enter')
      await visitor.sees(panel(visitor).locator('.message', { hasText: text }))
    }
    await write(first, 'It sat on the third post.')
    await second.sees('started the thread Kingfishers')
    const line = second.page.locator('.thread-line', { hasText: 'Kingfishers' })
    await second.sees(line.getByText('1 message'))
    await second.sees(second.button('Threads, with new messages'))
    await shootThemes(second, 'wide-line')

    await line.click()
    await second.sees(panel(second).locator('.message', { hasText: 'third post' }))
    await write(second, 'With a fish!')
    await first.sees(panel(first).locator('.message', { hasText: 'With a fish!' }))
    await second.sees(second.page.locator('.sidebar .thread', { hasText: 'Kingfishers' }))
    expect(await panel(second).getByRole('button', { name: 'Following' }).getAttribute('aria-pressed')).toBe('true')
    await panel(second).getByRole('button', { name: 'Following' }).click()
    await second.sees(panel(second).getByRole('button', { name: 'Follow', exact: true }))
    await shootThemes(first, 'wide-panel')
    expect(await faultsOf(first)).toEqual([])

    // Lists of threads show the draft.
    await panel(second).locator('.composer textarea').fill('Half')
    await second.button('Close the thread').click()
    await second.sees(line.getByRole('img', { name: 'Draft' }))
    await second.sees(line.locator('time'))
    await line.click()
    await panel(second).locator('.composer textarea').fill('')
    const menu = async (visitor: Visitor, name: string) => {
      await visitor.button('Thread actions').click()
      await visitor.page.getByRole('menuitem', { name, exact: true }).click()
    }
    for (const [name, title] of [
      ['Pinned messages', 'Pinned messages'],
      ['Notifications', /Notifications.*Kingfishers/],
      ['Jump to a date', 'Jump to a date'],
    ] as const) {
      await menu(second, name)
      await second.sees(second.page.getByRole('dialog', { name: title }))
      await second.page.keyboard.press('Escape')
      await second.misses(second.page.getByRole('dialog'))
    }
    await menu(first, 'Thread settings')
    await first.field('Slowmode').selectOption('10')
    expect(await faultsOf(first)).toEqual([])
    await first.button('Save').click()
    await second.sees(/^Slowmode/)
    await first.button('Thread actions').click()
    await first.page.getByRole('menuitem', { name: 'Lock', exact: true }).click()
    await second.sees('This thread is locked.')
    await first.button('Thread actions').click()
    await first.page.getByRole('menuitem', { name: 'Archive', exact: true }).click()
    await first.button('Close the thread').click()
    await first.misses(panel(first))
    await first.page.getByRole('button', { name: /^Threads/ }).click()
    await first.button('Archived').click()
    const row = first.page.locator('.side-panel li', { hasText: 'Kingfishers' })
    await first.sees(row)
    await shootThemes(first, 'wide-list')
    expect(await faultsOf(first)).toEqual([])
    await row.getByRole('link').click()
    await first.sees(panel(first).locator('.message', { hasText: 'With a fish!' }))

    // A link to a message in an archived thread, for a person whose client does not know the thread.
    const [{ id: threadId }] = await parley.parts.sql<[{ id: number }]>`
    select id from channels where message_id = ${start.id}`
    const [newest] = (await ben.get(`/api/channels/${threadId}/messages`)).body
    const phone = { viewport: { width: 390, height: 800 } }
    const third = await Visitor.as(chromium, ben, `/c/${threadId}/${newest.id}`, phone)
    await third.sees(panel(third).locator('.message.flash, .message', { hasText: 'With a fish!' }))
    await shootThemes(third, 'phone-panel')
    await third.button('Close the thread').click()
    await third.sees(third.message('lower weir'))
    await shootThemes(third, 'phone-line')
    for (const visitor of [first, second, third]) await visitor.leave()
  },
)

browserTest(
  browser,
  'an invalid address also lands a person who left it and came back; an unreached one is tried again',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    const thread = (await ben.post(`/api/channels/${channel_id}/threads`, { name: 'Kingfishers' })).body
    await say(ben, thread.id, 'It sat on the third post.')
    const path = `/app/servers/${server_id}/channels/`
    const visitor = await Visitor.as(chromium, ann)
    const { page } = visitor
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

    const failed = page.waitForEvent('requestfailed')
    await page.route(`**/api/channels/${thread.id}`, (route) => route.abort(), { times: 1 })
    await page.goto(parley.url + path + thread.id)
    await failed
    await ann.post(`/api/servers/${server_id}/channels`, { name: 'meanwhile', type: 'text' })
    await visitor.sees(visitor.message('third post'))
    await visitor.leave()
  },
)
