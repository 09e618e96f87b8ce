import { fillPictures } from './server-pictures.ts'
import { fillCommunity } from './community-rows.ts'
import { expect } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readArchive } from '../../src/backup/archive.ts'
import { Manifest } from '../../src/backup/manifest.ts'
import { tablesOf } from '../../src/backup/tables.ts'
import { readEnvironment } from '../../src/environment.ts'
import { type Parley, startParley } from '../../src/parley.ts'
import { importedAuthor } from './imports.ts'
import { fillArrival } from './arrival.ts'
import { addBot, botOf } from './bots.ts'
import { call, type Person, PASSWORD, person, newServer, say } from './harness.ts'
import { operating } from './operator.ts'
import { befriend, write } from './people.ts'
import { report } from './reports.ts'
import { expectAssets, fillAssets } from './asset-rows.ts'
import { announce, png, put, upload } from './uploads.ts'
import { post, webhook } from './webhooks.ts'

type Variables = Record<string, string>

interface Ended {
  code: number
  out: Buffer
  error: string
}

const SOURCE = join(import.meta.dir, '../../src')

/** Runs `bun run backup`, `restore` or `verify` as the operator would. */
export async function run(program: string, variables: Variables, ...args: string[]): Promise<Ended> {
  const script = program === 'verify' ? ['main.ts', 'verify'] : [`cli/${program}.ts`]
  const [file = '', ...mode] = script
  const child = Bun.spawn([process.execPath, join(SOURCE, file), ...mode, ...args], {
    env: operating(variables),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out: Buffer.from(out), error }
}

/** Runs a command that has to succeed: what it said on stderr. */
export async function done(program: string, variables: Variables, ...args: string[]): Promise<string> {
  const { code, error } = await run(program, variables, ...args)
  expect({ given: args, code, error: code === 0 ? '' : error }).toEqual({ given: args, code: 0, error: '' })
  return error
}

/** Runs a command that is refused: its one sentence. */
export async function refused(program: string, variables: Variables, ...args: string[]): Promise<string> {
  const { code, out, error } = await run(program, variables, ...args)
  expect({ given: args, error, code, out: out.length }).toEqual({ given: args, error, code: 1, out: 0 })
  const [sentence = '', ...before] = error.trimEnd().split('\n').reverse()
  // On a slow machine lines of progress come first.
  expect(before.filter((line) => !/^\d+ rows /.test(line))).toEqual([])
  expect(sentence).toMatch(/^[A-Z/].*\.$/)
  return sentence
}

/** Descriptions of the parts of an archive. */
export async function manifestOf(path: string, passphrase = ''): Promise<Manifest> {
  let manifest: Manifest | undefined
  for await (const entry of readArchive(path, async () => passphrase))
    if (entry.name === 'manifest.json')
      manifest = Manifest.parse(JSON.parse(Buffer.concat(await Array.fromAsync(entry.bytes)).toString()))
  if (!manifest) throw new Error('There is no manifest')
  return manifest
}

/** Starts a server in this process on an installation as it is. */
export const startOn = (variables: Variables): Promise<Parley> =>
  startParley(
    readEnvironment({
      PORT: '0',
      TURN_PORT: 'off',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'silent',
      MEDIA_WORKER: 'off',
      LINK_PREVIEWS: 'off',
      ...variables,
    }),
  )

/** Accounts and objects that `fill` created. */
export interface Filled {
  alice: Person
  bob: Person
  mallory: Person
  server_id: number
  channel_id: number
  files: number[]
  contents: Map<number, Buffer>
}

/** Fills every table of an installation, and makes every kind of object. */
export async function fill(parley: Parley): Promise<Filled> {
  const [alice, bob, mallory] = [
    await person(parley, 'alice'),
    await person(parley, 'bob'),
    await person(parley, 'mallory'),
  ]
  const { server_id, channel_id } = await newServer(alice, bob, mallory)
  const contents = new Map<number, Buffer>()
  const file = async (who: Person, name: string, type: string, bytes: Uint8Array) => {
    const { id } = await upload(who, name, type, bytes)
    contents.set(id, Buffer.from(bytes))
    return id
  }
  const [picture, avatar, icon] = [
    await file(alice, 'Eisvogel im Flug.png', 'image/png', await png(300, 200)),
    await file(alice, 'me.png', 'image/png', await png(64, 64)),
    await file(alice, 'icon.png', 'image/png', await png(32, 32)),
  ]
  const [empty, large] = [
    await file(bob, 'one.bin', 'application/octet-stream', Buffer.from('x')),
    await file(bob, 'large.bin', 'application/octet-stream', randomBytes(3_000_001)),
  ]
  expect((await alice.put('/api/auth/avatar', { avatar_file_id: avatar })).status).toBe(200)
  expect((await alice.put(`/api/servers/${server_id}`, { icon_file_id: icon, public: true })).status).toBe(200)
  const odd = 'A tab\there, a line\nbreak, a back\\slash, \\N, "quotes", 🐦 and \\.'
  await say(alice, channel_id, odd)
  const sent = await alice.post(`/api/channels/${channel_id}/messages`, {
    content: `With a picture, <@${bob.id}>`,
    file_ids: [picture],
    nonce: 'a-nonce',
  })
  expect(sent.status).toBe(201)
  for (let n = 0; n < 300; n++) await say(n % 2 ? alice : bob, channel_id, `${n} ${'kingfisher '.repeat(n % 40)}`)
  await befriend(alice, bob)
  expect((await alice.put('/api/auth/status/callers', { user_ids: [bob.id] })).status).toBe(200)
  await write(bob, alice, odd, { file_ids: [large, empty], nonce: 'another-nonce' })
  const role = (await alice.post(`/api/servers/${server_id}/roles`, { name: 'Warden' })).body.id
  expect((await alice.post(`/api/servers/${server_id}/members/${bob.id}/roles/${role}`)).status).toBeLessThan(300)
  await befriend(alice, mallory)
  const group = await alice.post('/api/channels/direct', { recipient_ids: [bob.id, mallory.id], nonce: 'a-group' })
  expect(group.status).toBe(201)
  expect((await mallory.delete(`/api/channels/${group.body.id}/recipients/${mallory.id}`)).status).toBe(204)
  const timeout = { timed_out_until: new Date(Date.now() + 86_400_000).toISOString() }
  expect((await alice.put(`/api/servers/${server_id}/members/${mallory.id}`, timeout)).status).toBe(200)
  expect((await alice.post(`/api/channels/${channel_id}/threads`, { name: 'Eisvögel' })).status).toBe(201)
  expect((await alice.put(`/api/channels/${channel_id}/permissions/${role}`, { deny: 1 })).status).toBe(200)
  expect((await alice.put(`/api/servers/${server_id}/bans/${mallory.id}`, {})).status).toBeLessThan(300)
  const written = (await alice.get(`/api/channels/${channel_id}/messages?limit=10`)).body
  const pinned = written.find(({ kind }: { kind: string }) => kind === 'default')
  expect((await alice.put(`/api/channels/${channel_id}/pins/${pinned.id}`)).status).toBe(204)
  await fillAssets(alice, server_id, role)
  const emoji = `owl:${await fillPictures(alice, bob, server_id, channel_id)}`
  expect((await bob.put(`/api/messages/${pinned.id}/reactions/${emoji}/@me`)).status).toBe(204)
  const hook = await webhook(alice, channel_id)
  const posted = { content: 'Disk is full', username: 'Grafana', embeds: [{ title: 'db-1' }] }
  expect((await post(alice, hook.url, posted)).status).toBe(204)
  const waiting = await announce(bob, 'waiting.bin', 'application/octet-stream', 1000)
  expect((await put(waiting, randomBytes(1000))).status).toBe(200)
  await announce(bob, 'never.bin', 'application/octet-stream', 1000)
  await fillReport(alice, bob, channel_id)
  await fillRest(parley, bob, channel_id, group.body.id)
  await fillFactors(parley, bob)
  await fillModeration(parley, alice, server_id, channel_id)
  await fillArrival(alice, bob, server_id, channel_id)
  await fillImports(parley, bob, server_id)
  const bot = await botOf(alice, 'Dice')
  await addBot(alice, server_id, bot)
  const roll = { name: 'roll', description: 'Rolls dice' }
  const [command] = (await bot.put('/api/applications/@me/commands', [roll])).body
  const draft = { kind: 'command', channel_id, command_id: command.id }
  expect((await alice.post('/api/interactions', draft)).status).toBe(201)
  await fillPreviews(parley, bob, channel_id)
  return { alice, bob, mallory, server_id, channel_id, files: [...contents.keys()], contents }
}

/** A report with a file whose message is gone. */
async function fillReport(alice: Person, bob: Person, channelId: number): Promise<void> {
  const { id } = await upload(bob, 'reported.bin', 'application/octet-stream', randomBytes(2000))
  const sent = await bob.post(`/api/channels/${channelId}/messages`, { content: 'Buy feathers', file_ids: [id] })
  await report(alice, sent.body.id)
  expect((await bob.delete(`/api/messages/${sent.body.id}`)).status).toBe(204)
  const { sql } = alice.parley.parts
  await sql`insert into ignored_reporters (server_id, moderator_id, reporter_id, until)
    select server_id, ${bob.id}, ${alice.id}, now() + interval '1 day' from channels where id = ${channelId}`
}

/** Rows that no request leaves behind for long, by SQL. */
async function fillRest({ parts: { sql } }: Parley, bob: Person, channel_id: number, groupId: number): Promise<void> {
  await sql`insert into admin_log (operator, action, changes) values ('root', 'figures', '{"a": [1, null, "\\t"]}')`
  await sql`insert into samples (at, seconds, sockets, requests, failures, lag_ms, memory_bytes, messages)
    values (date_trunc('hour', now() - interval '2 days'), 3600, 1, 2, 0, 3, 4, 5)`
  await sql`insert into installation_settings values ('registration', 'open')`
  await sql`insert into ws_tickets (hash, session_id, expires_at)
    select '\\x00ff0a5c', id, now() + interval '1 hour' from sessions limit 1`
  await sql`insert into discord_sessions (id, user_id, session_id, base_id, intents, shard_id, shard_count)
    select 'a', user_id, id, 1, 1, 0, 1 from sessions limit 1`
  await sql`insert into mail_outbox (user_id, address, template, due_at)
    values (${bob.id}, 'bob@example.org', 'verify', now() + interval '1 day')`
  await sql`insert into mail_tokens (hash, user_id, purpose, expires_at)
    values ('\\x00ff', ${bob.id}, 'reset', now() + interval '1 hour')`
  await sql`insert into object_outbox (key, due_at) values ('files/none', now() + interval '1 day')`
  await sql`insert into forward_checks (original_id, due_at) values (1, now() + interval '1 day')`
  await sql`insert into read_marks ${sql({ user_id: bob.id, channel_id, message_id: 1 })} on conflict do nothing`
  await sql`insert into slowmode_marks values (${bob.id}, ${channel_id}, now())`
  await sql`insert into notification_settings ${sql({ user_id: bob.id, channel_id, level: 'all' })}`
  await sql`insert into saved_messages (user_id, message_id, note, remind_at)
    select ${bob.id}, min(id), 'Answer \\N this', now() + interval '1 day' from messages
    where channel_id = ${channel_id}`
  await sql`insert into scheduled_messages (author_id, channel_id, content, reply_mention, send_at, due_at, state)
    select ${bob.id}, ${channel_id}, 'Later', true, at, at, 'held' from (select now() + interval '1 day' as at) later`
  await fillCommunity(sql, bob.id, channel_id)
  await sql`insert into push_settings values (${bob.id}, true, '{"from": "22:00"}')`
  await sql`insert into push_places (user_id, channel_id, told_id) values (${bob.id}, ${channel_id}, 1)`
  await sql`insert into push_subscriptions (session_id, user_id, endpoint, p256dh, auth)
    select id, user_id, 'https://push.invalid/1', 'BA', 'AA' from sessions limit 1`
  await sql`insert into push_outbox (subscription_id, channel_id, kind, is_call, due_at, expires_at)
    select id, ${channel_id}, 'over', false, now() + interval '1 day', now() + interval '2 days'
    from push_subscriptions`
  await sql`insert into push_position (xid, id) select pg_snapshot_xmin(pg_current_snapshot())::text, 0
    on conflict do nothing`
  await sql`insert into thread_changes (channel_id, due_at)
    select id, now() + interval '1 day' from channels where type = 'thread'`
  await sql`insert into calls (channel_id, started_by, participant_ids, ended_at)
    values (${groupId}, ${bob.id}, ${[bob.id]}, now())`
  await sql`insert into call_rings values (${bob.id}, ${groupId}, now() + interval '1 day')`
  await sql`insert into secrets (name, value) values ('of a test', 'a value') on conflict do nothing`
  await sql`insert into backup_checks (file) values ('a')`
  await sql`insert into backups (at, kind, bytes, is_encrypted) values (now(), 'manual', 1, false)`
}

/** An import under way, and an author that is to become somebody's, by SQL. */
async function fillImports({ parts: { sql } }: Parley, bob: Person, server_id: number): Promise<void> {
  const author = await importedAuthor(sql, server_id)
  await sql`insert into import_messages select id, 1, 2 from imports where server_id = ${server_id}`
  await sql`insert into author_claims values (${author}, ${bob.id}, now() + interval '1 day')`
  await sql`insert into claim_links values ('\\x00ff', ${author}, ${bob.id}, now() + interval '1 day')`
}

/** A rule and a raid, and by SQL what they leave behind. */
async function fillModeration({ parts: { sql } }: Parley, alice: Person, server_id: number, channel_id: number) {
  const erin = await person(alice.parley, 'erin')
  const { code } = (await alice.post('/api/invites', { server_id })).body
  expect((await erin.post(`/api/invites/${code}/join`)).status).toBe(201)
  const quarantine = { held_back: 'quarantined' }
  expect((await alice.put(`/api/servers/${server_id}/members/${erin.id}`, quarantine)).status).toBe(200)
  const rule = { name: 'Odd', trigger: { type: 'words', words: ['zyzzyva'] }, actions: [{ type: 'block' }] }
  expect((await alice.post(`/api/servers/${server_id}/automod`, rule)).status).toBe(201)
  await sql`insert into automod_hits (server_id, rule_id, rule_name, user_id, channel_id, texts)
    values (${server_id}, 1, 'Odd', ${erin.id}, ${channel_id}, '["A \\"zyzzyva\\""]')`
  await sql`insert into raid_guards (server_id, raid_joins) values (${server_id}, 7)`
  await sql`insert into server_joins values (${server_id}, ${erin.id}, now())`
  await sql`insert into prunes (server_id, actor_id, action, user_ids, token_hash)
    values (${server_id}, ${alice.id}, 'kick', ${[erin.id]}, '\\x00ff')`
}

/** Factors of an account and pending logins, by SQL. */
async function fillFactors({ parts: { sql } }: Parley, bob: Person): Promise<void> {
  // Not confirmed: bob goes on logging in by two fields.
  await sql`insert into totp (user_id, secret) values (${bob.id}, '\\x00ff0a')`
  await sql`insert into recovery_codes values (${bob.id}, '\\x00ff')`
  await sql`insert into passkeys (user_id, credential_id, public_key, sign_count, transports, name)
    values (${bob.id}, 'q83v', '\\x00ff', 7, '{usb,"a b"}', 'Phone')`
  await sql`insert into identities (user_id, issuer, subject, name)
    values (${bob.id}, 'https://id.example.org', 'bob', 'Bob')`
  await sql`insert into pending_logins (hash, user_id, expires_at)
    values ('\\x00', ${bob.id}, now() + interval '1 day')`
  await sql`insert into spent_challenges values ('\\x00', now() + interval '1 day')`
}

/** Previews as the server keeps them, without a site to ask. */
async function fillPreviews({ parts: { sql, objects } }: Parley, bob: Person, channel_id: number): Promise<void> {
  await objects.put('previews/a.webp', new Uint8Array(9), 'image/webp')
  const [preview] = await sql<{ id: number }[]>`
    insert into preview_pictures (key, width, height) values ('previews/a.webp', 2, 1) returning id`
  await sql`insert into preview_pages (hash, asked_by, picture_id) values ('\\x00ff', ${bob.id}, ${preview?.id ?? 0})`
  await sql`insert into preview_picture_checks (picture_id, due_at) values (1, now() + interval '1 day')`
  await sql`insert into wanted_pictures
    select min(id), 0, 'image', 'https://example.org/p.png', ${bob.id} from messages where channel_id = ${channel_id}`
  await sql`insert into message_pictures
    select min(id), ${preview?.id ?? 0} from messages where channel_id = ${channel_id}`
  await sql`insert into preview_jobs (message_id, author_id, due_at)
    select min(id), ${bob.id}, now() + interval '1 day' from messages where channel_id = ${channel_id}`
  await sql`insert into preview_position (xid, id) select pg_snapshot_xmin(pg_current_snapshot())::text, 0
    on conflict do nothing`
}

/** The tables without rows. */
export async function emptyTables({ parts: { sql } }: Parley): Promise<string[]> {
  const tables = await tablesOf(sql)
  const empty = await Promise.all(
    tables.map(async ({ name }) => ((await sql`select from ${sql(name)} limit 1`).length === 0 ? [name] : [])),
  )
  return empty.flat()
}

/** Logs in again. */
export async function login(parley: Parley, { username }: Person): Promise<string> {
  const answer = await call(parley, 'POST', '/api/auth/login', { body: { username, password: PASSWORD } })
  expect(answer.status).toBe(200)
  return answer.body.token
}

/** Answers of the API to an account about everything that `fill` made, without fields that depend on the time. */
export async function answersTo(parley: Parley, token: string, filled: Filled): Promise<unknown[]> {
  const { server_id, channel_id, alice, bob } = filled
  const paths = [
    '/api/auth/me',
    '/api/servers',
    `/api/servers/${server_id}`,
    `/api/servers/${server_id}/channels`,
    `/api/servers/${server_id}/members`,
    `/api/servers/${server_id}/roles`,
    `/api/servers/${server_id}/bans`,
    `/api/servers/${server_id}/invites`,
    `/api/servers/${server_id}/audit-log`,
    `/api/servers/${server_id}/reports`,
    `/api/servers/${server_id}/cases`,
    `/api/channels/${channel_id}/messages?limit=100`,
    `/api/channels/${channel_id}/permissions`,
    `/api/channels/${channel_id}/pins`,
    `/api/servers/${server_id}/emoji`,
    `/api/servers/${server_id}/stickers`,
    '/api/favourites',
    '/api/friends',
    '/api/dm/conversations',
    `/api/dm/${alice.id}/messages`,
    `/api/dm/${bob.id}/messages`,
    ...filled.files.map((id) => `/api/files/${id}`),
  ]
  const answers: unknown[] = []
  for (const path of paths) {
    const { status, body } = await call(parley, 'GET', path, { token })
    answers.push({ path, status, body: status === 200 ? body : body.code })
  }
  return answers
}

/** Downloads every file and compares its bytes. */
export async function expectContents(parley: Parley, token: (id: number) => string, filled: Filled): Promise<void> {
  for (const [id, bytes] of filled.contents) {
    const { status, body } = await call(parley, 'GET', `/api/files/${id}/download-url`, { token: token(id) })
    const downloaded = await (await fetch(body.download_url)).bytes()
    expect([id, status, Buffer.compare(bytes, downloaded)]).toEqual([id, 200, 0])
  }
  await expectAssets(parley, `/api/servers/${filled.server_id}`, token(0))
}
