import { afterAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { Sql } from '../../../src/database/database.ts'
import { deleteAccount } from '../../../src/features/lifecycle/deletion.ts'
import type { Parley } from '../../../src/parley.ts'
import { boot, type Person, newServer, say, standard, stop, until } from '../../support/harness.ts'
import { befriend, deleteAccountOf, peopleWithPassword, write } from '../../support/people.ts'
import { race } from '../../support/races.ts'
import { foreignS3 } from '../../support/object-stores.ts'
import { connect } from '../../support/socket.ts'
import { announce, png, put, upload } from '../../support/uploads.ts'

const bytes = new TextEncoder().encode('A feather')
const foreign = await foreignS3()
const stores: [string, () => Promise<Parley>][] = [
  ['the directory', standard],
  ['an S3 that is not ours', () => boot(foreign.variables)],
]
afterAll(() => foreign.stop())

const keysOf = async ({ parley: { parts }, id }: Person): Promise<string[]> => {
  const rows = await parts.sql<{ key: string; thumbnail_key: string | null }[]>`
    select key, thumbnail_key from files where uploader_id = ${id}`
  return rows.flatMap(({ key, thumbnail_key }) => [key, ...(thumbnail_key ? [thumbnail_key] : [])])
}

describe.each(stores)('a deletion with %s', (_, open) => {
  const server = open()
  afterAll(async () => {
    if (open !== standard) await stop(await server)
  })

  test('the account’s files and objects are deleted, with events for the messages that carried them', async () => {
    const parley = await server
    const [alice, bob] = await peopleWithPassword(parley, 'alice', 'bob')
    const { server_id, channel_id } = await newServer(alice, bob)
    await befriend(alice, bob)
    const picture = await png(600, 400)
    const [loose, shownFile, whispered, avatar, icon] = await Promise.all([
      upload(alice, 'loose.txt', 'text/plain', bytes),
      upload(alice, 'shown.png', 'image/png', picture),
      upload(alice, 'whispered.txt', 'text/plain', bytes),
      upload(alice, 'avatar.png', 'image/png', picture),
      upload(alice, 'icon.png', 'image/png', picture),
    ])
    await alice.put('/api/auth/avatar', { avatar_file_id: avatar.id })
    await alice.put(`/api/servers/${server_id}`, { icon_file_id: icon.id })
    await alice.post(`/api/servers/${server_id}/transfer`, { user_id: bob.id })
    const path = `/api/channels/${channel_id}/messages`
    const message = (await alice.post(path, { content: 'Look', file_ids: [shownFile.id] })).body
    const direct = await write(alice, bob, '', { file_ids: [whispered.id] })
    const pending = await announce(alice, 'late.txt', 'text/plain', bytes.length)
    await put(pending, bytes)
    const theirs = await upload(bob, 'theirs.txt', 'text/plain', bytes)
    const keys = [...(await keysOf(alice)), pending.key]
    expect(keys).toHaveLength(9)
    const live = await connect(bob)

    expect((await deleteAccountOf(alice)).status).toBe(204)
    await live.settled()
    const updated = (id: number) => live.of('message.updated').findLast(({ d }) => d.id === id)?.d
    expect(updated(message.id)).toMatchObject({ content: 'Look', files: [] })
    expect(updated(direct.id)).toMatchObject({ sender_id: alice.id, files: [] })
    expect(live.of('server.updated').at(-1)?.d).toMatchObject({ id: server_id, icon_file_id: null })
    live.close()
    for (const { id } of [loose, shownFile, whispered, avatar, icon])
      expect((await bob.get(`/api/files/${id}`)).status).toBe(404)
    expect((await bob.get(`/api/files/${theirs.id}`)).status).toBe(200)
    await parley.sweep()
    for (const key of keys) await until(async () => (await parley.parts.objects.head(key)) === undefined)
    const { sql } = parley.parts
    expect(await sql`select 1 from files where uploader_id = ${alice.id}`).toHaveLength(0)
    expect(await sql`select 1 from erasures`).toHaveLength(0)
    // An object that a late PUT leaves behind is deleted after its URL has expired.
    await put(pending, bytes)
    expect(await sql`select 1 from object_outbox where key = ${pending.key} and due_at > now()`).toHaveLength(1)
  })

  test('a file that is being recorded while its account is deleted leaves no record and no object', async () => {
    const parley = await server
    const { sql, objects } = parley.parts
    const [alice] = await peopleWithPassword(parley, 'alice')
    const announced = await announce(alice, 'a.txt', 'text/plain', bytes.length)
    await put(announced, bytes)
    const guarded = (tx: Sql) => tx<{ key: string }[]>`select key from object_outbox`
    const before = new Set((await guarded(sql)).map(({ key }) => key))
    // The objects of the recording are guarded before they are made.
    let keys: string[] = []
    const [deletion, record] = await race(
      parley,
      (tx) => tx`select 1 from users where id = ${alice.id} for update`,
      [() => deleteAccountOf(alice), () => alice.post('/api/files', { key: announced.key })],
      async (tx) => {
        keys = (await guarded(tx)).flatMap(({ key }) => (before.has(key) ? [] : [key]))
      },
    )
    expect([deletion?.status, record?.status]).toEqual([204, 401])
    expect(keys.length).toBeGreaterThan(0)
    await parley.sweep()
    expect(await sql`select 1 from files where uploader_id = ${alice.id}`).toHaveLength(0)
    for (const key of keys) await until(async () => (await objects.head(key)) === undefined)
  })
})

/** Creates files of an account by SQL, each in a message of its own. */
async function many({ parley: { parts }, id }: Person, channel_id: number, count: number): Promise<void> {
  const { sql } = parts
  await sql`with sent as (
      insert into messages (channel_id, author_id, content)
      select ${channel_id}, ${id}, 'Look' from generate_series(1, ${count}) returning id)
    insert into files (uploader_id, message_id, filename, content_type, size, key)
    select ${id}, id, 'a.txt', 'text/plain', 1, ${randomUUID()} || '/' || id from sent`
}

test('many files are deleted in batches of a hundred, and the rest after a crash', async () => {
  const parley = await standard()
  const { sql } = parley.parts
  const [alice, bob] = await peopleWithPassword(parley, 'alice', 'bob')
  const { channel_id } = await newServer(bob, alice)
  await many(alice, channel_id, 1234)
  const live = await connect(bob)
  // Only deleteAccount, as before a crash: the rest of the work is in the database.
  await parley.parts.write((tx, emit, notify) => deleteAccount(tx, emit, notify, alice.id))
  await parley.sweep()
  expect(await sql`select 1 from files where uploader_id = ${alice.id}`).toHaveLength(0)
  expect(await sql`select 1 from erasures`).toHaveLength(0)
  // Each transaction logs its events at once: the number of events per transaction.
  const batches = await sql<{ count: number }[]>`
    select count(*)::int from events where type = 'message.updated' and channel_id = ${channel_id} group by xid`
  expect(batches.map((batch) => batch.count).toSorted((x, y) => y - x)).toEqual([...Array(12).fill(100), 34])
  await live.settled()
  expect(new Set(live.of('message.updated').map(({ d }) => d.id)).size).toBe(1234)
  expect(live.of('message.updated').every(({ d }) => d.author.display_name === 'Deleted user')).toBe(true)
  const [account] = await sql`select stored_bytes from users where id = ${alice.id}`
  expect(account?.stored_bytes).toBe(0)
  live.close()
})

test('concurrent deletions of messages and channels do not keep the account’s files alive', async () => {
  const parley = await standard()
  const { sql } = parley.parts
  const [alice, bob] = await peopleWithPassword(parley, 'alice', 'bob')
  const { server_id, channel_id } = await newServer(bob, alice)
  const extra = (await bob.post(`/api/servers/${server_id}/channels`, { name: 'extra', type: 'text' })).body
  await many(alice, channel_id, 300)
  await many(alice, extra.id, 200)
  const rows = await sql<{ id: number }[]>`select id from messages where channel_id = ${channel_id} order by id`
  const removals = rows.slice(0, 40).map(({ id }) => bob.delete(`/api/messages/${id}`))
  const answers = await Promise.all([deleteAccountOf(alice), bob.delete(`/api/channels/${extra.id}`), ...removals])
  expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 204))
  await until(async () => {
    await parley.sweep()
    return (await sql`select 1 from files where uploader_id = ${alice.id}`).length === 0
  })
  expect(await sql`select 1 from messages where channel_id = ${channel_id}`).toHaveLength(260)
  await say(bob, channel_id, 'All is well')
})
