import { expect, test } from 'bun:test'
import { person, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'
import { befriend } from '../../support/people.ts'
import { connect } from '../../support/socket.ts'
import { until } from '../../support/until.ts'

const parley = await standard()

test('a person chooses a status with a text and an end, and others read it where they read presence', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  await befriend(ann, ben)
  const live = await connect(ben)
  const hers = await Page.as(ann)
  await hers.getByRole('button', { name: new RegExp(ann.username) }).click()
  const dialog = hers.getByRole('dialog', { name: 'Your status' })
  await dialog.getByRole('radio', { name: /Do not disturb/ }).click()
  await dialog.getByRole('textbox', { name: 'What are you doing?' }).fill('Counting kingfishers')
  await dialog.getByRole('combobox', { name: 'Ends' }).selectOption({ label: 'in 1 hour' })
  await dialog.getByRole('checkbox', { name: ben.display_name }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await live.next('presence.updated', ({ d }) => d.users.some((user: any) => user.text === 'Counting kingfishers'))
  const own = (await ann.get('/api/auth/status')).body
  expect(Date.parse(own.until) - Date.now()).toBeWithin(3_500_000, 3_600_000)
  expect((await ann.get('/api/auth/status/callers')).body.user_ids).toEqual([ben.id])
  await hers.sees(hers.getByRole('button', { name: /Counting kingfishers/ }))
  const his = await Page.as(ben)
  await his.sees('Do not disturb · Counting kingfishers')
  // The dialog shows what is chosen, with the time at which it ends.
  await hers.getByRole('button', { name: /Counting kingfishers/ }).click()
  expect(await dialog.getByRole('radio', { name: /Do not disturb/ }).isChecked()).toBeTrue()
  expect(await dialog.getByRole('checkbox', { name: ben.display_name }).isChecked()).toBeTrue()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await until(async () => (await dialog.count()) === 0)
  expect((await ann.get('/api/auth/status')).body).toEqual(own)
  live.close()
})

test('a form that its owner closes while it is sent closes no other that was opened since', async () => {
  const ann = await person(parley, 'ann')
  const hers = await Page.as(ann)
  const [request, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  hers.route('**/api/auth/status', async (route) => {
    if (route.request().method() === 'PUT') {
      request.resolve()
      await release.promise
    }
    route.continue()
  })
  const opener = hers.getByRole('button', { name: new RegExp(ann.username) })
  const dialog = hers.getByRole('dialog', { name: 'Your status' })
  const text = dialog.getByRole('textbox', { name: 'What are you doing?' })
  await opener.click()
  await text.fill('Counting kingfishers')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await request.promise
  await dialog.getByRole('button', { name: 'Close' }).click()
  await hers.misses(dialog)
  await opener.click()
  await text.fill('Counting owls')
  release.resolve()
  await hers.sees(hers.getByRole('button', { name: /Counting kingfishers/ }))
  expect(await text.inputValue()).toBe('Counting owls')
  await hers.leave()
})
