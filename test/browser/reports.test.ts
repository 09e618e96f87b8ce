import { expect } from 'bun:test'
import { newServer, person, say, standard } from '../support/harness.ts'
import { befriend, write } from '../support/people.ts'
import { report, reportsOf } from '../support/reports.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { PHONE } from '../support/browser/finger.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { smallTargets } from '../support/browser/targets.ts'
import { promote as makeOperator } from '../support/operators.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(
  browser,
  'a message and a profile are reported from their menus, and the form says who reads it',
  async (chromium) => {
    const [alice, bob, eve] = [await person(parley, 'alice'), await person(parley, 'bob'), await person(parley, 'eve')]
    const { server_id, channel_id } = await newServer(alice, bob, eve)
    await say(eve, channel_id, 'Buy feathers')
    await say(bob, channel_id, 'My own')
    const visitor = await Visitor.as(chromium, bob, `/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.message('My own').hover()
    await visitor.button('More actions').click()
    await visitor.misses(visitor.page.getByRole('menuitem', { name: 'Report message' }))
    await visitor.page.keyboard.press('Escape')

    await visitor.message('Buy feathers').hover()
    await visitor.act('Report message')
    const readers = visitor.page.getByRole('dialog').locator('form [role=status]')
    await visitor.until(async () => (await readers.innerText()).startsWith('Read by the moderators of Birdwatchers'))
    await visitor.page.getByLabel('Reason').selectOption('Harm to a minor')
    await visitor.until(async () => (await readers.innerText()).startsWith('Read only by the operator'))
    await visitor.page.getByLabel('Reason').selectOption('Spam or advertising')
    await visitor.page.getByLabel('What should they know?').fill('Every day')
    await visitor.button('Send report').click()
    await visitor.sees(visitor.page.getByText('Your report was sent. Thank you.').first())
    const [row] = await reportsOf(alice, server_id)
    expect(row).toMatchObject({ content: 'Buy feathers', reasons: ['spam'] })

    await visitor.opensMenus()
    await visitor.page.locator('.members button', { hasText: eve.display_name }).click({ button: 'right' })
    await visitor.page.getByRole('menuitem', { name: 'Report profile' }).click()
    await visitor.until(async () => (await readers.innerText()).includes('who rank above this member. They'))
    await visitor.button('Send report').click()
    await visitor.until(async () => (await reportsOf(alice, server_id)).length === 2)
    await visitor.leave()
  },
)

browserTest(browser, 'a report from a direct message says that only the operator reads it', async (chromium) => {
  const [alice, eve] = [await person(parley, 'alice'), await person(parley, 'eve')]
  await befriend(alice, eve)
  const { id } = await write(eve, alice, 'Buy feathers')
  const visitor = await Visitor.as(chromium, alice, `/app/dm/${eve.id}`)
  await visitor.message('Buy feathers').hover()
  await visitor.act('Report message')
  const readers = visitor.page.getByRole('dialog').locator('form [role=status]')
  await visitor.until(async () => (await readers.innerText()).startsWith('Read only by the operator'))
  await visitor.button('Send report').click()
  const { sql } = parley.parts
  await visitor.until(
    async () => (await sql`select 1 from reports where subject_id = ${id} and for_operator`).length > 0,
  )
  await visitor.leave()
})

browserTest(
  browser,
  'the list of reports is worked through by keys that ask, and that can be switched off',
  async (chromium) => {
    const [alice, bob, eve] = [await person(parley, 'alice'), await person(parley, 'bob'), await person(parley, 'eve')]
    const { server_id, channel_id } = await newServer(alice, bob, eve)
    const ids: number[] = []
    for (const text of ['First feathers', 'Second feathers', 'Third feathers']) {
      const { id } = await say(eve, channel_id, text)
      ids.push(id)
      await report(bob, id)
    }
    const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
    const { page } = visitor
    const { keyboard } = page
    await visitor.inServerMenu('Server settings')
    await page.getByRole('dialog').getByRole('button', { name: 'Reports' }).click()
    const rows = page.locator('li.report')
    await visitor.until(async () => (await rows.count()) === 3)
    expect(await faultsOf(visitor)).toEqual([])
    const isFocused = (text: string) =>
      visitor.until(() => rows.filter({ hasText: text }).evaluate((row) => row === document.activeElement))
    await keyboard.press('j')
    await isFocused('Third')
    await keyboard.press('j')
    await isFocused('Second')
    await keyboard.press('k')
    await isFocused('Third')

    // Each key asks first.
    await keyboard.press('x')
    const dialog = page.getByRole('dialog', { name: 'Dismiss' })
    await visitor.sees(dialog)
    // A letter in a field is a letter.
    await dialog.getByLabel('Note (optional)').fill('')
    await keyboard.type('dbtxjk')
    expect(await dialog.getByLabel('Note (optional)').inputValue()).toBe('dbtxjk')
    // The list below the question changes meanwhile; the keys still wait for the answer.
    await report(alice, ids[2] ?? 0, 'hate')
    await visitor.until(async () => (await rows.first().innerText()).includes('2 reports'))
    await dialog.getByRole('button', { name: 'Dismiss' }).focus()
    await keyboard.press('j')
    expect(await rows.evaluateAll((all) => all.some((row) => row === document.activeElement))).toBeFalse()
    await dialog.getByRole('button', { name: 'Dismiss' }).click()
    await visitor.misses(dialog)
    await visitor.until(async () => (await rows.count()) === 2)
    // The next one takes its place.
    await isFocused('Second')
    for (const [key, name] of [
      ['t', 'Time out'],
      ['b', 'Ban'],
      ['d', 'Delete message'],
    ] as const) {
      await keyboard.press(key)
      await visitor.sees(page.getByRole('dialog', { name, exact: true }))
      await keyboard.press('Escape')
      await visitor.misses(page.getByRole('dialog', { name, exact: true }))
      await isFocused('Second')
    }
    await keyboard.press('d')
    await page.getByRole('dialog', { name: 'Delete message' }).getByRole('button', { name: 'Delete message' }).click()
    await visitor.until(async () => (await alice.get(`/api/messages/${ids[1]}`)).status === 404)
    await visitor.sees(rows.filter({ hasText: 'Second' }).getByText('deleted'))

    await page.getByLabel('Use keys on this page').uncheck()
    await rows.filter({ hasText: 'Second' }).focus()
    await keyboard.press('x')
    await keyboard.press('j')
    await isFocused('Second')
    await visitor.misses(page.getByRole('dialog', { name: 'Dismiss' }))
    await page.getByLabel('Use keys on this page').check()

    // A report that comes meanwhile, its context, and the way to its message.
    await report(bob, (await say(eve, channel_id, 'Fourth feathers')).id, 'hate', 'See how she writes')
    await visitor.button('Show 1 new report').click()
    await visitor.until(async () => (await rows.count()) === 3)
    const row = rows.filter({ hasText: 'Fourth' })
    await row.getByRole('button', { name: 'Show context' }).click()
    await visitor.sees(row.getByText('See how she writes'))
    await row.getByRole('button', { name: 'Warn' }).click()
    await page.getByRole('dialog', { name: 'Warn' }).getByLabel('Warning').fill('No feathers')
    await page.getByRole('dialog', { name: 'Warn' }).getByRole('button', { name: 'Warn' }).click()
    await row.getByRole('button', { name: 'Resolve' }).click()
    await page.getByRole('dialog', { name: 'Resolve' }).getByRole('button', { name: 'Resolve' }).click()
    await visitor.until(async () => (await rows.count()) === 2)
    await page.getByRole('dialog').getByRole('button', { name: 'Cases' }).click()
    await visitor.sees(page.locator('.cases').getByText('No feathers'))
    await visitor.leave()

    // The warning waits until it is read.
    const eves = await Visitor.as(chromium, eve, `/app/servers/${server_id}/channels/${channel_id}`)
    await eves.sees(eves.page.getByRole('dialog', { name: 'You have been warned' }).getByText('No feathers'))
    await eves.page.keyboard.press('Escape')
    await eves.page.reload()
    await eves.button('I have read it').click()
    await eves.until(async () => (await eve.get('/api/users/@me/warnings')).body[0].read_at !== null)
    await eves.page.reload()
    await eves.sees(eves.message('Fourth feathers'))
    await eves.misses(eves.page.getByRole('dialog'))
    await eves.leave()
  },
)

browserTest(browser, 'operators read and decide what only they see, on their page', async (chromium) => {
  const people = [await person(parley, 'olga'), await person(parley, 'bob'), await person(parley, 'eve')] as const
  const [olga, bob, eve] = people
  const { channel_id } = await newServer(eve, bob)
  await report(bob, (await say(eve, channel_id, 'By the owner')).id, 'harassment', 'She owns the place')
  await makeOperator(olga)
  const visitor = await Visitor.as(chromium, olga, '/operator/reports')
  const row = visitor.page.locator('ul.table > li', { hasText: 'By the owner' })
  await visitor.sees(row)
  expect(await faultsOf(visitor)).toEqual([])
  await row.getByRole('button', { name: 'Show context' }).click()
  await visitor.sees(row.getByText('She owns the place'))
  await row.getByRole('button', { name: 'Resolve' }).click()
  await visitor.page.getByRole('dialog').getByLabel('Note (optional)').fill('Spoke to her')
  await visitor.page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
  await visitor.misses(row)
  await visitor.page.getByLabel('Show').selectOption('Resolved')
  await visitor.sees(row)
  await visitor.leave()
})

browserTest(
  browser,
  'on a phone, also from right to left, the list of reports fits and its targets are large',
  async (chromium) => {
    const [alice, bob, eve] = [await person(parley, 'alice'), await person(parley, 'bob'), await person(parley, 'eve')]
    const { server_id, channel_id } = await newServer(alice, bob, eve)
    await report(bob, (await say(eve, channel_id, `Buy ${'feathers'.repeat(40)}`)).id, 'spam', 'See'.repeat(100))
    await alice.post(`/api/servers/${server_id}/members/${eve.id}/notes`, { text: 'Feathers'.repeat(60) })
    for (const [locale, settings, reports, cases] of [
      ['en-GB', 'Server settings', 'Reports', 'Cases'],
      ['ar', 'إعدادات الخادم', 'البلاغات', 'القضايا'],
    ] as const) {
      const path = `/app/servers/${server_id}/channels/${channel_id}`
      const visitor = await Visitor.as(chromium, alice, path, { ...PHONE, locale })
      const { page } = visitor
      await visitor.sees(visitor.composer())
      await page.locator('.menu-button').tap()
      await page.locator('.server-name').tap()
      await page.getByRole('menuitem', { name: settings }).tap()
      for (const [name, row, shot] of [
        [reports, 'li.report', 'list'],
        [cases, '.cases > li', 'cases'],
      ] as const) {
        await page.locator('dialog nav button', { hasText: name }).tap()
        await page.locator(row).waitFor()
        if (shot === 'list') {
          await page.locator(`${row} .link`).first().tap()
          await visitor.sees(page.locator('.report-context'))
        }
        expect(await smallTargets(visitor)).toEqual([])
        expect(await faultsOf(visitor)).toEqual([])
        const isCut = await page.locator(row).evaluate((element) => element.scrollWidth > element.clientWidth + 1)
        expect([locale, row, isCut]).toEqual([locale, row, false])
        const picture = page.locator(`${row} .picture`).first()
        expect(await picture.evaluate(({ clientWidth, clientHeight }) => clientWidth === clientHeight)).toBeTrue()
        await shootThemes(visitor, `reports-${shot}-${locale}`)
      }
      await visitor.leave()
    }
  },
)
