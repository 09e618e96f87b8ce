import { expect, test } from 'bun:test'
import { canvases } from '../../../src/features/files/animation/frames.ts'
import { readWebp } from '../../../src/features/files/animation/webp.ts'
import { type Person, say, standard, until } from '../../support/harness.ts'
import { addRule, wordsRule } from '../../support/automod.ts'
import { apng, gif } from '../../support/animations.ts'
import { noise } from '../../support/noise.ts'
import { befriend, deleteAccountOf, passersBy, peopleWithPassword } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { forbidEveryone, promote } from '../../support/ranks.ts'
import { connect } from '../../support/socket.ts'
import { png, upload } from '../../support/uploads.ts'

const parley = await standard()
const { sql, objects } = parley.parts
const [alice, bob, carol, mallory] = await passersBy(parley, 'alice', 'bob', 'carol', 'mallory')

const picture = async (who: Person, bytes?: Uint8Array, type = 'image/png') =>
  (await upload(who, 'otter', type, bytes ?? (await png(200, 100)))).id
const make = async (who: Person, server_id: number, change: object = {}) =>
  who.post(`/api/servers/${server_id}/stickers`, {
    name: 'Waving otter',
    alt: 'An otter waves with both paws',
    file_id: await picture(who),
    ...change,
  })
const send = (who: Person, channel_id: number, sticker_id: number, more: object = {}) =>
  who.post(`/api/channels/${channel_id}/messages`, { sticker_id, ...more })
const fetchPicture = (url: string) => fetch(parley.url + url)

test('an uploaded picture becomes a sticker, which members see at once, and in the audit log', async () => {
  const { server_id } = await place(alice, bob)
  const live = await connect(bob)
  expect(live.of('server.snapshot').find(({ d }) => d.server.id === server_id)?.d).not.toHaveProperty('stickers')
  const fileId = await picture(alice)
  const { status, body } = await make(alice, server_id, { file_id: fileId, name: '  Waving\n otter ' })
  expect(status).toBe(201)
  expect(body).toMatchObject({ server_id, name: 'Waving otter', creator_id: alice.id, animated: false })
  expect(body.url).toMatch(/^\/media\/stickers\/[0-9a-f]{32}$/)
  expect((await live.next('sticker.created')).d).toEqual(body)
  const answer = await fetchPicture(body.url)
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(await new Bun.Image(await answer.bytes()).metadata()).toEqual({ width: 200, height: 100, format: 'webp' })
  expect((await alice.get(`/api/files/${fileId}`)).status).toBe(404)
  const fresh = await connect(bob)
  expect(fresh.of('server.snapshot').find(({ d }) => d.server.id === server_id)?.d.stickers).toEqual([body])
  const renamed = await alice.put(`/api/stickers/${body.id}`, { name: 'Otter' })
  expect(renamed.body).toEqual({ ...body, name: 'Otter' })
  expect((await live.next('sticker.updated')).d).toEqual(renamed.body)
  expect((await bob.get(`/api/servers/${server_id}/stickers`)).body).toEqual([renamed.body])
  expect((await alice.delete(`/api/stickers/${body.id}`)).status).toBe(204)
  expect((await live.next('sticker.deleted')).d).toEqual({ id: body.id, server_id })
  const log = (await alice.get(`/api/servers/${server_id}/audit-log`)).body
  expect(log.map(({ action, target_type }: any) => [action, target_type])).toEqual([
    ['sticker.deleted', 'sticker'],
    ['sticker.updated', 'sticker'],
    ['sticker.created', 'sticker'],
  ])
  expect(log[1].changes).toEqual({ name: { before: 'Waving otter', after: 'Otter' } })
  for (const gateway of [live, fresh]) gateway.close()
})

test('animated GIF and APNG stay animated, and `?still` shows their first picture', async () => {
  const { server_id } = await place(alice)
  for (const [bytes, type, frames] of [
    [gif(), 'image/gif', 4],
    [apng(), 'image/png', 2],
  ] as const) {
    const { body } = await make(alice, server_id, { file_id: await picture(alice, bytes, type) })
    expect(body.animated).toBe(true)
    const animation = readWebp(await (await fetchPicture(body.url)).bytes())
    expect(animation.frames).toHaveLength(frames)
    const still = await (await fetchPicture(`${body.url}?still`)).bytes()
    expect((await new Bun.Image(still).metadata()).format).toBe('webp')
    expect(Buffer.from(still).includes('ANIM')).toBe(false)
    if (type !== 'image/png') continue
    expect([animation.plays, animation.frames.map(({ ms }) => ms)]).toEqual([2, [200, 500]])
    const corners: boolean[][] = []
    for await (const canvas of canvases(animation))
      corners.push([0, 19].map((at) => (canvas[(at * 20 + at) * 4] ?? 0) > 128))
    expect(corners).toEqual([
      [true, true],
      [false, true],
    ])
  }
})

test('pictures are scaled down to 320 pixels; too large, damaged and foreign ones change nothing', async () => {
  const { server_id } = await place(alice)
  const large = await make(alice, server_id, { file_id: await picture(alice, await png(900, 450)) })
  const bytes = await (await fetchPicture(large.body.url)).bytes()
  expect(await new Bun.Image(bytes).metadata()).toEqual({ width: 320, height: 160, format: 'webp' })
  const heavy = await noise(400)
  expect(heavy.length).toBeGreaterThan(512 * 1024)
  const jpeg = await new Bun.Image(await png(64, 64)).jpeg().bytes()
  const before = await sql`select count(*) from object_outbox where key like 'stickers/%'`
  for (const [file_id, code] of [
    [await picture(alice, heavy), 'validation_failed'],
    [await picture(alice, jpeg, 'image/jpeg'), 'validation_failed'],
    [await picture(bob), 'not_found'],
    [999_999_999, 'not_found'],
  ])
    expect((await make(alice, server_id, { file_id })).body.code).toBe(code)
  const damaged = apng()
  damaged.fill(0, 60, 90)
  expect([201, 422]).toContain((await make(alice, server_id, { file_id: await picture(alice, damaged) })).status)
  expect(await sql`select count(*) from object_outbox where key like 'stickers/%'`).toEqual(before)
})

test('name and description are demanded, and bounded', async () => {
  const { server_id } = await place(alice)
  const file_id = await picture(alice)
  for (const change of [
    { name: 'x' },
    { name: 'x'.repeat(31) },
    { alt: '' },
    { alt: '\u200b' },
    { alt: 'x'.repeat(201) },
    { alt: undefined },
    { colour: 1 },
  ])
    expect([change, (await make(alice, server_id, { file_id, ...change })).status]).toEqual([change, 422])
  const { body } = await make(alice, server_id, { file_id })
  expect((await alice.put(`/api/stickers/${body.id}`, {})).status).toBe(422)
  expect((await alice.put(`/api/stickers/${body.id}`, { alt: ' ' })).status).toBe(422)
})

test('a server has at most 60 stickers, however many are made at once', async () => {
  const { server_id } = await place(alice)
  await sql`insert into stickers (server_id, name, alt, key, size, is_animated, creator_id)
    select ${server_id}, 'Otter', 'An otter', md5(${server_id} || ' ' || n), 0, false, ${alice.id}
    from generate_series(1, 58) n`
  const racing = await Promise.all(Array.from({ length: 4 }, () => make(alice, server_id)))
  expect(racing.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409])
  expect(racing.find(({ status }) => status === 409)?.body.code).toBe('too_many_stickers')
  expect((await alice.get(`/api/servers/${server_id}/stickers?limit=100`)).body).toHaveLength(60)
})

test('only members with manage_emoji change stickers, and outsiders learn nothing of them', async () => {
  const { server_id } = await place(alice, bob)
  const { body } = await make(alice, server_id)
  expect((await make(bob, server_id)).body.code).toBe('missing_permission')
  expect((await bob.put(`/api/stickers/${body.id}`, { name: 'Mine' })).body.code).toBe('missing_permission')
  expect((await bob.delete(`/api/stickers/${body.id}`)).body.code).toBe('missing_permission')
  expect((await bob.get(`/api/servers/${server_id}/assets`)).body.code).toBe('missing_permission')
  for (const answer of [
    await make(mallory, server_id),
    await mallory.put(`/api/stickers/${body.id}`, { name: 'Mine' }),
    await mallory.delete(`/api/stickers/${body.id}`),
    await mallory.get(`/api/servers/${server_id}/stickers`),
    await mallory.get(`/api/servers/${server_id}/assets`),
  ])
    expect(answer.status).toBe(404)
  await promote(bob, server_id, { bits: ['manage_emoji'] })
  expect((await make(bob, server_id)).status).toBe(201)
  const assets = (await bob.get(`/api/servers/${server_id}/assets`)).body
  expect(assets).toEqual({ bytes: expect.any(Number), bytes_max: 64 * 1024 * 1024 })
  expect(assets.bytes).toBeGreaterThan(0)
})

test('a sticker is a message of its own, or an answer, and stays visible when it is deleted', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const sticker = (await make(alice, server_id)).body
  const { id, name, alt, url, animated } = sticker
  const live = await connect(bob)
  const question = await say(bob, channel_id, 'Who waves?')
  const { status, body } = await send(alice, channel_id, id, { reply_to_id: question.id, nonce: 'one' })
  expect(status).toBe(201)
  expect(body).toMatchObject({ content: '', reply_to_id: question.id, sticker: { id, name, alt, url, animated } })
  const event = await live.next('message.created', ({ d }) => d.id === body.id)
  expect(event.d.sticker).toEqual(body.sticker)
  expect((await send(alice, channel_id, id, { reply_to_id: question.id, nonce: 'one' })).status).toBe(200)
  expect((await send(alice, channel_id, id, { nonce: 'one' })).body.code).toBe('nonce_conflict')
  const both = await send(bob, channel_id, id, { content: 'Look' })
  expect(both.body).toMatchObject({ content: 'Look', sticker: { id } })
  expect((await alice.put(`/api/messages/${body.id}`, { content: '' })).body).toMatchObject({ sticker: { id } })
  expect(await say(alice, channel_id, 'Nothing')).not.toHaveProperty('sticker')
  await alice.delete(`/api/stickers/${id}`)
  const sending = await send(bob, channel_id, id)
  expect(sending.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'body.sticker_id' }] })
  const page = (await bob.get(`/api/channels/${channel_id}/messages`)).body
  expect(page.find((one: any) => one.id === body.id).sticker).toEqual(body.sticker)
  expect((await fetchPicture(url)).status).toBe(200)
  await sql`delete from stickers where id = ${id}`
  expect((await bob.get(`/api/messages/${body.id}`)).body.sticker).toBeNull()
  await until(async () => (await fetchPicture(url)).status === 404)
  live.close()
})

test('another server’s sticker needs membership and use_external_emoji; a dm takes those of all servers', async () => {
  const here = await place(alice, bob)
  const there = await place(carol, bob)
  const { id } = (await make(carol, there.server_id)).body
  expect((await send(alice, here.channel_id, id)).body.code).toBe('validation_failed')
  expect((await send(bob, here.channel_id, id)).status).toBe(201)
  await forbidEveryone(alice, here.server_id, 'use_external_emoji')
  const refused = await send(bob, here.channel_id, id)
  expect([refused.body.code, refused.body.detail]).toEqual([
    'missing_permission',
    'The permission use_external_emoji is missing',
  ])
  await befriend(bob, alice)
  const dm = await bob.post('/api/dm/messages', { recipient_id: alice.id, sticker_id: id })
  expect(dm.body).toMatchObject({ sticker: { id }, recipient_id: alice.id })
  expect((await alice.post('/api/dm/messages', { recipient_id: bob.id, sticker_id: id })).status).toBe(422)
  expect((await alice.get(`/api/dm/${bob.id}/messages`)).body[0]).toMatchObject({ sticker: { id } })
})

test('a forward takes the sticker along while the original stands, or its description where it may not', async () => {
  const here = await place(alice, bob)
  const there = await place(bob, alice)
  const { id, alt } = (await make(alice, here.server_id)).body
  const { body: original } = await send(alice, here.channel_id, id)
  const forward = (who: Person, channel_id: number, forward_message_id: number) =>
    who.post(`/api/channels/${channel_id}/messages`, { forward_message_id })
  const first = (await forward(alice, there.channel_id, original.id)).body
  expect(first).toMatchObject({ forwarded: { content: '', sticker: { id, alt } } })
  expect(first).not.toHaveProperty('sticker')
  const again = (await forward(alice, here.channel_id, first.id)).body
  expect(again.forwarded.sticker.id).toBe(id)
  await forbidEveryone(bob, there.server_id, 'use_external_emoji')
  const plain = (await forward(alice, there.channel_id, original.id)).body
  expect(plain.forwarded).toMatchObject({ content: alt })
  expect(plain.forwarded).not.toHaveProperty('sticker')
  expect((await send(alice, here.channel_id, id, { forward_message_id: original.id })).status).toBe(422)
  await alice.delete(`/api/messages/${original.id}`)
  for (const message of [first, again]) {
    const { forwarded } = (await alice.get(`/api/messages/${message.id}`)).body
    expect(forwarded.content).toBeNull()
    expect(forwarded).not.toHaveProperty('sticker')
  }
})

test('a forum post may begin with a sticker, and a scheduled message may not have one', async () => {
  const { server_id, channel_id } = await place(alice)
  const { id } = (await make(alice, server_id)).body
  const forum = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'ideas', type: 'forum' })).body
  const post = await alice.post(`/api/channels/${forum.id}/threads`, { name: 'Otters', message: { sticker_id: id } })
  expect(post.status).toBe(201)
  expect((await alice.get(`/api/messages/${post.body.first_message_id}`)).body.sticker.id).toBe(id)
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  const draft = { content: 'Later', sticker_id: id }
  expect((await alice.post(`/api/channels/${channel_id}/scheduled`, { draft, send_at })).status).toBe(422)
})

test('rules judge the texts of stickers as they are made, renamed and sent from elsewhere', async () => {
  const here = await place(alice, bob)
  const there = await place(bob)
  await addRule(alice, here.server_id, wordsRule(['heron']))
  await promote(bob, here.server_id, { bits: ['manage_emoji'] })
  const file_id = await picture(bob)
  for (const change of [{ name: 'A heron' }, { alt: 'A grey h3ron or heron' }])
    expect((await make(bob, here.server_id, { file_id, ...change })).body.code).toBe('automod_blocked')
  const own = (await make(bob, here.server_id, { file_id })).body
  expect((await bob.put(`/api/stickers/${own.id}`, { alt: 'heron' })).body.code).toBe('automod_blocked')
  const foreign = (await make(bob, there.server_id, { alt: 'A heron' })).body
  expect((await send(bob, here.channel_id, foreign.id)).body.code).toBe('automod_blocked')
  expect((await send(bob, here.channel_id, own.id)).status).toBe(201)
  const original = (await send(bob, there.channel_id, foreign.id)).body
  const forwarding = await bob.post(`/api/channels/${here.channel_id}/messages`, { forward_message_id: original.id })
  expect(forwarding.body.code).toBe('automod_blocked')
})

test('a rule of one’s own server reads no sticker of a server that the writer is not in', async () => {
  const [here, hidden] = [await place(bob, alice), await place(alice)]
  await addRule(bob, here.server_id, wordsRule(['heron']))
  const secret = (await make(alice, hidden.server_id, { alt: 'A heron' })).body
  expect((await send(bob, here.channel_id, secret.id)).body.code).toBe('validation_failed')
})

test('search finds a message by its sticker’s name and description', async () => {
  const { server_id, channel_id } = await place(alice)
  const { id } = (await make(alice, server_id, { name: 'Splash', alt: 'A wagtail bathes' })).body
  const { body } = await send(alice, channel_id, id)
  const find = async (q: string) =>
    (await alice.get(`/api/search?q=${q}&server_id=${server_id}`)).body.messages.map((one: any) => one.id)
  await until(async () => (await find('wagtail')).length > 0)
  expect(await find('wagtail')).toEqual([body.id])
  expect(await find('splash')).toEqual([body.id])
})

test('a sticker outlives the account that made it, and goes with the server', async () => {
  const [dan] = await peopleWithPassword(parley, 'dan')
  const { server_id } = await place(alice, dan)
  await promote(dan, server_id, { bits: ['manage_emoji'] })
  const { url } = (await make(dan, server_id)).body
  const [row] = await sql`select stored_bytes from users where id = ${dan.id}`
  expect(row?.stored_bytes).toBe(0)
  expect((await deleteAccountOf(dan)).status).toBe(204)
  await parley.sweep()
  expect((await fetchPicture(url)).status).toBe(200)
  await alice.delete(`/api/servers/${server_id}`)
  await until(async () => (await sql`select 1 from servers where id = ${server_id}`).length === 0)
  await until(async () => (await objects.head(url.replace('/media/', ''))) === undefined)
  expect((await fetchPicture(url)).status).toBe(404)
})
