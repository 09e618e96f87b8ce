import { expect, test } from 'bun:test'
import { botOf } from '../../support/bots.ts'
import { call, type Person, newServer, say, standard } from '../../support/harness.ts'
import { befriend, deleteAccountOf, peopleWithPassword, write } from '../../support/people.ts'
import { report } from '../../support/reports.ts'
import { fillCommunity } from '../../support/community-rows.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const tombstone = ({ id }: Person) => ({ id, display_name: 'Deleted user', avatar_file_id: null, kind: 'person' })

/**
 * Every table and column that refers to an account, with the number of rows that name this one.
 * @param key the referenced column; otherwise any
 */
async function references({ id }: Person, key?: string): Promise<Record<string, number>> {
  const columns = await sql<{ place: string; relation: string; name: string }[]>`
    select c.conrelid::regclass || '.' || a.attname as place, c.conrelid::regclass::text as relation, a.attname as name
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    join pg_attribute k on k.attrelid = c.confrelid and k.attnum = c.confkey[1]
    where c.confrelid = 'users'::regclass and c.contype = 'f' and k.attname = coalesce(${key ?? null}, k.attname)`
  const counts: Record<string, number> = {}
  for (const { place, relation, name } of columns) {
    const [row] = await sql`select count(*)::int as count from ${sql(relation)} where ${sql(name)} = ${id}`
    counts[place] = row?.count
  }
  return counts
}
const named = (counts: Record<string, number>) => Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0))

/** A kept picture, settings of notices and a profile of an account. */
async function fillOwn({ id }: Person): Promise<void> {
  await sql`with copy as (insert into files (uploader_id, filename, content_type, size, key)
      values (${id}, 'owl.png', 'image/png', 1, 'files/owl') returning id)
    insert into favourites (user_id, file_id, source_id) select ${id}, id, 1 from copy`
  await sql`insert into push_settings (user_id) values (${id})`
  await sql`insert into profiles (user_id, bio) values (${id}, 'Herons')`
  await sql`insert into banners (user_id, key, size, width, height, file_id) values (${id}, ${`${id}`}, 1, 1, 1, 1)`
}

/** Subscribes a device to notices. A notice to this address fails, and deletes the row. */
const subscribe = ({ id }: Person) => sql`
  insert into push_subscriptions (session_id, user_id, endpoint, p256dh, auth)
  select id, user_id, 'https://push.example.org/1', '1', '1' from sessions where user_id = ${id} limit 1`

test('no row refers to a deleted account except those that belong to others', async () => {
  const [alice, bob, carol] = await peopleWithPassword(parley, 'alice', 'bob', 'carol')
  const { server_id, channel_id } = await newServer(bob, alice, carol)
  const banned = await newServer(carol, alice)
  const role = (await bob.post(`/api/servers/${server_id}/roles`, { name: 'Keepers', permissions: 4 })).body
  await bob.post(`/api/servers/${server_id}/members/${alice.id}/roles/${role.id}`)
  await alice.post(`/api/channels/${channel_id}/messages`, { content: 'Hello', nonce: 'once' })
  await write(alice, bob, 'Hello', { nonce: 'once' })
  await befriend(alice, bob)
  expect((await alice.put('/api/auth/status/callers', { user_ids: [bob.id] })).status).toBe(200)
  expect((await bob.put('/api/auth/status/callers', { user_ids: [alice.id] })).status).toBe(200)
  const invite = (await alice.post('/api/invites', { server_id })).body
  expect((await alice.put(`/api/servers/${server_id}/bans/${carol.id}`, { reason: 'Spam' })).status).toBe(200)
  await carol.put(`/api/servers/${banned.server_id}/bans/${alice.id}`, {})
  await alice.post('/api/files/upload-url', { filename: 'a', content_type: 'text/plain', size: 3 })
  await sql`insert into known_addresses (user_id, ip) values (${alice.id}, '127.0.0.1')`
  await sql`insert into known_devices (user_id, device) values (${alice.id}, 'Firefox on Linux')`
  await sql`insert into mail_outbox (user_id, address, template) values (${alice.id}, 'alice@example.org', 'new_login')`
  await sql`insert into mail_tokens (hash, user_id, purpose, expires_at) values ('1', ${alice.id}, 'reset', now())`
  await sql`insert into totp (user_id, secret) values (${alice.id}, '1')`
  await sql`insert into recovery_codes (user_id, hash) values (${alice.id}, '1')`
  await sql`insert into pending_logins (hash, user_id, expires_at) values ('1', ${alice.id}, now())`
  await sql`insert into passkeys (user_id, credential_id, public_key, sign_count, transports, name)
    values (${alice.id}, '1', '1', 0, '{}', 'Key')`
  await sql`insert into identities (user_id, issuer, subject, name) values (${alice.id}, 'https://id', '1', 'Alice')`
  const dice = await botOf(alice, 'Dice')
  await sql`insert into interactions (hash, bot_id, user_id, channel_id, kind)
    values ('1', ${dice.id}, ${alice.id}, ${channel_id}, 'command')`
  await fillOwn(alice)
  await sql`insert into author_claims (placeholder_id, user_id) values (${carol.id}, ${alice.id})`
  await sql`insert into claim_links values ('1', ${carol.id}, ${alice.id}, now())`
  const hook = await bob.post(`/api/channels/${channel_id}/webhooks`, { name: 'Build' })
  await sql`update webhooks set creator_id = ${alice.id} where id = ${hook.body.id}`
  const live = await connect(alice)
  await live.command('channel.ack', { channel_id, message_id: (await say(bob, channel_id, 'Seen?')).id })
  await alice.put(`/api/notifications/servers/${server_id}`, { level: 'all' })
  await alice.put(`/api/notifications/channels/${channel_id}`, { level: 'all' })
  await say(bob, channel_id, `<@${alice.id}>`)
  expect((await alice.post(`/api/channels/${channel_id}/threads`, { name: 'Kingfishers' })).status).toBe(201)
  expect((await bob.put(`/api/channels/${channel_id}`, { slowmode_seconds: 600 })).status).toBe(200)
  await report(bob, (await say(alice, channel_id, 'Slowly')).id)
  await report(alice, (await say(bob, channel_id, 'Quickly')).id)
  await sql`insert into reports (subject, subject_id, author_id, responsible_id, for_operator)
    values ('profile', ${bob.id}, ${bob.id}, ${alice.id}, true)`
  await bob.post(`/api/servers/${server_id}/members/${alice.id}/warnings`, { reason: 'Hush' })
  await sql`insert into ignored_reporters values (${server_id}, ${bob.id}, ${alice.id}, now() + interval '1 day'),
    (${server_id}, ${alice.id}, ${bob.id}, now() + interval '1 day')`
  expect((await alice.put(`/api/saved/${(await say(bob, channel_id, 'Later')).id}`, {})).status).toBe(200)
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  const schedule = { draft: { content: 'Good morning' }, send_at }
  expect((await alice.post(`/api/channels/${channel_id}/scheduled`, schedule)).status).toBe(201)
  await alice.post('/api/auth/ws-ticket')
  await sql`insert into quarantines (server_id, user_id) values (${banned.server_id}, ${alice.id})`
  await sql`insert into automod_hits (server_id, rule_id, rule_name, user_id, texts)
    values (${server_id}, 1, 'Birds', ${alice.id}, '["A heron"]')`
  await fillCommunity(sql, alice.id, channel_id)
  await sql`insert into member_overwrites values (${server_id}, ${channel_id}, ${alice.id}, 0, 1)`
  await sql`insert into guests (user_id, server_id, address) values (${alice.id}, ${server_id}, '1')`
  await sql`insert into server_joins values (${server_id}, ${alice.id}, now())`
  await sql`insert into prunes (server_id, actor_id, action, user_ids, token_hash)
    values (${server_id}, ${alice.id}, 'kick', '{}', '1')`
  await subscribe(alice)
  const living = await references(alice, 'living_id')
  const unnamed = Object.keys(living).filter((place) => living[place] === 0 && !place.startsWith('relations.'))
  const ofBots = ['applications.id', 'discord_sessions.user_id', 'interactions.bot_id', 'roles.bot_id']
  expect(unnamed.filter((place) => !ofBots.includes(place)).toSorted()).toEqual([
    'group_nonces.owner_id',
    'servers.owner_id',
    'timeouts.user_id',
  ])
  expect((await deleteAccountOf(alice)).status).toBe(204)
  expect(await sql`select 1 from mentions where user_id = ${alice.id}`).toHaveLength(0)
  expect(named(await references(alice))).toEqual({
    // Two in a channel with the notice of a thread, one in a dm.
    'messages.author_id': 4,
    'channels.owner_id': 1,
    'calendar_events.creator_id': 1,
    'invites.creator_id': 1,
    'bans.banned_by': 1,
    'quarantines.user_id': 1,
    'cases.actor_id': 1,
    'audit_log.actor_id': 2,
    'reports.author_id': 1,
    'report_reasons.reporter_id': 1,
    // Her four messages, in two reports.
    'report_evidence.author_id': 4,
    'participants.user_id': 1,
    'participants.other_id': 1,
  })
  const [row] = await sql`select * from users where id = ${alice.id}`
  expect(row).toMatchObject({ server_count: 0, friend_count: 0, block_count: 0, stored_bytes: 0, living_id: null })
  expect((await call(parley, 'GET', `/api/invites/${invite.code}`, { token: bob.token })).status).toBe(200)
  const [ban] = (await bob.get(`/api/servers/${server_id}/bans`)).body
  expect(ban).toMatchObject({ user: { id: carol.id }, banned_by: alice.id, reason: 'Spam' })
  const audit = (await bob.get(`/api/servers/${server_id}/audit-log`)).body
  expect(audit.filter((entry: any) => entry.actor.id === alice.id)[0].actor).toEqual(tombstone(alice))
  expect((await carol.get(`/api/servers/${banned.server_id}/bans`)).body).toEqual([])
  expect((await carol.put(`/api/servers/${banned.server_id}/bans/${alice.id}`, {})).status).toBe(404)
})
