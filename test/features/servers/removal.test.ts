import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { removeServer } from '../../../src/features/servers/remove.ts'
import { boot, newServer, stop } from '../../support/harness.ts'
import { deleteAccountOf, peopleWithPassword } from '../../support/people.ts'
import { png, upload } from '../../support/uploads.ts'

const MESSAGES = 2_500
const FILES = 300

test('a deleted server’s content goes in bounded transactions with its objects, also after a crash', async () => {
  const parley = await boot()
  const { sql } = parley.parts
  const [alice, bob] = await peopleWithPassword(parley, 'alice', 'bob')
  const { server_id, channel_id } = await newServer(alice, bob)
  const keptServer = await newServer(bob, alice)
  const picture = await upload(bob, 'me.png', 'image/png', await png(8, 8))
  await bob.post(`/api/channels/${channel_id}/messages`, { content: 'Me', file_ids: [picture.id] })
  await bob.put('/api/auth/avatar', { avatar_file_id: picture.id })
  const drafts = `/api/servers/${server_id}/channels`
  const category = (await alice.post(drafts, { name: 'Birds', type: 'category' })).body
  expect((await alice.post(drafts, { name: 'owls', type: 'text', parent_id: category.id })).status).toBe(201)
  await bob.post(`/api/channels/${keptServer.channel_id}/messages`, { content: 'stays' })
  await sql`with sent as (
      insert into messages (channel_id, author_id, content)
      select ${channel_id}, ${bob.id}, 'Look' from generate_series(1, ${MESSAGES}::int) returning id)
    insert into files (uploader_id, message_id, filename, content_type, size, key)
    select ${bob.id}, id, 'a.txt', 'text/plain', 1, ${randomUUID()} || '/' || id from sent
      order by id limit ${FILES}`
  await sql`insert into audit_log (server_id, actor_id, action, target_type, target_id)
    select ${server_id}, ${alice.id}, 'channel.created', 'channel', n from generate_series(1, 1500) n`
  await sql`insert into events (type, topic, server_id, resource, body)
    select 'message.created', 'server:' || ${server_id}::bigint, ${server_id}, 'message:' || -n, '"Look"'
    from generate_series(1, 1500) n`
  await sql`insert into message_nonces
    select ${bob.id}, ${channel_id}, n::text, '', n, now() from generate_series(1, 1200) n`
  await sql`with people as (
      insert into users (username, display_name, email, password_hash)
      select 'reader_' || n, 'Reader', n || '@example.org', '' from generate_series(1, 1100) n returning id
    ), marked as (
      insert into slowmode_marks select id, ${channel_id}, now() from people
    ), told as (
      insert into notification_settings (user_id, server_id, channel_id, level)
      select id, ${server_id}::bigint, place, 'all' from people, unnest(array[null, ${channel_id}::bigint]) place
    ), loved as (
      select min(id) as id from messages where channel_id = ${channel_id}
    ), counted as (
      insert into reaction_counts (message_id, emoji, count) select id, '👍', 1100 from loved
      returning message_id, emoji
    )
    insert into message_reactions select c.message_id, c.emoji, p.id from counted c, people p`
  await sql`with owl as (
      insert into emojis (server_id, name, key, creator_id) values (${server_id}, 'owl', 'owl', ${bob.id}) returning id
    ), sent as (
      insert into messages (channel_id, author_id, content)
      select ${keptServer.channel_id}, ${bob.id}, 'Owl' from generate_series(1, 1100) returning id
    ) insert into message_emojis select sent.id, owl.id from sent, owl`
  // Each deleted row records its transaction.
  await sql`create table gone (what text, xid xid8)`
  await sql`create function note_gone() returns trigger language plpgsql as $$
    begin insert into gone values (tg_table_name, pg_current_xact_id()); return null; end $$`
  const large = ['slowmode_marks', 'notification_settings', 'message_reactions', 'message_emojis']
  for (const table of ['messages', 'files', 'audit_log', ...large])
    await sql.unsafe(`create trigger note_gone after delete on ${table} for each row execute function note_gone()`)
  // The deletion is not announced, as after a crash: the database has the remaining work.
  await sql.begin((tx) =>
    removeServer(
      tx,
      () => {},
      () => {},
      server_id,
    ),
  )
  expect((await alice.get(`/api/servers/${server_id}`)).status).toBe(404)
  expect((await bob.get(`/api/channels/${channel_id}/messages`)).status).toBe(404)
  expect((await alice.get('/api/servers')).body.map((server: { id: number }) => server.id)).toEqual([
    keptServer.server_id,
  ])
  // Its owner owns nothing any more.
  await deleteAccountOf(alice)
  await parley.sweep()
  for (const table of ['servers', 'channels', 'messages', 'audit_log', 'roles']) {
    const column = { servers: sql`id = ${server_id}`, messages: sql`channel_id = ${channel_id}` }[table]
    const rows = await sql`select 1 from ${sql(table)} where ${column ?? sql`server_id = ${server_id}`}`
    expect([table, ...rows]).toEqual([table])
  }
  // Nonces expire after their day.
  await sql`update message_nonces set created_at = now() - interval '25 hours' where channel_id = ${channel_id}`
  await parley.sweep()
  expect(await sql`select 1 from message_nonces where channel_id = ${channel_id}`).toHaveLength(0)
  expect(await sql`select 1 from events where body::text = '"Look"'`).toHaveLength(0)
  const most = await sql<{ what: string; most: number }[]>`
    select what, max(count)::int as most from (select what, xid, count(*) from gone group by what, xid) each
    group by what order by what`
  expect([...most]).toEqual([
    { what: 'audit_log', most: 1_000 },
    { what: 'files', most: 200 },
    { what: 'message_emojis', most: 1_000 },
    { what: 'message_reactions', most: 1_000 },
    { what: 'messages', most: 1_000 },
    { what: 'notification_settings', most: 1_000 },
    { what: 'slowmode_marks', most: 1_000 },
  ])
  const [after] = await sql`select stored_bytes, avatar_file_id from users where id = ${bob.id}`
  expect(after).toEqual({ stored_bytes: 0, avatar_file_id: null })
  expect((await bob.get(`/api/channels/${keptServer.channel_id}/messages`)).body.at(-1)).toMatchObject({
    content: 'Owl',
  })
  await stop(parley)
})
