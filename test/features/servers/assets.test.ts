import { expect, test } from 'bun:test'
import { boot, newServer, type Person, person, stop, until } from '../../support/harness.ts'
import { noise } from '../../support/noise.ts'
import { upload } from '../../support/uploads.ts'

const LIMIT = 120_000
const EDGE = 100

const picture = async (who: Person) => (await upload(who, 'noise.png', 'image/png', await noise(EDGE))).id

test('emoji and pictures of events share one quota, whose bytes come back with what is deleted', async () => {
  const parley = await boot({ SERVER_ASSETS_BYTES_MAX: String(LIMIT) })
  const { sql } = parley.parts
  const alice = await person(parley, 'alice')
  const { server_id } = await newServer(alice)
  const bytes = async () =>
    (await sql<{ bytes: number }[]>`select bytes from server_assets where server_id = ${server_id}`)[0]?.bytes ?? 0
  let count = 0
  const make = async () =>
    alice.post(`/api/servers/${server_id}/emoji`, { name: `owl_${count++}`, file_id: await picture(alice) })
  const day = 86_400_000
  const event = async () =>
    alice.post(`/api/servers/${server_id}/events`, {
      title: 'Walk',
      description: '',
      starts_at: new Date(Date.now() + day).toISOString(),
      ends_at: new Date(Date.now() + 2 * day).toISOString(),
      time_zone: 'Europe/Berlin',
      place: { text: 'The marsh' },
      image_file_id: await picture(alice),
    })

  const first = await make()
  expect(first.status).toBe(201)
  const size = await bytes()
  expect(size).toBeGreaterThan(1_000)
  const walk = await event()
  expect(walk.status).toBe(201)
  const imageSize = (await bytes()) - size
  expect(imageSize).toBeGreaterThan(20_000)
  expect((await alice.put(`/api/events/${walk.body.id}`, { image_file_id: null })).status).toBe(200)
  expect(await bytes()).toBe(size)
  expect((await alice.put(`/api/events/${walk.body.id}`, { image_file_id: await picture(alice) })).status).toBe(200)
  const { image_file_id } = (await alice.get(`/api/events/${walk.body.id}`)).body
  expect((await alice.delete(`/api/files/${image_file_id}`)).status).toBe(204)
  expect(await bytes()).toBe(size)

  // Racing: as many succeed as fit, and the others change nothing.
  const racing = await Promise.all(Array.from({ length: 16 }, make))
  const refusals = racing.filter(({ status }) => status !== 201)
  expect(new Set(refusals.map(({ body }) => body.code))).toEqual(new Set(['too_many_bytes']))
  expect(await bytes()).toBeLessThanOrEqual(LIMIT)
  const [sum] = await sql<
    { bytes: number }[]
  >`select sum(size)::int as bytes from emojis where server_id = ${server_id}`
  expect(await bytes()).toBe(sum?.bytes ?? 0)
  expect((await event()).body.code).toBe('too_many_bytes')
  expect((await alice.get(`/api/servers/${server_id}/events`)).body).toHaveLength(1)

  // A deleted emoji is still shown in old messages, until its bytes are needed.
  await alice.delete(`/api/emoji/${first.body.id}`)
  expect((await fetch(parley.url + first.body.url)).status).toBe(200)
  expect(await bytes()).toBe(sum?.bytes ?? 0)
  const others = racing.filter(({ status }) => status === 201)
  for (const { body } of others.slice(0, 2)) await alice.delete(`/api/emoji/${body.id}`)
  // A picture of an event takes none from old messages.
  expect((await event()).body.code).toBe('too_many_bytes')
  expect((await fetch(parley.url + first.body.url)).status).toBe(200)
  expect((await make()).status).toBe(201)
  await until(async () => (await fetch(parley.url + first.body.url)).status === 404)
  expect(await bytes()).toBeLessThanOrEqual(LIMIT)

  await alice.delete(`/api/servers/${server_id}`)
  await until(async () => (await sql`select 1 from server_assets where server_id = ${server_id}`).length === 0)
  await stop(parley)
})
