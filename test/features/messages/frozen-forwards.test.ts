import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { type Person, say, standard, until } from '../../support/harness.ts'
import { deleteAccountOf, group, passersBy, peopleWithPassword } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'
import { download, png, upload } from '../../support/uploads.ts'

const parley = await standard()
const { sql } = parley.parts

const channel = async (owner: Person, server_id: number, name: string): Promise<number> =>
  (await owner.post(`/api/servers/${server_id}/channels`, { name, type: 'text' })).body.id
const forward = async (who: Person, channel_id: number, forward_message_id: number, more: object = {}) => {
  const { status, body } = await who.post(`/api/channels/${channel_id}/messages`, { forward_message_id, ...more })
  expect(status).toBe(201)
  return body
}
/** A message with a picture. */
const owl = async (who: Person, channel_id: number, content = 'An owl') => {
  const file = await upload(who, 'owl.png', 'image/png', await png(40, 30))
  return (await who.post(`/api/channels/${channel_id}/messages`, { content, file_ids: [file.id] })).body
}
const read = async (who: Person, id: number) => (await who.get(`/api/messages/${id}`)).body
const hide = (owner: Person, channel_id: number, everyone: number, bit: 'view_channel' | 'read_history') =>
  owner.put(`/api/channels/${channel_id}/permissions/${everyone}`, { deny: permissions(bit) })
/** A forward without its reference, and after the deletion of its original. */
const unnamed = (content: string | null) => ({ message_id: null, channel_id: null, author: null, content })

test('an edit of the original reaches no forward, neither live nor by history, replay or search', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id } = await place(alice, bob)
  const other = await channel(alice, server_id, 'other')
  const { id } = await say(alice, channel_id, 'Two ptarmigans')
  const sent = await forward(bob, other, id)
  const again = await forward(bob, channel_id, sent.id)
  const live = await connect(bob)
  await alice.put(`/api/messages/${id}`, { content: 'Three lagopus' })
  await live.next('message.updated', ({ d }) => d.id === id)
  await live.settled()
  expect(live.of('message.updated').map(({ d }) => d.id)).toEqual([id])
  for (const one of [sent, again]) expect((await read(bob, one.id)).forwarded.content).toBe('Two ptarmigans')
  await parley.sweep()
  const found = async (q: string) =>
    (await bob.get(`/api/search?q=${q}&server_id=${server_id}`)).body.messages.map((one: any) => one.id)
  expect(await found('ptarmigans')).toEqual([again.id, sent.id])
  expect(await found('lagopus')).toEqual([id])
  live.close()
})

test('a forward out of a channel that its readers do not see names the channel only to its readers', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id, everyone } = await place(alice, bob)
  const staff = await channel(alice, server_id, 'staff')
  await hide(alice, staff, everyone, 'view_channel')
  const { id } = await say(alice, staff, 'Keep this among us')
  const live = await connect(bob)
  const sent = await forward(alice, channel_id, id)
  const created = await live.next('message.created', ({ d }) => d.id === sent.id)
  expect(created.d.forwarded).toEqual(unnamed('Keep this among us'))
  expect(sent.forwarded).toEqual(unnamed('Keep this among us'))
  expect((await read(bob, sent.id)).forwarded).toEqual(unnamed('Keep this among us'))
  expect((await read(alice, sent.id)).forwarded).toMatchObject({ message_id: id, channel_id: staff })
  // Somebody also reads a page of the history, a pin, a search and the inbox.
  await alice.put(`/api/channels/${channel_id}/pins/${sent.id}`)
  await parley.sweep()
  for (const path of [
    `channels/${channel_id}/messages`,
    `channels/${channel_id}/pins`,
    `search?q=among&server_id=${server_id}`,
  ]) {
    const text = async (who: Person) => JSON.stringify((await who.get(`/api/${path}`)).body)
    expect(await text(bob)).toContain('Keep this among us')
    expect(await text(bob)).not.toContain(`"channel_id":${staff}`)
    expect(await text(alice)).toContain(`"channel_id":${staff}`)
  }
  live.close()
})

test('a reader who loses sight of the source loses the reference, and keeps the copy', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id, everyone } = await place(alice, bob)
  const other = await channel(alice, server_id, 'other')
  const { id } = await say(alice, other, 'Open for now')
  const sent = await forward(bob, channel_id, id)
  expect(sent.forwarded.message_id).toBe(id)
  for (const bit of ['read_history', 'view_channel'] as const) {
    await hide(alice, other, everyone, bit)
    expect((await read(bob, sent.id)).forwarded).toEqual(unnamed('Open for now'))
    await alice.delete(`/api/channels/${other}/permissions/${everyone}`)
    expect((await read(bob, sent.id)).forwarded.message_id).toBe(id)
  }
  // From then on events, a pin's too, name it to all.
  await hide(alice, other, everyone, 'view_channel')
  const live = await connect(bob)
  await alice.put(`/api/channels/${channel_id}/pins/${sent.id}`)
  const { d } = await live.next('message.updated', ({ d }) => d.id === sent.id)
  expect(d.forwarded).toEqual(unnamed('Open for now'))
  live.close()
})

test('within a private channel, and between two of the same roles, events name the original', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, everyone } = await place(alice, bob)
  const [one, two] = [await channel(alice, server_id, 'one'), await channel(alice, server_id, 'two')]
  for (const each of [one, two]) await hide(alice, each, everyone, 'view_channel')
  const { id } = await say(alice, one, 'Among us')
  for (const to of [one, two]) expect((await forward(alice, to, id)).forwarded.message_id).toBe(id)
  const role = (await alice.post(`/api/servers/${server_id}/roles`, { name: 'Guests' })).body.id
  await alice.put(`/api/channels/${two}/permissions/${role}`, { allow: permissions('view_channel') })
  expect((await forward(alice, two, id)).forwarded.message_id).toBeNull()
  expect((await forward(alice, one, id)).forwarded.message_id).toBe(id)
})

/** The ways to delete an original. */
const deletions: Record<string, (at: Awaited<ReturnType<typeof scene>>) => Promise<unknown>> = {
  'by its author': ({ bob, id }) => bob.delete(`/api/messages/${id}`),
  'by a moderator': ({ alice, id }) => alice.delete(`/api/messages/${id}`),
  'among many': ({ alice, source, id }) => alice.post(`/api/channels/${source}/messages/bulk-delete`, { ids: [id] }),
  'with its channel': ({ alice, source }) => alice.delete(`/api/channels/${source}`),
  'with its thread': ({ alice, thread }) => alice.delete(`/api/channels/${thread}`),
  'with its server': ({ alice, server_id }) => alice.delete(`/api/servers/${server_id}`),
  'by its age': async ({ alice, source }) => {
    await sql`update messages set created_at = created_at - interval '3 days' where channel_id = ${source}`
    await alice.put(`/api/channels/${source}`, { message_retention_days: 1 })
    await parley.sweep()
  },
}

/** An original with a picture, and its forwards: in the server, in a dm, in a group, and forwards of those. */
async function scene(isThread: boolean) {
  const [alice, bob, carol] = await passersBy(parley, 'alice', 'bob', 'carol')
  const { server_id } = await place(alice, bob, carol)
  const source = await channel(alice, server_id, 'source')
  const thread = (await alice.post(`/api/channels/${source}/threads`, { name: 'Owls' })).body.id
  const elsewhere = await place(bob, carol)
  const { id } = await owl(bob, isThread ? thread : source, 'An eagle owl')
  const home = await group(bob, alice, carol)
  const out = await forward(bob, elsewhere.channel_id, id)
  const dm = (await bob.post('/api/dm/messages', { recipient_id: carol.id, forward_message_id: id })).body
  const inGroup = await forward(bob, home, id)
  const again = await forward(carol, elsewhere.channel_id, dm.id)
  // A forward of a forward with a comment has the comment, and its pictures.
  const commented = await forward(bob, elsewhere.channel_id, id, { content: 'See' })
  const further = await forward(carol, elsewhere.channel_id, commented.id)
  expect([out, dm, inGroup, again].map(({ forwarded }) => forwarded.content)).toEqual(Array(4).fill('An eagle owl'))
  expect([commented.forwarded.content, further.forwarded.content]).toEqual(['An eagle owl', 'See'])
  return {
    alice,
    bob,
    carol,
    server_id,
    source,
    thread,
    id,
    elsewhere,
    forwards: [out, dm, inGroup, again],
    commented,
    further,
  }
}

for (const [way, remove] of Object.entries(deletions))
  test(`an original that is deleted ${way} takes text and files of its forwards along`, async () => {
    const at = await scene(way === 'with its thread')
    const { carol, forwards, commented, further, elsewhere } = at
    const all = [...forwards, commented, further]
    const live = await connect(carol)
    for (const { files } of all) expect(files).toHaveLength(1)
    await parley.sweep()
    const ids = all.flatMap(({ files }) => files.map((file: { id: number }) => file.id))
    for (const id of ids) await (await download(carol, id)).bytes()
    const search = async (query: string) =>
      (await carol.get(`/api/search?${query}`)).body.messages.map((one: { id: number }) => one.id)
    expect((await search(`has=image&server_id=${elsewhere.server_id}`)).length).toBe(4)
    expect((await remove(at)) ?? { status: 200 }).toMatchObject({ status: expect.any(Number) })

    // Readers see it at once.
    for (const one of all) {
      const { forwarded, files } = await read(carol, one.id)
      if (one === further) expect(forwarded.content).toBe('See')
      else expect(forwarded).toEqual(unnamed(null))
      expect(files).toEqual([])
      expect((await carol.get(`/api/messages/${one.id}/files`)).body).toEqual([])
    }
    for (const id of ids) {
      expect((await carol.get(`/api/files/${id}`)).status).toBe(404)
      expect((await carol.get(`/api/files/${id}/download-url`)).status).toBe(404)
    }
    expect((await carol.post('/api/files/download-urls', { ids })).body).toEqual({})
    // Open clients, the index and the disk follow soon.
    for (const { id } of [forwards[0], forwards[1]])
      await live.next('message.updated', ({ d }) => d.id === id && d.files.length === 0 && d.forwarded.content === null)
    await until(async () => (await sql`select from files where id = any(${ids})`).length === 0)
    await parley.sweep()
    expect(await search(`has=image&server_id=${elsewhere.server_id}`)).toEqual([])
    expect(await search(`q=eagle&server_id=${elsewhere.server_id}`)).toEqual([])
    expect(await search(`q=See&server_id=${elsewhere.server_id}`)).toEqual([further.id, commented.id])
    expect(await sql`select from messages where forwarded::text like '%eagle owl%'`).toEqual([] as never)
    expect(await sql`select from events where body::text like '%eagle owl%'`).toEqual([] as never)
    live.close()
  })

test('files of a deleted account go from forwards that others made, and so does a deleted file', async () => {
  const [alice, bob] = await peopleWithPassword(parley, 'alice', 'bob')
  const { server_id, channel_id } = await place(alice, bob)
  const other = await channel(alice, server_id, 'other')
  const [one, two] = [await owl(bob, channel_id), await owl(bob, channel_id)]
  const [first, second] = [await forward(alice, other, one.id), await forward(alice, other, two.id)]
  const own = await upload(alice, 'own.png', 'image/png', await png(10, 10))
  const third = await forward(alice, other, one.id, { file_ids: [own.id] })
  expect((await bob.delete(`/api/files/${one.files[0].id}`)).status).toBe(204)
  expect(await read(alice, first.id)).toMatchObject({ files: [], forwarded: { content: 'An owl', message_id: one.id } })
  expect((await read(alice, third.id)).files).toMatchObject([{ filename: 'own.png' }])
  expect((await read(alice, second.id)).files).toHaveLength(1)
  expect((await deleteAccountOf(bob)).status).toBe(204)
  await until(async () => (await read(alice, second.id)).files.length === 0)
  await parley.sweep()
  const remaining = await sql`select filename from files where uploader_id = ${alice.id}`
  expect(remaining).toEqual([{ filename: 'own.png' }] as never)
})

test('files from a forward stop being an avatar when their original is deleted', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { channel_id } = await place(alice, bob)
  const one = await owl(alice, channel_id)
  const [file] = (await forward(bob, channel_id, one.id)).files
  expect((await bob.put('/api/auth/avatar', { avatar_file_id: file.id })).status).toBe(200)
  await alice.delete(`/api/messages/${one.id}`)
  expect((await bob.get(`/api/files/${file.id}/download-url`)).status).toBe(404)
  await until(async () => (await bob.get('/api/auth/me')).body.avatar_file_id === null)
})

test('a forward that was made while its original was being deleted is emptied by the job as well', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { channel_id } = await place(alice, bob)
  const { id } = await owl(alice, channel_id, 'Now or never again')
  const sent = await forward(bob, channel_id, id)
  // A deletion that ran concurrently with the forward leaves this state.
  await sql`alter table messages disable trigger check_forwards`
  await sql`alter table files disable trigger check_copies`
  await sql`delete from messages where id = ${id}`
  await sql`alter table messages enable trigger check_forwards`
  await sql`alter table files enable trigger check_copies`
  expect((await read(bob, sent.id)).forwarded.content).toBeNull()
  await sql`update forward_checks set due_at = now()`
  await until(async () => (await sql`select from forward_checks`).length === 0)
  expect(await sql`select from messages where forwarded::text like '%never again%'`).toEqual([] as never)
  expect(await sql`select from files where message_id = ${sent.id}`).toEqual([] as never)
  // A finished deletion is off the list.
  const standing = await owl(alice, channel_id)
  const again = await forward(bob, channel_id, standing.id)
  await sql`update forward_checks set due_at = now()`
  await until(async () => (await sql`select from forward_checks`).length === 0)
  expect((await read(bob, again.id)).files).toHaveLength(1)
})
