import { expect, test } from 'bun:test'
import { type Person, say, standard, until } from '../../support/harness.ts'
import { deleteAccountOf, passersBy, peopleWithPassword, write } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { forbidEveryone, promote } from '../../support/ranks.ts'
import { connect } from '../../support/socket.ts'
import { avif, png, upload } from '../../support/uploads.ts'

const parley = await standard()
const { sql, objects } = parley.parts
const [alice, bob, carol, mallory] = await passersBy(parley, 'alice', 'bob', 'carol', 'mallory')

const picture = async (who: Person, bytes?: Uint8Array, type = 'image/png') =>
  (await upload(who, 'owl', type, bytes ?? (await png(200, 100)))).id
const make = async (who: Person, server_id: number, name: string, fileId?: number) =>
  who.post(`/api/servers/${server_id}/emoji`, { name, file_id: fileId ?? (await picture(who)) })
const fetchPicture = (url: string) => fetch(parley.url + url)
const used = async (who: Person, id: number) =>
  (await who.post('/api/emoji/used', { message_ids: [id] })).body.map(({ name }: any) => name)
const keyOf = (url: string) => url.replace('/media/', '')

test('an uploaded picture becomes an emoji of the server, small, and no file of the uploader any more', async () => {
  const { server_id } = await place(alice, bob)
  const live = await connect(bob)
  const fileId = await picture(alice)
  const response = await make(alice, server_id, 'owl', fileId)
  expect(response.status).toBe(201)
  expect(response.body).toMatchObject({ server_id, name: 'owl', creator_id: alice.id })
  expect(response.body.url).toMatch(/^\/media\/emoji\/[0-9a-f]{32}$/)
  expect((await live.next('emoji.created')).d).toEqual(response.body)
  const answer = await fetchPicture(response.body.url)
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  const bytes = await answer.bytes()
  expect(await new Bun.Image(bytes).metadata()).toEqual({ width: 128, height: 64, format: 'webp' })
  expect((await alice.get(`/api/files/${fileId}`)).status).toBe(404)
  const fresh = await connect(bob)
  expect(fresh.of('server.snapshot').find(({ d }) => d.server.id === server_id)?.d.emoji).toEqual([response.body])
  const renamed = await alice.put(`/api/emoji/${response.body.id}`, { name: 'night_owl' })
  expect(renamed.body).toEqual({ ...response.body, name: 'night_owl' })
  expect((await live.next('emoji.updated')).d).toEqual(renamed.body)
  expect((await bob.get(`/api/servers/${server_id}/emoji`)).body).toEqual([renamed.body])
  expect((await alice.delete(`/api/emoji/${response.body.id}`)).status).toBe(204)
  expect((await live.next('emoji.deleted')).d).toEqual({ id: response.body.id, server_id })
  expect((await fetchPicture(response.body.url)).status).toBe(200)
  const log = (await alice.get(`/api/servers/${server_id}/audit-log`)).body
  expect(log.map(({ action, changes }: any) => [action, changes.name])).toEqual([
    ['emoji.deleted', { before: 'night_owl', after: null }],
    ['emoji.updated', { before: 'owl', after: 'night_owl' }],
    ['emoji.created', { before: null, after: 'owl' }],
  ])
  for (const gateway of [live, fresh]) gateway.close()
})

test('png, webp and gif become emoji, avif where the system can; damaged and large ones are refused', async () => {
  const { server_id } = await place(alice)
  const image = new Bun.Image(await png(64, 64))
  const good = {
    webp: await image.webp().bytes(),
    gif: Uint8Array.from(Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')),
  }
  // The documents exclude Linux: if this fails there, they may promise AVIF everywhere.
  const tried = await make(alice, server_id, 'avif', await picture(alice, avif(), 'image/avif'))
  expect(tried.status).toBe(process.platform === 'linux' ? 422 : 201)
  for (const [type, bytes] of Object.entries(good))
    expect([type, (await make(alice, server_id, type, await picture(alice, bytes, `image/${type}`))).status]).toEqual([
      type,
      201,
    ])
  const jpeg = await picture(alice, await image.jpeg().bytes(), 'image/jpeg')
  const text = await picture(alice, new TextEncoder().encode('<svg onload=alert(1)>'), 'text/plain')
  const small = await png(8, 8)
  // A colour profile is part of a picture.
  const profile = Buffer.alloc(12 + 300 * 1024)
  profile.writeUInt32BE(300 * 1024)
  profile.write('iCCP', 4)
  const large = await picture(alice, Buffer.concat([small.subarray(0, 33), profile, small.subarray(33)]))
  const wide = await picture(alice, await png(5000, 5000))
  for (const fileId of [jpeg, text, large, wide]) {
    const refused = await make(alice, server_id, 'odd', fileId)
    expect([refused.status, refused.body.errors?.[0].path]).toEqual([422, 'body.file_id'])
    expect((await alice.get(`/api/files/${fileId}`)).status).toBe(200)
  }
  for (const name of ['a', 'Owl', 'o wl', 'öwl', 'o'.repeat(33)])
    expect([name, (await make(alice, server_id, name, jpeg)).status]).toEqual([name, 422])
  expect((await make(alice, server_id, 'stolen', await picture(bob))).status).toBe(404)
  expect((await alice.get(`/api/servers/${server_id}/emoji`)).body).toHaveLength(tried.status === 201 ? 3 : 2)
  expect(await sql`select 1 from object_outbox where key like 'emoji/%' and due_at > now()`).toHaveLength(0)
})

test('manage_emoji makes, renames and deletes; a name is unique in a server, and free after a deletion', async () => {
  const { server_id } = await place(alice, bob, carol)
  const { id } = (await make(alice, server_id, 'owl')).body
  expect((await make(bob, server_id, 'heron')).body.detail).toBe('The permission manage_emoji is missing')
  for (const refused of [await bob.put(`/api/emoji/${id}`, { name: 'x2' }), await bob.delete(`/api/emoji/${id}`)])
    expect(refused.status).toBe(403)
  expect((await mallory.delete(`/api/emoji/${id}`)).status).toBe(404)
  await promote(bob, server_id, { bits: ['manage_emoji'] })
  const files = await Promise.all([picture(bob), picture(bob), picture(bob)])
  const racing = await Promise.all(files.map((fileId) => make(bob, server_id, 'heron', fileId)))
  expect(racing.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  expect(racing.find(({ status }) => status === 409)?.body.code).toBe('emoji_name_taken')
  expect((await bob.put(`/api/emoji/${id}`, { name: 'heron' })).body.code).toBe('emoji_name_taken')
  await bob.delete(`/api/emoji/${id}`)
  expect((await make(bob, server_id, 'owl', files[2])).status).toBeOneOf([201, 404])
})

test('a server has at most 250', async () => {
  const { server_id } = await place(alice)
  await sql`insert into emojis (server_id, name, key, creator_id)
    select ${server_id}, 'owl_' || n, ${`${server_id}-`} || n, ${alice.id} from generate_series(1, 249) n`
  const files = await Promise.all([picture(alice), picture(alice)])
  const racing = await Promise.all(files.map((fileId, at) => make(alice, server_id, `last_${at}`, fileId)))
  expect(racing.map(({ status }) => status).toSorted()).toEqual([201, 409])
  expect(racing.find(({ status }) => status === 409)?.body.code).toBe('too_many_emoji')
})

test('messages show the emoji that their author may use there: of the server, or of another with a bit', async () => {
  const { server_id, channel_id } = await place(alice, bob, carol)
  const other = await place(bob, alice)
  const own = (await make(alice, server_id, 'owl')).body
  const foreign = (await make(bob, other.server_id, 'heron')).body
  const text = `<:owl:${own.id}> <:heron:${foreign.id}> <:none:999999999999999> \`<:\``
  const says = async (who: Person) => used(carol, (await say(who, channel_id, text)).id)
  expect(await says(bob)).toEqual(['owl', 'heron'])
  expect(await says(carol)).toEqual(['owl'])
  await forbidEveryone(alice, server_id, 'use_external_emoji')
  expect(await says(bob)).toEqual(['owl'])
  const plain = await say(bob, channel_id, 'Nothing')
  await bob.put(`/api/messages/${plain.id}`, { content: text })
  expect(await used(carol, plain.id)).toEqual(['owl'])
  expect(await used(mallory, plain.id)).toEqual([])
  const direct = await write(bob, alice, text)
  expect(await used(alice, direct.id)).toEqual(['owl', 'heron'])
  // A deleted emoji stays visible in old messages, and cannot be used again.
  await alice.delete(`/api/emoji/${own.id}`)
  expect(await used(carol, plain.id)).toEqual(['owl'])
  expect(await says(bob)).toEqual([])
})

test('a forward shows its original’s emoji of that time, deleted ones too, and others with a bit', async () => {
  const { server_id, channel_id } = await place(alice, bob, carol)
  const other = await place(bob, mallory)
  const own = (await make(alice, server_id, 'owl')).body
  const foreign = (await make(bob, other.server_id, 'heron')).body
  const text = `<:owl:${own.id}> <:heron:${foreign.id}>`
  const original = await say(bob, channel_id, text)
  const forwarded = async (who: Person, to: number, id = original.id) =>
    (await who.post(`/api/channels/${to}/messages`, { forward_message_id: id })).body.id
  await alice.delete(`/api/emoji/${own.id}`)
  // A forward is a copy: its emoji stay after any edit of the original,
  const near = await forwarded(carol, channel_id)
  expect(await used(carol, near)).toEqual(['owl', 'heron'])
  // also in a forward of the forward.
  const far = await forwarded(bob, other.channel_id)
  expect(await used(mallory, far)).toEqual(['owl', 'heron'])
  expect(await used(carol, far)).toEqual([])
  expect(await used(carol, await forwarded(bob, channel_id, far))).toEqual(['owl', 'heron'])
  expect(await used(mallory, await forwarded(bob, other.channel_id, near))).toEqual(['owl', 'heron'])
  await forbidEveryone(alice, server_id, 'use_external_emoji')
  expect(await used(carol, await forwarded(bob, channel_id))).toEqual(['owl'])
  expect(await used(carol, await forwarded(bob, channel_id, far))).toEqual(['owl'])
  await bob.put(`/api/messages/${original.id}`, { content: 'Nothing' })
  expect(await used(carol, near)).toEqual(['owl', 'heron'])
  await bob.put(`/api/messages/${far}`, { content: 'With a word' })
  expect(await used(mallory, far)).toEqual(['owl', 'heron'])
})

test('a message shows the first fifty different emoji', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const rows = await sql<{ id: number; name: string }[]>`insert into emojis (server_id, name, key, creator_id)
    select ${server_id}, 'owl_' || n, ${`${server_id}-`} || n, ${alice.id} from generate_series(1, 52) n
    returning id, name`
  const [first, ...others] = rows.toReversed().map(({ id, name }) => `<:${name}:${id}>`)
  const { id } = await say(bob, channel_id, [first, first, ...others].join(' '))
  const names = rows.slice(2).map(({ name }) => name)
  expect((await used(bob, id)).toSorted()).toEqual(names.toSorted())
})

test('after many edits, a message keeps the emoji of its text and reactions, and no others', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const rows = await sql<{ id: number; name: string }[]>`insert into emojis (server_id, name, key, creator_id)
    select ${server_id}, 'owl_' || n, ${`${server_id}-`} || n, ${alice.id} from generate_series(1, 4) n
    returning id, name`
  const [a, b, c, d] = rows.map(({ id, name }) => `${name}:${id}`)
  const { id } = await say(bob, channel_id, `<:${a}> <:${b}>`)
  const storedEmoji = async () =>
    (await sql`select emoji_id from message_emojis where message_id = ${id} order by 1`).map(({ emoji_id }) =>
      rows.findIndex((row) => row.id === emoji_id),
    )
  expect((await bob.put(`/api/messages/${id}/reactions/${c}/@me`)).status).toBe(204)
  expect((await bob.put(`/api/messages/${id}/reactions/${d}/@me`)).status).toBe(204)
  expect(await storedEmoji()).toEqual([0, 1, 2, 3])
  // A deleted emoji stays as long as a message uses it.
  await alice.delete(`/api/emoji/${rows[1]?.id}`)
  await bob.put(`/api/messages/${id}`, { content: `<:${b}> <:${d}>` })
  expect(await storedEmoji()).toEqual([1, 2, 3])
  for (const each of [c, d]) await bob.delete(`/api/messages/${id}/reactions/${each}/@me`)
  expect(await storedEmoji()).toEqual([1, 3])
  await bob.put(`/api/messages/${id}`, { content: 'Nothing' })
  expect(await storedEmoji()).toEqual([])
})

test('a reaction with a custom emoji follows its renaming and outlives its deletion', async () => {
  const { server_id, channel_id } = await place(alice, bob, carol)
  const other = await place(bob)
  const { id } = await say(alice, channel_id, 'Look')
  const own = (await make(alice, server_id, 'owl')).body
  const foreign = (await make(bob, other.server_id, 'heron')).body
  const react = (who: Person, emoji: string) => who.put(`/api/messages/${id}/reactions/${emoji}/@me`)
  expect((await react(bob, `owl:${own.id}`)).status).toBe(204)
  await alice.put(`/api/emoji/${own.id}`, { name: 'night_owl' })
  expect((await react(carol, `night_owl:${own.id}`)).status).toBe(204)
  expect((await react(carol, `heron:${foreign.id}`)).status).toBe(404)
  expect((await react(bob, `heron:${foreign.id}`)).status).toBe(204)
  const reactions = async () =>
    (await carol.get(`/api/messages/${id}`)).body.reactions.map(({ emoji, count, me }: any) => [emoji, count, me])
  expect(await reactions()).toEqual([
    [`owl:${own.id}`, 2, true],
    [`heron:${foreign.id}`, 1, false],
  ])
  const deleting = await Promise.all([alice.delete(`/api/emoji/${own.id}`), react(alice, `owl:${own.id}`)])
  expect(deleting.map(({ status }) => status)).toEqual([204, 204])
  expect((await reactions())[0]).toEqual([`owl:${own.id}`, 3, true])
  expect(await used(carol, id)).toEqual(['night_owl', 'heron'])
  const next = await say(alice, channel_id, 'Another')
  expect((await bob.put(`/api/messages/${next.id}/reactions/owl:${own.id}/@me`)).status).toBe(404)
})

test('an emoji takes none of its uploader’s space, outlives the account, and goes with the server', async () => {
  const [dan] = await peopleWithPassword(parley, 'dan')
  const { server_id } = await place(alice, dan)
  await promote(dan, server_id, { bits: ['manage_emoji'] })
  const stored = async () => (await sql`select stored_bytes from users where id = ${dan.id}`)[0]?.stored_bytes
  const fileId = await picture(dan)
  expect(await stored()).toBeGreaterThan(0)
  const { url } = (await make(dan, server_id, 'owl', fileId)).body
  expect(await stored()).toBe(0)
  expect((await deleteAccountOf(dan)).status).toBe(204)
  await parley.sweep()
  expect((await fetchPicture(url)).status).toBe(200)
  expect(await objects.head(keyOf(url))).toBeDefined()
  expect((await alice.get(`/api/servers/${server_id}/emoji`)).body).toMatchObject([{ name: 'owl', url }])
  await alice.delete(`/api/servers/${server_id}`)
  await until(async () => (await sql`select 1 from servers where id = ${server_id}`).length === 0)
  await until(async () => (await objects.head(keyOf(url))) === undefined)
  expect((await fetchPicture(url)).status).toBe(404)
})

test('no path but the key of an emoji leads to an object', async () => {
  const file = await upload(alice, 'secret.png', 'image/png', await png(8, 8))
  const [{ key }] = await sql<[{ key: string }]>`select key from files where id = ${file.id}`
  const paths = [
    '..%2Ffiles%2Fx',
    encodeURIComponent(`../${key}`),
    key.replace('files/', ''),
    '0'.repeat(32),
    'A'.repeat(32),
  ]
  // An object without a record.
  await objects.put(`emoji/${'1'.repeat(32)}`, await png(8, 8), 'image/webp')
  paths.push('1'.repeat(32))
  for (const path of paths) expect([path, (await fetchPicture(`/media/emoji/${path}`)).status]).toEqual([path, 404])
})
