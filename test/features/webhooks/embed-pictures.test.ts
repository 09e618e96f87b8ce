import { afterAll, expect, test } from 'bun:test'
import { wantPictures } from '../../../src/features/previews/embed-pictures.ts'
import { boot, person, newServer, stop } from '../../support/harness.ts'
import { png } from '../../support/uploads.ts'
import { response, WebHost } from '../../support/web-host.ts'
import { newestPreviewed, post } from '../../support/webhooks.ts'

const parley = await boot({ LINK_PREVIEWS: 'on', PREVIEW_ALLOWED_ADDRESSES: '127.0.0.1' })
const { sql } = parley.parts
const web = await new WebHost().listen()
afterAll(async () => {
  await stop(parley)
  web.close()
})
const alice = await person(parley, 'alice')
const { channel_id } = await newServer(alice)
const { url } = (await alice.post(`/api/channels/${channel_id}/webhooks`, { name: 'Hide' })).body
const picture = await png(120, 60)
const owl = web.on('/owl.png', response(200, { 'content-type': 'image/png' }, picture))
const heron = web.on('/heron.png', response(200, { 'content-type': 'image/png' }, picture))
const goneUrl = web.url('/gone.png')
const page = web.on('/page', response(200, { 'content-type': 'text/html' }, '<title>A page</title>'))

const OWN = /^\/media\/previews\/[0-9a-f]{32}\.webp$/
const settled = () => newestPreviewed(alice, channel_id)

test('the server fetches pictures in embeds of a webhook, and shows its own copies', async () => {
  const sent = await post(alice, `${url}?wait=true`, {
    embeds: [
      { title: 'Owls', image: { url: owl }, thumbnail: { url: heron } },
      { title: 'Gone', image: { url: goneUrl }, thumbnail: { url: page } },
      { image: { url: heron } },
      { title: 'Odd', image: { url: 'javascript:alert(1)' }, thumbnail: 7 },
    ],
  })
  expect(sent.status).toBe(200)
  const { embeds, edited_at } = await settled()
  expect(edited_at).toBeNull()
  expect(embeds.map(({ title }: any) => title)).toEqual(['Owls', 'Gone', 'image', 'Odd'])
  const [owls, missing, alone, odd] = embeds
  const expectedPicture = { url: expect.stringMatching(OWN), width: 120, height: 60 }
  expect([owls.image, owls.thumbnail]).toEqual([expectedPicture, expectedPicture])
  expect(owls.image.url).not.toBe(owls.thumbnail.url)
  expect([missing.image, missing.thumbnail]).toEqual([null, null])
  expect([alone.url, alone.image]).toEqual([heron, owls.thumbnail])
  expect([odd.image, odd.thumbnail]).toEqual([null, null])
  expect((await fetch(parley.url + owls.image.url)).headers.get('content-type')).toBe('image/webp')
  expect(web.count('/heron.png')).toBe(1)
  // They count towards the webhook's maker, not the webhook.
  const askers = await sql`select distinct asked_by from preview_pages`
  expect(askers.map((row) => row.asked_by)).toEqual([alice.id])
})

test('pictures noted after the check of a message are fetched; a deleted message has none', async () => {
  await post(alice, url, { content: 'Late', embeds: [{ title: 'Owls' }] })
  const { id, embeds } = await settled()
  expect(embeds[0].image).toBeNull()
  const pictures = [{ at: 0, place: 'image', url: owl } as const]
  await sql.begin((tx) => wantPictures(tx, id, pictures))
  expect((await settled()).embeds[0].image.url).toMatch(OWN)
  expect((await alice.delete(`/api/messages/${id}`)).status).toBe(204)
  await sql.begin((tx) => wantPictures(tx, id, pictures))
  expect(await sql`select 1 from wanted_pictures where message_id = ${id}`).toHaveLength(0)
})

test('an edit keeps, replaces or ends the pictures of a webhook’s message', async () => {
  const sent = await post(alice, `${url}?wait=true`, { embeds: [{ title: 'Owls', image: { url: owl } }] })
  const { id } = await settled()
  const at = `${url}/messages/${id}`
  const edit = (body: object) => post(alice, at, body, { method: 'PATCH' })
  expect(String(id)).toBe(sent.body.id)
  const [{ image }] = (await settled()).embeds
  await edit({ content: 'Look' })
  expect((await settled()).embeds[0].image).toEqual(image)
  await edit({ embeds: [{ title: 'Herons', thumbnail: { url: heron } }] })
  const [herons] = (await settled()).embeds
  expect([herons.title, herons.image, herons.thumbnail.url]).toEqual(['Herons', null, expect.stringMatching(OWN)])
  expect((await sql`select 1 from message_pictures where message_id = ${id}`).length).toBe(1)
  await edit({ content: 'Nothing', embeds: [] })
  await settled()
  expect((await sql`select 1 from wanted_pictures where message_id = ${id}`).length).toBe(0)
  expect((await sql`select 1 from message_pictures where message_id = ${id}`).length).toBe(0)
  expect((await post(alice, at, undefined, { method: 'DELETE' })).status).toBe(204)
})
