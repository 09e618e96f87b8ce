import { expect } from 'bun:test'
import { newServer, person, standard } from '../support/harness.ts'
import { png, upload } from '../support/uploads.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { PHONE } from '../support/browser/finger.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

const HOUR_MS = 3_600_000
const inHours = (hours: number) => new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + hours * HOUR_MS).toISOString()

async function scene() {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const voice = (await ann.post(`/api/servers/${server_id}/channels`, { name: 'Campfire', type: 'voice' })).body
  const draft = {
    title: 'The long walk along the river',
    description: 'Bring **tea**, and boots for the wet meadow behind the mill.',
    starts_at: inHours(48),
    ends_at: inHours(50),
    time_zone: 'Asia/Tokyo',
    recurrence: 'FREQ=DAILY;COUNT=5',
    place: { text: 'The old bridge' },
    signup: { roles: [{ name: 'Driver', emoji: '🚗', max: 2 }, { name: 'Cook' }], max: 8, waiting_list: true },
  }
  const create = async (more: object) =>
    (await ann.post(`/api/servers/${server_id}/events`, { ...draft, ...more })).body
  const walk = await create({})
  await create({ title: 'Stories', place: { channel_id: voice.id }, recurrence: null, time_zone: 'UTC' })
  await ben.put(`/api/events/${walk.id}/signup`, { status: 'yes', role: 0 })
  return { ann, ben, server_id, walk, voice, path: `/app/servers/${server_id}/channels/${channel_id}` }
}

const fits = (visitor: Visitor) => visitor.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)

browserTest(
  browser,
  'the events of a server, one of them and their form have no accessibility fault, wide and on a phone',
  async (chromium) => {
    const { ann, ben, walk, path } = await scene()
    const picture = await upload(ann, 'river.png', 'image/png', await png(800, 400))
    await ann.put(`/api/events/${walk.id}`, { image_file_id: picture.id })
    for (const [who, name, options] of [
      [ann, 'wide', {}],
      [ben, 'phone', PHONE],
    ] as const) {
      const visitor = await Visitor.as(chromium, who, path, options)
      const { page } = visitor
      await visitor.sees(visitor.composer())
      if (options === PHONE) await page.locator('.menu-button').tap()
      await visitor.inServerMenu('Events')
      const row = page.locator('dialog .row', { hasText: 'The long walk' }).first()
      await visitor.sees(row)
      await shootThemes(visitor, `events-${name}-list`)
      expect(await faultsOf(visitor)).toEqual([])
      expect(await fits(visitor)).toBeTrue()
      await visitor.button('Month').click()
      await visitor.sees(page.locator('table.month'))
      await shootThemes(visitor, `events-${name}-month`)
      expect(await faultsOf(visitor)).toEqual([])
      expect(await fits(visitor)).toBeTrue()
      await visitor.button('List').click()
      await row.click()
      await visitor.sees(page.getByRole('dialog', { name: walk.title }))
      await visitor.sees(page.locator('img.event-picture'))
      await shootThemes(visitor, `events-${name}-event`)
      expect(await faultsOf(visitor)).toEqual([])
      expect(await fits(visitor)).toBeTrue()
      if (who === ann) {
        await visitor.button('Edit event').click()
        await visitor.sees(page.getByRole('dialog', { name: 'Edit event' }))
        await shootThemes(visitor, `events-${name}-form`)
        expect(await faultsOf(visitor)).toEqual([])
      }
      await visitor.leave()
    }
  },
)

browserTest(browser, 'a voice channel shows the event that is on there, and a click leads to it', async (chromium) => {
  const { ben, voice, path } = await scene()
  await parley.parts.sql`update event_dates set starts_at = now() - interval '1 minute'
    where event_id in (select id from calendar_events where channel_id = ${voice.id})`
  const visitor = await Visitor.as(chromium, ben, path)
  const join = visitor.page.getByRole('button', { name: /Stories/ })
  await visitor.sees(join)
  await shootThemes(visitor, 'events-now')
  expect(await faultsOf(visitor)).toEqual([])
  await join.click()
  await visitor.until(async () => visitor.page.url().includes(`${voice.id}`))
  await visitor.leave()
})
