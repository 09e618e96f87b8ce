import { expect, test } from 'bun:test'
import { person, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

test.each([
  ['Notifications', '**/api/push/settings', 'Hide names and text', 'Do not disturb'],
  ['Privacy', '**/api/auth/privacy', 'Link previews in direct messages and groups', 'Show my name on public pages'],
] as const)('in %s a choice stays while the server answers an earlier one', async (section, route, first, second) => {
  const ann = await person(parley, 'ann')
  const page = await Page.as(ann, '/app')
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name: section, exact: true }).click()
  const waiting: PromiseWithResolvers<void>[] = []
  const checked = () => Promise.all([first, second].map((label) => page.field(label).isChecked()))
  await page.sees(page.field(second))
  const before = await checked()
  const after = before.map((isOn) => !isOn)
  await page.route(route, async (each) => {
    const hold = Promise.withResolvers<void>()
    waiting.push(hold)
    await hold.promise
    await each.continue()
  })
  await page.field(first).click()
  await page.field(second).click()
  await page.until(async () => waiting.length === 2)
  expect(await checked()).toEqual(after)
  waiting[0]!.resolve()
  await page.sees(page.getByText('Saved', { exact: true }).first())
  expect(await checked()).toEqual(after)
  waiting[1]!.resolve()
  await page.leave()
})
