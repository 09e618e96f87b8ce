import { expect, test } from 'bun:test'
import { newServer, person, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

async function scene() {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const list = async () => (await bob.get(`/api/servers/${server_id}/events`)).body
  const create = async (more: object = {}) => {
    const at = (hours: number) =>
      new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + hours * 3_600_000).toISOString()
    const draft = {
      title: 'The long walk',
      starts_at: at(48),
      ends_at: at(50),
      time_zone: 'Asia/Tokyo',
      place: { text: 'The bridge' },
    }
    return (await alice.post(`/api/servers/${server_id}/events`, { ...draft, signup: {}, ...more })).body
  }
  return { alice, bob, server_id, path, list, create }
}

const openEvents = async (page: Page) => {
  await page.sees(page.composer())
  await page.inServerMenu('Events')
  await page.sees(page.dialog('Events'))
}

test('an event is created, and members see it in the list and the month', async () => {
  const { alice, bob, path, list } = await scene()
  const author = await Page.as(alice, path)
  await openEvents(author)
  await author.sees('No events planned')
  await author.button('Create event').click()
  await author.field('Title').fill('The long walk')
  await author.field('Location or web address').fill('The old bridge')
  await author.field('Number of places').fill('2')
  await author.dialog('Create event').getByRole('button', { name: 'Create event' }).click()
  await author.misses(author.dialog('Create event'))
  expect(await list()).toMatchObject([
    { title: 'The long walk', place: { text: 'The old bridge' }, signup: { max: 2, waiting_list: true } },
  ])
  await author.sees(/The long walk/)
  const reader = await Page.as(bob, path)
  await openEvents(reader)
  expect(await reader.button('Create event').count()).toBe(0)
  await reader.button('Month').click()
  await reader.sees(reader.locator('.month button', { hasText: 'The long walk' }))
  await reader.leave()
  await author.leave()
})

test('a member signs up, sees the zone of the event, and hears of a cancellation', async () => {
  const { alice, bob, path, create } = await scene()
  const { id } = await create({ signup: { roles: [{ name: 'Driver', max: 1 }] } })
  const reader = await Page.as(bob, path)
  await openEvents(reader)
  await reader.locator('dialog .row', { hasText: 'The long walk' }).click()
  const dialog = reader.dialog('The long walk')
  await reader.sees(/^Local time there: .*Asia.Tokyo/)
  await dialog.getByRole('combobox', { name: 'Role' }).selectOption('Driver')
  await dialog.getByRole('button', { name: 'Going', exact: true }).click()
  await reader.sees(/You are going/)
  expect((await bob.get(`/api/events/${id}`)).body.dates[0].mine).toEqual({ status: 'yes', role: 0, remind: [60] })
  await alice.delete(`/api/events/${id}`)
  await reader.sees('This event is over or was cancelled.')
  await reader.leave()
})

test('the address of a calendar is shown once', async () => {
  const { bob, path, server_id } = await scene()
  const reader = await Page.as(bob, path)
  await openEvents(reader)
  await reader.button('Subscribe with a calendar program').click()
  await reader.button('Events of this server').click()
  const address = reader.field('Address of the calendar')
  await reader.sees(address)
  expect(await address.inputValue()).toMatch(/\/calendar\/[\w-]{43}\.ics$/)
  expect((await bob.get('/api/calendar/feeds')).body).toMatchObject([{ server_id }])
  await reader.leave()
})

test('the dates of a series are changed in the zone of the event', async () => {
  const { alice, path, create } = await scene()
  const { id, dates, starts_at } = await create({ recurrence: 'FREQ=DAILY;COUNT=3' })
  const author = await Page.as(alice, path)
  await openEvents(author)
  await author.locator('dialog .row', { hasText: 'The long walk' }).first().click()
  await author.button('Edit event').click()
  const form = author.dialog('Edit event')
  await author.sees(form.getByText(/Changes apply to all upcoming dates/))
  expect(await form.getByLabel('Time zone').inputValue()).toBe('Asia/Tokyo')
  expect(await form.getByLabel('Repeats').inputValue()).toBe('daily')
  await form.getByLabel('Number of dates').fill('5')
  await form.getByLabel('Time zone').selectOption('UTC')
  await form.getByRole('button', { name: 'Save' }).click()
  await author.misses(form)
  const { body } = await alice.get(`/api/events/${id}`)
  // The same clock, nine hours later.
  const later = new Date(Date.parse(starts_at) + 9 * 3_600_000).toISOString()
  expect(body).toMatchObject({ time_zone: 'UTC', recurrence: 'FREQ=DAILY;COUNT=5', starts_at: later })
  expect(body.dates.map(({ n }: any) => n)).toEqual([...dates.map(({ n }: any) => n), 3, 4])
  await author.leave()
})

test('a calendar feed gets a new address and is removed in the settings', async () => {
  const { bob, path, server_id } = await scene()
  const { url } = (await bob.post('/api/calendar/feeds', { server_id })).body
  const reader = await Page.as(bob, path)
  await reader.getByRole('button', { name: 'Settings', exact: true }).click()
  await reader.button('Calendars').click()
  await reader.button('New address').click()
  const address = reader.field('Address of the calendar')
  await reader.sees(address)
  expect(await address.inputValue()).not.toBe(url)
  await reader.button('Remove').click()
  await reader.sees('No calendar program reads your events.')
  expect((await bob.get('/api/calendar/feeds')).body).toEqual([])
  await reader.leave()
})
