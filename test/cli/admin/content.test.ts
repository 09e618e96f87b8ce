import { expect, test } from 'bun:test'
import { person, newServer, say, standard, until } from '../../support/harness.ts'
import { databaseOf, done, refused } from '../../support/operator.ts'
import { connect } from '../../support/socket.ts'
import { SPAWN_MS } from '../../support/spawned.ts'
import { download, png, upload } from '../../support/uploads.ts'

const parley = await standard()
const { sql } = parley.parts
const here = databaseOf(parley)

test(
  'a message that the operator deletes is gone for everyone, at once, and from the log',
  async () => {
    const [alice, mallory] = [await person(parley, 'alice'), await person(parley, 'mallory')]
    const { channel_id } = await newServer(alice, mallory)
    const bytes = await png(16, 16)
    const file = await upload(mallory, 'spam.png', 'image/png', bytes)
    const sent = await mallory.post(`/api/channels/${channel_id}/messages`, { content: 'spam', file_ids: [file.id] })
    const { id, created_at } = sent.body
    expect((await mallory.put('/api/auth/avatar', { avatar_file_id: file.id })).status).toBe(200)
    const link = (await alice.get(`/api/files/${file.id}/download-url`)).body.download_url
    const live = await connect(alice)

    expect(await done(here, 'delete', 'message', String(id), '--yes')).toEqual({ deleted: 'message', id })
    expect((await live.next('message.deleted', (frame) => frame.d.id === id)).d).toEqual({
      id,
      channel_id,
      created_at,
    })
    const update = await live.next('user.updated', (frame) => frame.d.id === mallory.id)
    expect(update.d.avatar_file_id).toBeNull()
    expect((await alice.get(`/api/messages/${id}`)).status).toBe(404)
    expect((await alice.get(`/api/files/${file.id}`)).status).toBe(404)
    const bodies = await sql`select 1 from events where resource = ${`message:${id}`} and body::text like '%spam%'`
    expect(bodies).toHaveLength(0)
    // An issued URL ends with the object.
    await parley.sweep()
    expect((await fetch(link)).status).toBe(404)
    expect(await refused(here, 'delete', 'message', String(id), '--yes')).toBe('Not found: nothing was done.')
    live.close()
  },
  SPAWN_MS,
)

test(
  'changes in a hidden channel reach the members who see it, and nobody else',
  async () => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id } = await newServer(alice, bob)
    const created = await alice.post(`/api/servers/${server_id}/channels`, { name: 'hidden', type: 'text' })
    const [everyone] = (await alice.get(`/api/servers/${server_id}/roles`)).body
    const hide = { allow: 0, deny: 1 << 10 }
    expect((await alice.put(`/api/channels/${created.body.id}/permissions/${everyone.id}`, hide)).status).toBe(200)
    const { id } = await say(alice, created.body.id, 'secret')
    const [seer, stranger] = [await connect(alice), await connect(bob)]
    await done(here, 'delete', 'message', String(id), '--yes')
    await seer.next('message.deleted', (frame) => frame.d.id === id)
    await stranger.settled()
    expect(stranger.of('message.deleted')).toEqual([])
    for (const live of [seer, stranger]) live.close()
  },
  SPAWN_MS,
)

test(
  "a file that the operator deletes leaves its message, its uploader's avatar and the object store",
  async () => {
    const [alice, mallory] = [await person(parley, 'alice'), await person(parley, 'mallory')]
    const { channel_id } = await newServer(alice, mallory)
    const bytes = await png(12, 12)
    const attached = await upload(mallory, 'spam.png', 'image/png', bytes)
    const sent = { content: 'look', file_ids: [attached.id] }
    const { id } = (await mallory.post(`/api/channels/${channel_id}/messages`, sent)).body
    const avatar = await upload(mallory, 'face.png', 'image/png', bytes)
    await mallory.put('/api/auth/avatar', { avatar_file_id: avatar.id })
    expect((await download(alice, avatar.id)).status).toBe(200)
    const live = await connect(alice)

    await done(here, 'delete', 'file', String(attached.id), '--yes')
    const updated = await live.next('message.updated', (frame) => frame.d.id === id)
    expect(updated.d).toMatchObject({ content: 'look', files: [] })
    await done(here, 'delete', 'file', String(avatar.id), '--yes')
    expect((await live.next('user.updated', (frame) => frame.d.id === mallory.id)).d.avatar_file_id).toBeNull()
    expect((await alice.get(`/api/files/${avatar.id}`)).status).toBe(404)
    const [row] = await sql<{ stored_bytes: number }[]>`select stored_bytes from users where id = ${mallory.id}`
    expect(row?.stored_bytes).toBe(0)
    expect(await refused(here, 'delete', 'file', String(avatar.id), '--yes')).toBe('There is no such file.')
    live.close()
  },
  SPAWN_MS,
)

test(
  'a direct message that the operator deletes is gone for both people, and a file leaves its message',
  async () => {
    const [alice, mallory, bob] = [
      await person(parley, 'alice'),
      await person(parley, 'mallory'),
      await person(parley, 'bob'),
    ]
    await newServer(alice, mallory, bob)
    const write = (content: string, file_ids: number[] = []) =>
      mallory.post('/api/dm/messages', { recipient_id: alice.id, content, file_ids })
    const file = await upload(mallory, 'spam.png', 'image/png', await png(9, 9))
    const [keptMessage, spam] = [(await write('kept', [file.id])).body.id, (await write('spam')).body.id]
    const [lives, stranger] = [[await connect(alice), await connect(mallory)], await connect(bob)]

    await done(here, 'delete', 'dm', String(spam), '--yes')
    for (const live of lives) {
      const { d } = await live.next('message.deleted', (frame) => frame.d.id === spam)
      expect(d.last_message_id).toBe(keptMessage)
    }
    await done(here, 'delete', 'file', String(file.id), '--yes')
    for (const live of lives) {
      const { d } = await live.next('message.updated', (frame) => frame.d.id === keptMessage)
      expect(d).toMatchObject({ content: 'kept', files: [] })
    }
    const { body } = await alice.get(`/api/dm/${mallory.id}/messages`)
    expect(body.map((message: { id: number }) => message.id)).toEqual([keptMessage])
    const bodies = await sql`select 1 from events where resource = ${`message:${spam}`} and body::text like '%spam%'`
    expect(bodies).toHaveLength(0)
    expect(await refused(here, 'delete', 'dm', String(spam), '--yes')).toBe('Not found: nothing was done.')
    await stranger.settled()
    expect(stranger.frames.filter(({ t }) => t.startsWith('message.'))).toEqual([])
    for (const live of [...lives, stranger]) live.close()
  },
  SPAWN_MS,
)

test(
  'a server that the operator deletes is gone from every open socket',
  async () => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const { server_id: other } = await newServer(alice, bob)
    await say(bob, channel_id, 'in the doomed one')
    const lives = [await connect(alice), await connect(bob)]
    await done(here, 'delete', 'server', String(server_id), '--yes')
    for (const live of lives) expect((await live.next('server.deleted')).d).toEqual({ id: server_id })
    expect((await bob.get(`/api/servers/${server_id}`)).status).toBe(404)
    expect((await bob.post(`/api/channels/${channel_id}/messages`, { content: 'on' })).status).toBe(404)
    expect((await bob.get(`/api/servers/${other}`)).status).toBe(200)
    await until(async () => (await sql`select 1 from servers where id = ${server_id}`).length === 0)
    const remaining = await sql`select 1 from events where server_id = ${server_id} and body is not null`
    expect(remaining).toHaveLength(1)
    expect(await refused(here, 'delete', 'server', String(server_id), '--yes')).toBe('Not found: nothing was done.')
    for (const live of lives) live.close()
  },
  SPAWN_MS,
)
