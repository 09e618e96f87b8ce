import { expect, test } from 'bun:test'
import { boot, newServer, type Person, standard, stop } from '../../support/harness.ts'
import { exportOf } from '../../support/factors.ts'
import { befriend, deleteAccountOf, passersBy, peopleWithPassword } from '../../support/people.ts'
import { ObjectDeletions } from '../../../src/features/files/object-deletions.ts'
import { png, upload } from '../../support/uploads.ts'

const parley = await standard()
const { sql } = parley.parts

const profileOf = (reader: Person, { id }: Person) => reader.get(`/api/users/${id}/profile`)

test('an account writes a bio and pronouns, which its friends and members of its servers read', async () => {
  const [alice, bob, carol, dave] = await passersBy(parley, 'alice', 'bob', 'carol', 'dave')
  await befriend(alice, bob)
  await newServer(alice, carol)
  const empty = { user_id: alice.id, bio: '', pronouns: null, banner_url: null }
  expect((await profileOf(alice, alice)).body).toEqual(empty)
  const full = { ...empty, bio: 'Herons,\nand terns', pronouns: 'she/her' }
  const change = await alice.put('/api/auth/profile', { bio: full.bio, pronouns: full.pronouns })
  expect([change.status, change.body]).toEqual([200, full])
  for (const reader of [alice, bob, carol]) expect((await profileOf(reader, alice)).body).toEqual(full)
  expect((await profileOf(dave, alice)).body.code).toBe('not_found')
  // A field that is not named stays; null and an empty text remove one.
  expect((await alice.put('/api/auth/profile', { pronouns: null })).body).toEqual({ ...full, pronouns: null })
  expect((await alice.put('/api/auth/profile', { bio: ' ' })).body).toEqual(empty)
})

test('people who are blocked, held back or strangers read no profile', async () => {
  const [alice, bob, mallory] = await passersBy(parley, 'alice', 'bob', 'mallory')
  const { server_id } = await newServer(alice, bob, mallory)
  await alice.put('/api/auth/profile', { bio: 'Herons' })
  expect((await alice.post(`/api/friends/${bob.id}/block`)).status).toBe(200)
  expect((await profileOf(bob, alice)).status).toBe(404)
  // A block hides the profile from the one who is blocked, and not the other way round.
  expect((await profileOf(alice, bob)).status).toBe(200)
  await sql`update members set held_back = 'quarantined' where server_id = ${server_id} and user_id = ${mallory.id}`
  expect((await profileOf(mallory, alice)).status).toBe(404)
  // Moderators look at who is held back.
  expect((await profileOf(alice, mallory)).status).toBe(200)
  expect((await mallory.get('/api/users/1000000000/profile')).status).toBe(404)
})

test('a profile within its bounds is stored, and another one changes nothing', async () => {
  const [alice] = await passersBy(parley, 'alice')
  const longest = { bio: '𝔥'.repeat(300), pronouns: 'x'.repeat(40) }
  expect((await alice.put('/api/auth/profile', longest)).body).toMatchObject(longest)
  for (const body of [
    { bio: 'x'.repeat(301) },
    { bio: 'x\n'.repeat(10) + 'x' },
    ...['\r', '\v', '\u0085', '\u2028'].map((end) => ({ bio: `x${end}`.repeat(10) + 'x' })),
    { bio: 'x\0' },
    { bio: `x${'\u0301'.repeat(31)}` },
    { bio: null },
    { pronouns: 'x'.repeat(41) },
    { pronouns: 'she\nher' },
    { pronouns: '\u200b' },
    { banner_url: '/media/banners/1' },
    {},
  ])
    expect([body, (await alice.put('/api/auth/profile', body)).status]).toEqual([body, 422])
  expect((await profileOf(alice, alice)).body).toMatchObject(longest)
})

test('a banner of an upload opens by its URL without a token, is replaced, and its object goes with it', async () => {
  const [alice] = await passersBy(parley, 'alice')
  const { id: file_id } = await upload(alice, 'sea.png', 'image/png', await png(2_400, 480))
  const set = await alice.put('/api/auth/banner', { file_id })
  expect(set.status).toBe(200)
  const picture = await fetch(parley.url + set.body.banner_url)
  expect(picture.headers.get('content-type')).toBe('image/webp')
  expect(await new Bun.Image(await picture.bytes()).metadata()).toMatchObject({ width: 1_200, height: 240 })
  expect((await alice.get(`/api/files/${file_id}`)).status).toBe(404)
  const next = await upload(alice, 'lake.png', 'image/png', await png(60, 24))
  const replaced = await alice.put('/api/auth/banner', { file_id: next.id })
  expect(replaced.body.banner_url).not.toBe(set.body.banner_url)
  expect((await fetch(parley.url + set.body.banner_url)).status).toBe(404)
  expect((await alice.put('/api/auth/banner', { file_id: null })).body.banner_url).toBeNull()
  const rows = await sql`select from object_outbox where key = any(${[set, replaced].map(
    ({ body }) => `banners/${body.banner_url.split('/').at(-1)}`,
  )}::text[]) and due_at <= now()`
  expect(rows).toHaveLength(2)
})

test('a banner is made only of a picture of one’s own in no message, and a refused one changes nothing', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { channel_id } = await newServer(alice)
  const own = await upload(alice, 'sea.png', 'image/png', await png(60, 24))
  const { body } = await alice.put('/api/auth/banner', { file_id: own.id })
  const foreign = await upload(bob, 'sea.png', 'image/png', await png(60, 24))
  const sent = await upload(alice, 'sea.png', 'image/png', await png(60, 24))
  await alice.post(`/api/channels/${channel_id}/messages`, { content: '', file_ids: [sent.id] })
  const noPicture = await upload(alice, 'sea.png', 'text/plain', Buffer.from('no picture'))
  const large = await upload(alice, 'sea.bin', 'application/octet-stream', Buffer.alloc(4 * 1024 ** 2 + 1))
  for (const [file_id, status] of [
    [foreign.id, 404],
    [1_000_000_000, 404],
    [sent.id, 409],
    [noPicture.id, 422],
    [large.id, 422],
  ] as const)
    expect((await alice.put('/api/auth/banner', { file_id })).status).toBe(status)
  expect((await profileOf(alice, alice)).body.banner_url).toBe(body.banner_url)
})

test('a reported profile is kept as it was, with its banner, whatever its account changes', async () => {
  const [alice, bob, mallory] = await passersBy(parley, 'alice', 'bob', 'mallory')
  const { server_id } = await newServer(alice, bob, mallory)
  await mallory.put('/api/auth/profile', { bio: 'Buy my eggs', pronouns: 'egg/eggs' })
  const { id: file_id } = await upload(mallory, 'egg.png', 'image/png', await png(60, 24))
  const { body } = await mallory.put('/api/auth/banner', { file_id })
  const draft = { reason: 'spam', server_id }
  expect((await bob.post(`/api/users/${mallory.id}/reports`, draft)).status).toBe(204)
  await mallory.put('/api/auth/profile', { bio: '', pronouns: null })
  await mallory.put('/api/auth/banner', { file_id: null })
  const deletions = new ObjectDeletions(parley.parts)
  await deletions.run()
  deletions.stop()
  const [report] = (await alice.get(`/api/servers/${server_id}/reports`)).body
  const details = (await alice.get(`/api/reports/${report.id}`)).body
  expect(details.evidence.map(({ content }: { content: string }) => content)).toEqual([
    `${mallory.display_name}\negg/eggs\nBuy my eggs`,
  ])
  expect(details.files).toMatchObject([{ file_id, filename: 'banner.webp', width: 60, height: 24 }])
  const { download_url } = (await alice.get(`/api/reports/${report.id}/files/${file_id}/download-url`)).body
  expect((await new Bun.Image(await (await fetch(download_url)).bytes()).metadata()).width).toBe(60)
  expect((await fetch(parley.url + body.banner_url)).status).toBe(404)
})

test('an export has the profile, and a deleted account keeps nothing of it', async () => {
  const own = await boot()
  const [alice, bob] = await peopleWithPassword(own, 'alice', 'bob')
  await befriend(alice, bob)
  await alice.put('/api/auth/profile', { bio: 'Herons' })
  const { id: file_id } = await upload(alice, 'sea.png', 'image/png', await png(60, 24))
  const { banner_url } = (await alice.put('/api/auth/banner', { file_id })).body
  const { account } = (await exportOf(alice)).body
  expect(account.profile).toEqual({ bio: 'Herons', pronouns: null, banner_url })
  expect((await deleteAccountOf(alice)).status).toBe(204)
  expect((await profileOf(bob, alice)).status).toBe(404)
  expect((await fetch(own.url + banner_url)).status).toBe(404)
  const [rows] = await own.parts.sql`
    select (select count(*) from profiles)::int as profiles, (select count(*) from banners)::int as banners`
  expect(rows).toEqual({ profiles: 0, banners: 0 })
  await stop(own)
})
