import { createHash } from 'node:crypto'
import { afterAll, expect, test } from 'bun:test'
import { boot, person, newServer, stop, until } from '../../support/harness.ts'
import { connect } from '../../support/socket.ts'
import { png } from '../../support/uploads.ts'
import { type Answering, page, response, WebHost } from '../../support/web-host.ts'
import { newest, newestPreviewed, post, webhook } from '../../support/webhooks.ts'

const parley = await boot({ LINK_PREVIEWS: 'on', PREVIEW_ALLOWED_ADDRESSES: '127.0.0.1' })
const { sql } = parley.parts
const web = await new WebHost().listen()
afterAll(async () => {
  await stop(parley)
  web.close()
})
const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
const { channel_id } = await newServer(alice, bob)
const { url, id: hookId } = await webhook(alice, channel_id)
const face = response(200, { 'content-type': 'image/png' }, await png(90, 90))
const OWN = /^\/media\/previews\/[0-9a-f]{32}\.webp$/

const settled = () => newestPreviewed(bob, channel_id)

test('a message has its own picture, fetched once and announced to everyone who sees the message', async () => {
  const { promise: seen, resolve: show } = Promise.withResolvers<void>()
  const avatar_url = web.on('/owl.png', async (socket) => {
    await seen
    socket.end(face)
  })
  const content = `<@${bob.id}> An osprey`
  const sent = await post(alice, `${url}?wait=true`, {
    content,
    username: 'Owl',
    avatar_url,
    allowed_mentions: { parse: ['users'] },
  })
  expect([sent.status, sent.body.author.avatar]).toEqual([200, null])
  expect((await newest(bob, channel_id)).data).toBeNull()
  show()
  const message = await settled()
  const { id, data, edited_at } = message
  expect([id, edited_at]).toEqual([Number(sent.body.id), null])
  expect(data).toEqual({ avatar_url: expect.stringMatching(OWN) })
  const path = data.avatar_url
  expect((await fetch(parley.url + path)).headers.get('content-type')).toBe('image/webp')
  // The fetch counts towards the webhook's maker.
  const askers = await sql`select distinct asked_by from preview_pages`
  expect(askers.map(({ asked_by }) => asked_by)).toEqual([alice.id])

  await alice.put(`/api/channels/${channel_id}/pins/${id}`)
  const views = [
    (await bob.get(`/api/messages/${id}`)).body,
    ...(await bob.get(`/api/channels/${channel_id}/pins`)).body,
    ...(await bob.get(`/api/search?q=osprey&channel_id=${channel_id}`)).body.messages,
    ...(await bob.get('/api/mentions')).body,
  ]
  expect(views.map((one) => [one.id, one.data])).toEqual(Array(4).fill([id, data]))

  const edited = await post(alice, `${url}/messages/${id}`, { content: 'A merlin', embeds: [] }, { method: 'PATCH' })
  expect(`/media/previews/${edited.body.author.avatar}.webp`).toBe(path)
  // A fetched avatar is part of the message and its event at once.
  const socket = await connect(bob)
  await post(alice, `${url}/slack`, { text: 'Again', icon_url: avatar_url })
  expect((await socket.next('message.created')).d).toMatchObject({ content: 'Again', data })
  expect(await sql`select 1 from preview_jobs`).toHaveLength(0)
  expect(await settled()).toMatchObject({ content: 'Again', data, edited_at: null })
  expect(web.count('/owl.png')).toBe(1)
  expect((await bob.get(`/api/messages/${id}`)).body).toMatchObject({ content: 'A merlin', data })
})

test('an avatar coexists with pictures of embeds and previews of links, and stays when those change', async () => {
  const avatar_url = web.on('/heron.png', face)
  const image = { url: web.on('/reed.png', response(200, { 'content-type': 'image/png' }, await png(120, 60))) }
  const link = web.on('/page', page('<title>A page</title>'))
  await post(alice, url, { content: link, avatar_url, embeds: [{ title: 'Reed', image }] })
  const { id, data, embeds } = await settled()
  expect(data.avatar_url).toMatch(OWN)
  expect(embeds.map((embed: any) => [embed.title, embed.image?.width, 'avatar' in embed])).toEqual([
    ['Reed', 120, false],
    ['A page', undefined, false],
  ])
  const edit = (body: object) => post(alice, `${url}/messages/${id}`, body, { method: 'PATCH' })
  await edit({ embeds: [{ title: 'Marsh' }] })
  expect((await settled()).data).toEqual(data)
  await edit({ content: `${link}?more`, embeds: [] })
  expect((await settled()).data).toEqual(data)
  const pictures = await sql`select key from message_pictures join preview_pictures p on p.id = picture_id
    where message_id = ${id}`
  expect(pictures.map(({ key }) => `/media/${key}`)).toEqual([data.avatar_url])
})

test('an edit during the fetch does not lose the avatar', async () => {
  const { promise: pictureRequest, resolve: finish } = Promise.withResolvers<void>()
  const avatar_url = web.on('/late.png', async (socket) => {
    await pictureRequest
    socket.end(face)
  })
  await post(alice, url, { content: 'Before', avatar_url })
  const { id } = await newest(bob, channel_id)
  const swept = parley.sweep()
  await until(() => web.count('/late.png') === 1)
  await post(alice, `${url}/messages/${id}`, { content: 'After' }, { method: 'PATCH' })
  finish()
  await swept
  expect(await settled()).toMatchObject({ id, content: 'After', data: { avatar_url: expect.stringMatching(OWN) } })
})

test('no avatar of a burst is lost, and links of the webhook’s maker still find room', async () => {
  const avatar_url = web.on('/burst.png', face)
  // Imitates another process that fetches it during the posts.
  const hash = createHash('sha256').update(avatar_url).digest()
  await sql`insert into preview_pages (hash, leased_until) values (${hash}, now() + interval '1 hour')`
  const { url: other } = await webhook(alice, channel_id, 'Burst')
  const texts = Array.from({ length: 24 }, (_, at) => `Burst ${at}`)
  for (const [at, content] of texts.entries()) await post(alice, at % 2 === 0 ? url : other, { content, avatar_url })
  expect((await sql`select 1 from preview_jobs`).length).toBeLessThanOrEqual(10)
  const link = web.on('/own', page('<title>My own</title>'))
  const { id: ownId } = (await alice.post(`/api/channels/${channel_id}/messages`, { content: link })).body
  await sql`delete from preview_pages where hash = ${hash}`
  await until(async () => {
    await parley.sweep()
    const remaining = await sql`select message_id from wanted_pictures where place = 'avatar'
      union select message_id from preview_jobs`
    return remaining.length === 0
  })
  expect((await bob.get(`/api/messages/${ownId}`)).body.embeds.map(({ title }: any) => title)).toEqual(['My own'])
  const all: any[] = (await bob.get(`/api/channels/${channel_id}/messages?limit=25`)).body
  const shownMessages = all.filter(({ content }) => texts.includes(content))
  expect(shownMessages.map(({ data }) => data?.avatar_url)).toEqual(texts.map(() => expect.stringMatching(OWN)))
  expect(web.count('/burst.png')).toBe(1)
})

test('an avatar that found no room is retried within an hour, unless nobody may see it', async () => {
  const waiting = async (content: string, minutes: number, isHidden = false) => {
    const { body } = await post(alice, `${url}?wait=true`, { content })
    await sql`update messages set embeds_suppressed = ${isHidden},
      created_at = now() - ${minutes} * interval '1 minute' where id = ${body.id}`
    await sql`insert into wanted_pictures values (${body.id}, 0, 'avatar', ${web.on('/left.png', face)}, ${alice.id})`
    return Number(body.id)
  }
  const old = await waiting('Old', 61)
  const hidden = await waiting('Hidden', 10, true)
  const queuedMessage = await waiting('Left', 10)
  const avatarOf = async (id: number) => (await bob.get(`/api/messages/${id}`)).body.data?.avatar_url
  await until(async () => {
    await parley.sweep()
    return (await avatarOf(queuedMessage)) !== undefined
  })
  expect([await avatarOf(old), await avatarOf(hidden)]).toEqual([undefined, undefined])
  const rows = await sql`select message_id from wanted_pictures where place = 'avatar'`
  expect(rows.map(({ message_id }) => message_id)).toEqual([hidden])
  await alice.put(`/api/messages/${hidden}/embeds/suppressed`, { suppressed: false })
  await until(async () => {
    await parley.sweep()
    return (await avatarOf(hidden)) !== undefined
  })
})

test('an account with thousands of waiting avatars delays nobody else’s', async () => {
  const hash = (path: string) => createHash('sha256').update(web.url(path)).digest()
  const wait = (path: string) =>
    sql`insert into preview_pages (hash, leased_until) values (${hash(path)}, now() + interval '1 hour')`
  const { body } = await post(alice, `${url}?wait=true`, { content: 'Many' })
  await wait('/many.png')
  await sql`with added as (
      insert into messages (channel_id, author_id, content)
      select channel_id, author_id, 'Many' from messages, generate_series(1, 3000) where id = ${body.id} returning id)
    insert into wanted_pictures select id, 0, 'avatar', ${web.on('/many.png', face)}, ${alice.id} from added`
  const { url: other } = await webhook(bob, (await newServer(bob)).channel_id)
  await wait('/few.png')
  const avatar_url = web.on('/few.png', face)
  for (let at = 0; at < 12; at++) await post(bob, other, { content: 'Few', avatar_url })
  const countRemaining = async () =>
    (await sql`select 1 from wanted_pictures where place = 'avatar' and author_id = ${bob.id}`).length
  expect(await countRemaining()).toBe(12)
  await sql`delete from preview_pages where hash = ${hash('/few.png')}`
  await until(async () => {
    await parley.sweep()
    return (await countRemaining()) === 0
  })
  await sql`delete from messages where content = 'Many'`
  await sql`delete from preview_pages`
})

test('a file that is no picture, too large, or at a forbidden address is not shown; the message is', async () => {
  const elsewhere = `http://127.0.0.2:${web.port}/owl.png`
  const huge = `HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: ${9 * 1024 * 1024}\r\n\r\n`
  const drawn = { 'content-type': 'image/svg+xml' }
  const odd = [
    web.url('/gone.png'),
    web.on('/words', response(200, { 'content-type': 'text/html' }, '<title>A page</title>')),
    web.on('/lie.png', response(200, { 'content-type': 'image/png' }, 'no picture')),
    web.on('/drawn.svg', response(200, drawn, '<svg xmlns="http://www.w3.org/2000/svg"/>')),
    web.on('/huge.png', huge),
    elsewhere,
    'file:///etc/passwd',
    'javascript:alert(1)',
    '/media/previews/x.webp',
    7,
    '',
    null,
    { url: elsewhere },
  ]
  const requestCount = web.requests.length
  for (const avatar_url of odd)
    expect([avatar_url, (await post(alice, url, { content: 'Odd', avatar_url })).status]).toEqual([avatar_url, 204])
  await settled()
  const last = (await bob.get(`/api/channels/${channel_id}/messages?limit=${odd.length}`)).body
  expect(last.map((one: any) => [one.content, one.data])).toEqual(odd.map(() => ['Odd', null]))
  // Five have an address that may be fetched.
  expect(web.requests.length - requestCount).toBe(5)
  expect(await sql`select 1 from wanted_pictures`).toHaveLength(0)
})

test('the same bytes of a URL are one picture after an hour too, and an unreachable host changes none', async () => {
  const answers = (answer: Answering | string | Uint8Array) => web.on('/owned.png', answer)
  const avatar_url = answers(face)
  const posted = async () => {
    await sql`update preview_pages set fetched_at = now() - interval '61 minutes'`
    await sql`update preview_pictures set created_at = now() - interval '3 hours'`
    await sql`update preview_picture_checks set due_at = now()`
    const requestCount = web.count('/owned.png')
    await post(alice, url, { content: 'Owned', avatar_url })
    const { data } = await settled()
    expect(web.count('/owned.png') - requestCount).toBe(1)
    return data?.avatar_url
  }
  const first = await posted()
  expect(first).toMatch(OWN)
  const stored = async () =>
    (
      await sql`select 1 from preview_pictures where url_hash = (
      select url_hash from preview_pictures where key = ${first.slice('/media/'.length)})`
    ).length
  expect(await posted()).toBe(first)
  answers(response(503, {}, 'busy'))
  expect(await posted()).toBe(first)
  answers((socket) => void socket.destroy())
  expect(await posted()).toBe(first)
  expect(await stored()).toBe(1)
  answers(response(404, {}, 'gone'))
  expect(await posted()).toBeUndefined()
  answers(response(200, { 'content-type': 'image/png' }, await png(80, 80)))
  const second = await posted()
  expect([second === first, second]).toEqual([false, expect.stringMatching(OWN)])
  expect(await stored()).toBe(2)
  // While the host fails, its last picture stays; then the first one is back.
  answers(response(429, {}, 'busy'))
  expect(await posted()).toBe(second)
  answers(face)
  expect(await posted()).toBe(first)
  expect((await fetch(parley.url + first)).status).toBe(200)
})

test('an avatar is deleted with the last message that shows it', async () => {
  const avatar_url = web.on('/brief.png', face)
  await post(alice, url, { content: 'First', avatar_url })
  const first = await settled()
  await post(alice, url, { content: 'Second', avatar_url })
  const second = await settled()
  expect(second.data).toEqual(first.data)
  const served = async () => (await fetch(parley.url + first.data.avatar_url)).status
  const later = async () => {
    await sql`update preview_pictures set created_at = now() - interval '3 hours'`
    await sql`update preview_picture_checks set due_at = now()`
    await parley.sweep()
    await parley.sweep()
  }
  expect((await post(alice, `${url}/messages/${second.id}`, undefined, { method: 'DELETE' })).status).toBe(204)
  await later()
  expect(await served()).toBe(200)
  expect((await alice.delete(`/api/messages/${first.id}`)).status).toBe(204)
  await later()
  expect(await served()).toBe(404)
})

test('one account has one share for all webhooks that it made', async () => {
  const { url: second } = await webhook(alice, channel_id, 'Second')
  await sql`delete from preview_pages`
  await sql`insert into preview_pages (hash, asked_by)
    select decode(md5(n::text), 'hex'), ${alice.id} from generate_series(1, 199) n`
  await post(alice, url, { content: 'Within', avatar_url: web.on('/within.png', face) })
  expect((await settled()).data.avatar_url).toMatch(OWN)
  await post(alice, second, { content: 'Beyond', avatar_url: web.on('/beyond.png', face) })
  expect((await settled()).data).toBeNull()
  expect(web.count('/beyond.png')).toBe(0)
  expect(hookId).not.toBe(alice.id)
})
