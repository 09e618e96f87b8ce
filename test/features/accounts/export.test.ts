import { expect, test } from 'bun:test'
import { stickerAndSound } from '../../support/asset-rows.ts'
import { botOf } from '../../support/bots.ts'
import { Export } from '../../../src/features/lifecycle/export-document.ts'
import {
  boot,
  call,
  expectExactly,
  type Person,
  person,
  newServer,
  say,
  standard,
  stop,
  until,
} from '../../support/harness.ts'
import { befriend, deleteAccountOf, group, peopleWithPassword, passersBy, write } from '../../support/people.ts'
import { exportOf, prepareProof } from '../../support/factors.ts'
import { plans } from '../../support/calendar-plans.ts'
import { place } from '../../support/places.ts'
import { votedIn } from '../../support/polls.ts'
import { report } from '../../support/reports.ts'
import { slowly } from '../../support/slow-reader.ts'
import { connect } from '../../support/socket.ts'
import { announce, png, upload } from '../../support/uploads.ts'
import { webhook } from '../../support/webhooks.ts'

const parley = await standard()
const { sql } = parley.parts
const bytes = new TextEncoder().encode('A feather')
const exported = async (who: Person) => {
  const answer = await exportOf(who)
  expect(answer.status).toBe(200)
  return answer.body
}

const SETTING = { muted_until: null, suppress_everyone: null, listed: null }
/** Sections of which the account has nothing. */
const NOTHING = { groups: [], favourites: [], push_subscriptions: [], stage_topics: [] }
const ARRIVED = { joined_at: expect.any(String), nickname: null, rules_version: null, choices: [], temporary: null }
/** A saved and a scheduled message, as the export shows them. */
async function forLater(who: Person, channel_id: number, message_id: number) {
  const { saved_at } = (await who.put(`/api/saved/${message_id}`, { note: 'Keep this' })).body
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  const later = await who.post(`/api/channels/${channel_id}/scheduled`, { draft: { content: 'Later' }, send_at })
  return { saved: [{ message_id, channel_id, note: 'Keep this', remind_at: null, saved_at }], scheduled: [later.body] }
}

/** A passkey and a linked identity, by SQL. */
async function addWaysIn({ id, username }: Person): Promise<void> {
  await sql`insert into passkeys (user_id, credential_id, public_key, sign_count, transports, name)
    values (${id}, ${username}, '1', 0, '{}', 'Phone')`
  await sql`insert into identities (user_id, issuer, subject, name)
    values (${id}, 'https://id.example.org', 'alice', 'Alice')`
}

test('an export holds everything that the account owns', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const other = await newServer(bob, alice)
  const role = (await alice.post(`/api/servers/${server_id}/roles`, { name: 'Keepers' })).body
  await alice.post(`/api/servers/${server_id}/members/${alice.id}/roles/${role.id}`)
  await befriend(alice, bob)
  await alice.put('/api/auth/privacy', { dms_from: 'friends' })
  const [shownFile, whispered, loose] = await Promise.all(
    ['shown.txt', 'whispered.txt', 'loose.txt'].map((name) => upload(alice, name, 'text/plain', bytes)),
  )
  const path = `/api/channels/${channel_id}/messages`
  const message = (await alice.post(path, { content: `Look, <@${bob.id}>`, file_ids: [shownFile?.id] })).body
  const direct = await write(alice, bob, 'Psst', { file_ids: [whispered?.id] })
  await bob.post(`/api/dm/messages/${direct.id}/read`)
  const theirs = await write(bob, alice, 'An owl')
  await alice.put(`/api/messages/${theirs.id}/reactions/🦉/@me`)
  const { id: owl } = await upload(alice, 'owl', 'image/png', await png(8, 8))
  const hook = await webhook(alice, channel_id)
  const emoji = (await alice.post(`/api/servers/${server_id}/emoji`, { name: 'owl', file_id: owl })).body
  const assets = await stickerAndSound(alice, server_id)
  await alice.post('/api/invites', { server_id })
  const live = await connect(alice)
  await live.command('channel.ack', { channel_id, message_id: message.id })
  await alice.put(`/api/notifications/servers/${server_id}`, { level: 'all' })
  await live.command('voice.device_key', { key: 'd'.repeat(64) })
  live.close()
  const later = { ...(await forLater(alice, channel_id, message.id)), ...(await plans(alice, server_id)) }
  const bot = await botOf(alice, 'Dice')
  const thread = (await alice.post(`/api/channels/${channel_id}/threads`, { name: 'Kingfishers' })).body
  const pollId = await votedIn(alice, bob, other.channel_id)
  await addWaysIn(alice)
  const answer = await exportOf(alice)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="parley-export.json"')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const { exported_at, reports: _, warnings: __, bans: ___, ignored_reporters: ____, ...document } = answer.body
  expect(Math.abs(Date.now() - Date.parse(exported_at))).toBeLessThan(60_000)
  const get = async (from: string) => (await alice.get(from)).body
  expect(document).toEqual({
    account: {
      ...(await get('/api/auth/me')),
      push_settings: null,
      totp_since: null,
      dnd_caller_ids: [],
      profile: { bio: '', pronouns: null, banner_url: null },
      status: null,
      privacy: {
        dms_from: 'friends',
        requests: false,
        friend_requests_from: 'everyone',
        link_previews: false,
        public_name: false,
      },
    },
    identities: [
      {
        id: expect.any(Number),
        issuer: 'https://id.example.org',
        subject: 'alice',
        name: 'Alice',
        created_at: expect.any(String),
        last_used_at: null,
      },
    ],
    passkeys: [{ id: expect.any(Number), name: 'Phone', created_at: expect.any(String), last_used_at: null }],
    sessions: await get('/api/auth/sessions'),
    addresses: [{ ip: '127.0.0.1', last_seen_at: expect.any(String) }],
    devices: [{ device: 'Bun', last_seen_at: expect.any(String) }],
    device_log: [{ position: 1, kind: 'added', key: 'd'.repeat(64), created_at: expect.any(String) }],
    servers: [
      { id: server_id, name: 'Birdwatchers', is_owner: true, ...ARRIVED, roles: [{ id: role.id, name: 'Keepers' }] },
      { id: other.server_id, name: 'Birdwatchers', is_owner: false, ...ARRIVED, roles: [] },
    ],
    relations: await get('/api/friends'),
    messages: (await get(path)).toReversed(),
    direct_messages: (await get(`/api/dm/${bob.id}/messages`)).filter((row: any) => row.sender_id === alice.id),
    files: await Promise.all(
      [shownFile, whispered, loose].map((file) => get(`/api/files/${file?.id}`)).toSorted(),
    ).then((files) => files.toSorted((a, b) => a.id - b.id)),
    invites: (await get(`/api/servers/${server_id}/invites`)).toReversed(),
    emoji: [emoji],
    ...assets,
    reactions: [{ message_id: theirs.id, emoji: '🦉', created_at: expect.any(String) }],
    votes: [{ message_id: pollId, answer_ids: [2] }],
    webhooks: [{ id: hook.id, channel_id, name: 'Grafana', created_at: hook.created_at }],
    read_marks: [{ channel_id, message_id: message.id }],
    notifications: [{ ...SETTING, server_id, channel_id: null, level: 'all' }],
    ...later,
    ...NOTHING,
    threads: [{ id: thread.id, name: 'Kingfishers', created_at: thread.created_at }],
    followed_threads: [{ channel_id: thread.id }],
    applications: [
      { id: bot.id, name: 'Dice', description: '', created_at: expect.any(String), interactions_url: null },
    ],
  })
})

test('an export holds reports by the account, its warnings and bans, and the reporters it ignores', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  await befriend(alice, bob)
  const [{ id: theirs }, { id: own }] = [await write(bob, alice, 'An owl'), await write(alice, bob, 'Where?')]
  await report(alice, theirs, 'spam', 'An owl?')
  await report(bob, own)
  const { server_id, channel_id } = await place(bob, alice)
  await bob.post(`/api/servers/${server_id}/members/${alice.id}/warnings`, { reason: 'Hush' })
  await report(alice, (await say(bob, channel_id, 'Owls')).id)
  await sql`insert into ignored_reporters (server_id, moderator_id, reporter_id, until)
    values (${server_id}, ${alice.id}, ${bob.id}, now() + interval '1 day')`
  await bob.put(`/api/servers/${server_id}/bans/${alice.id}`, { reason: 'Hush now' })
  const { reports, warnings, bans, ignored_reporters } = await exported(alice)
  expect(bans).toEqual((await alice.get('/api/users/@me/bans')).body)
  expect(bans).toMatchObject([{ server_id, reason: 'Hush now', until: null }])
  expect(ignored_reporters).toMatchObject([{ server_id, user_id: bob.id }])
  expect(warnings).toMatchObject([{ server_id, reason: 'Hush', read_at: null }])
  const created_at = expect.any(String)
  const [first] = reports
  expect(reports).toHaveLength(2)
  expect(first).toEqual({ message_id: theirs, user_id: bob.id, reason: 'spam', note: 'An owl?', created_at })
})

test('an export names the groups that the account is in, and no dm', async () => {
  const [alice, bob, carol] = await passersBy(parley, 'alice', 'bob', 'carol')
  await befriend(bob, carol)
  const owned = await group(alice, bob, carol)
  await alice.put(`/api/channels/${owned}`, { name: 'Owls' })
  const { body } = await bob.post('/api/channels/direct', { recipient_ids: [alice.id, carol.id] })
  const formerGroup = (await alice.post('/api/channels/direct', { recipient_ids: [bob.id, carol.id] })).body.id
  await alice.delete(`/api/channels/${formerGroup}/recipients/${alice.id}`)
  await write(alice, bob, 'Psst')
  const joined_at = expect.any(String)
  expect((await exported(alice)).groups).toEqual([
    { id: owned, name: 'Owls', is_owner: true, joined_at },
    { id: body.id, name: '', is_owner: false, joined_at },
  ])
})

test('an export holds nothing that others wrote or did, and none of their names', async () => {
  const [alice, bob, mallory] = [
    await person(parley, 'alice'),
    await person(parley, 'bob'),
    await person(parley, 'mallory'),
  ]
  const others = [bob, mallory]
  const { server_id, channel_id } = await newServer(alice, bob, mallory)
  const secrets: string[] = []
  const secret = (what: string) => {
    secrets.push(`${what} nobody else's ${crypto.randomUUID()}`)
    return secrets.at(-1) as string
  }
  const hers = await say(alice, channel_id, 'What I said')
  const original = await say(bob, channel_id, secret('message'))
  const forward = { forward_message_id: original.id }
  const forwarded = (await alice.post(`/api/channels/${channel_id}/messages`, forward)).body
  expect(forwarded.forwarded.content).toBe(original.content)
  const thread = await bob.post(`/api/channels/${channel_id}/threads`, { name: secret('thread'), message_id: hers.id })
  expect(thread.status).toBe(201)
  for (const who of others) {
    const role = await alice.post(`/api/servers/${server_id}/roles`, { name: secret('role') })
    await alice.post(`/api/servers/${server_id}/members/${who.id}/roles/${role.body.id}`)
    const file = await upload(who, secret('file'), 'text/plain', bytes)
    const reply = { content: secret('message'), reply_to_id: hers.id, file_ids: [file.id] }
    await who.post(`/api/channels/${channel_id}/messages`, reply)
    await write(who, alice, secret('whisper'))
    await write(alice, who, 'What I whispered')
    await who.post('/api/auth/login', {})
    const agent = { 'user-agent': secret('agent') }
    const body = { username: who.username, password: 'Correct-Horse-7!' }
    expect((await call(parley, 'POST', '/api/auth/login', { body, headers: agent })).status).toBe(200)
    const own = await who.post('/api/servers', { name: secret('server') })
    const invite = await who.post('/api/invites', { server_id: own.body.id })
    secrets.push(invite.body.code, who.username, who.email, who.token)
    await announce(who, secret('upload'), 'text/plain', 3)
    const [avatar] = [await upload(who, secret('avatar'), 'image/png', await png(10, 10))]
    await who.put('/api/auth/avatar', { avatar_file_id: avatar.id })
  }
  await bob.put(`/api/servers/${server_id}`, {})
  await mallory.post(`/api/friends/${alice.id}/block`)
  await bob.post('/api/friends/request', { friend_id: alice.id })
  await alice.put(`/api/servers/${server_id}/bans/${mallory.id}`, { reason: 'Because of mallory' })

  const text = JSON.stringify(await exported(alice))
  expect(text).toContain('What I said')
  expect(text.match(/What I whispered/g)).toHaveLength(2)
  expect(secrets.length).toBeGreaterThan(20)
  expect(secrets.filter((one) => text.includes(one))).toEqual([])
  for (const word of ['argon2', 'password', 'Because of mallory', alice.token]) expect(text.includes(word)).toBe(false)
  const document = JSON.parse(text)
  expect(document.relations.map((row: any) => [row.user.id, row.state])).toEqual([[bob.id, 'pending_incoming']])
  expect(document.messages.every((row: any) => row.author.id === alice.id)).toBe(true)
  const row = (messageId: number) => document.messages.find(({ id }: any) => id === messageId)
  const nothing = { channel_id: null, author: null, content: null }
  expect(row(forwarded.id)).toEqual({ ...forwarded, forwarded: { message_id: original.id, ...nothing } })
  expect(row(hers.id)).toMatchObject({ content: 'What I said', thread: null })
  expect(document.direct_messages.every((row: any) => row.sender_id === alice.id)).toBe(true)
  // Mallory, who blocks and was banned, appears only as an id where alice wrote to her.
  const named = text.match(
    new RegExp(`"((?:uploader|creator|user|sender|recipient|owner)_id|\\w+":{"id)":${mallory.id}\\b`, 'g'),
  )
  expect(named).toEqual([`"recipient_id":${mallory.id}`])
})

/** Creates messages of an account by SQL. */
const many = (who: Person, channel_id: number, count: number, bytesEach: number) =>
  sql`insert into messages (channel_id, author_id, content)
    select ${channel_id}, ${who.id}, repeat('x', ${bytesEach}) || n from generate_series(1, ${count}) n`

test('an export of many pages has every row once, in its order, and no row of another account', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { channel_id } = await newServer(alice, bob)
  for (const count of [0, 99, 100, 101, 250]) {
    await sql`delete from messages where channel_id = ${channel_id}`
    await many(alice, channel_id, count, 1)
    await many(bob, channel_id, 30, 1)
    const { messages } = await exported(alice)
    expect(messages.map((row: any) => row.content)).toEqual(Array.from({ length: count }, (_, at) => `x${at + 1}`))
  }
  await sql`insert into known_addresses (user_id, ip)
    select ${alice.id}, '2001:db8:' || n || '::/64' from generate_series(1, 250) n`
  expect((await exported(alice)).addresses).toHaveLength(250)
})

/** The server's open statements and transactions. */
const underway = async () =>
  (
    await sql`select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`
  ).length

test('a slow reader of an export holds no database connection and little memory', async () => {
  const [alice] = await passersBy(parley, 'alice')
  const { channel_id } = await newServer(alice)
  // 80 MB: far more than the operating system buffers for a reader who stops.
  await many(alice, channel_id, 20_000, 4000)
  await prepareProof(alice)
  Bun.gc(true)
  const before = process.memoryUsage.rss()
  const reader = await slowly(alice, '/api/auth/export')
  await until(async () => {
    const seen = reader.bytes()
    await Bun.sleep(300)
    return seen === reader.bytes() && (await underway()) === 0
  })
  const [session] = await sql`select 1 from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`
  expect(session).toBeUndefined()
  expect(reader.bytes()).toBeLessThan(20e6)
  expect(process.memoryUsage.rss() - before).toBeLessThan(60e6)
  const answers = await Promise.all(Array.from({ length: 40 }, () => alice.get('/api/auth/me')))
  expect(answers.every((answer) => answer.status === 200)).toBe(true)
  const body = await reader.rest()
  const document = JSON.parse(body)
  expect(document.messages).toHaveLength(20_000)
  expectExactly(Export, document, 'a large export')
})

test('an account has only one export; it ends when its reader disconnects, and the next may begin', async () => {
  const [alice] = await passersBy(parley, 'alice')
  const { channel_id } = await newServer(alice)
  await many(alice, channel_id, 5000, 4000)
  await prepareProof(alice)
  const reader = await slowly(alice, '/api/auth/export')
  const second = await alice.get('/api/auth/export')
  expect([second.status, second.body.code]).toEqual([409, 'export_running'])
  expect(second.headers.get('retry-after')).toBe('30')
  reader.leave()
  const head = { method: 'HEAD', headers: { authorization: `Bearer ${alice.token}` } }
  await until(async () => (await fetch(`${parley.url}/api/auth/export`, head)).status === 200)
  await until(async () => (await alice.get('/api/auth/export')).status === 200)
})

test('an export ends with the session that asked for it', async () => {
  for (const end of [(who: Person) => who.post('/api/auth/logout'), deleteAccountOf]) {
    const [alice] = await peopleWithPassword(parley, 'alice')
    const [bob] = await passersBy(parley, 'bob')
    const { channel_id } = await newServer(bob, alice)
    await many(alice, channel_id, 5000, 4000)
    await prepareProof(alice)
    const reader = await slowly(alice, '/api/auth/export')
    expect((await end(alice)).status).toBeLessThan(300)
    const body = await reader.rest()
    expect(body.length).toBeLessThan(19e6)
    expect(() => JSON.parse(body)).toThrow()
  }
})

test('five exports an hour are enough', async () => {
  const strict = await boot({ RATE_LIMITS: 'on' })
  const alice = await person(strict, 'alice')
  const statuses: number[] = []
  for (let n = 0; n < 6; n++) statuses.push((await exportOf(alice)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  await stop(strict)
})
