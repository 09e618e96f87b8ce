import { expect, test } from 'bun:test'
import { addBot, botOf } from '../../support/bots.ts'
import { type Person, say, standard, until } from '../../support/harness.ts'
import { deleteAccountOf, passersBy, peopleWithPassword } from '../../support/people.ts'
import { place, rank } from '../../support/places.ts'
import { promote } from '../../support/ranks.ts'
import { permissions } from '../../../src/core/permissions.ts'
import { connect } from '../../support/socket.ts'
import { png, upload } from '../../support/uploads.ts'
import { newest, post, webhook } from '../../support/webhooks.ts'

const parley = await standard()
const { sql } = parley.parts
const begin = async (who: Person, channel_id: number) =>
  (await who.post(`/api/channels/${channel_id}/threads`, { name: 'Kingfishers' })).body
const [alice, bob, carol, mallory] = await passersBy(parley, 'alice', 'bob', 'carol', 'mallory')

test('a webhook is made with a URL that is shown once, and writes in its channel under its name', async () => {
  const { channel_id, server_id } = await place(alice, bob)
  const live = await connect(bob)
  const { url, ...webhookFields } = await webhook(alice, channel_id)
  expect(url).toMatch(new RegExp(`^${parley.url}/hooks/${webhookFields.id}/[\\w-]{43}$`))
  expect(webhookFields).toMatchObject({
    server_id,
    channel_id,
    name: 'Grafana',
    avatar_file_id: null,
    mentions_everyone: false,
  })
  expect(webhookFields.creator?.id).toBe(alice.id)
  expect((await alice.get(`/api/channels/${channel_id}/webhooks`)).body).toEqual([webhookFields])
  expect((await alice.get(`/api/servers/${server_id}/webhooks`)).body).toEqual([webhookFields])
  expect((await post(alice, url, { content: 'Disk is full' })).status).toBe(204)
  const { d } = await live.next('message.created')
  expect(d).toMatchObject({ channel_id, kind: 'default', content: 'Disk is full', member: null, embeds: [] })
  expect(d.author).toEqual({ id: webhookFields.id, display_name: 'Grafana', avatar_file_id: null, kind: 'webhook' })
  expect((await newest(bob, channel_id)).author).toEqual(d.author)
  const token = url.split('/').at(-1) ?? ''
  const [{ hash }] = await sql<
    [{ hash: Buffer }]
  >`select hash from webhook_tokens where webhook_id = ${webhookFields.id}`
  expect(hash.toString('hex')).toBe(new Bun.CryptoHasher('sha256').update(token).digest('hex'))
  live.close()
})

test('a name and a picture change for everyone; the audit log has all changes, and no token', async () => {
  const { channel_id, server_id } = await place(alice, bob)
  const { id, url } = await webhook(alice, channel_id)
  const live = await connect(bob)
  const { id: avatar_file_id } = await upload(alice, 'owl.png', 'image/png', await png(64, 64))
  const changed = await alice.put(`/api/webhooks/${id}`, { name: 'Owl', avatar_file_id })
  expect(changed.body).toMatchObject({ id, name: 'Owl', avatar_file_id })
  expect((await live.next('user.updated')).d).toMatchObject({
    id,
    display_name: 'Owl',
    avatar_file_id,
    kind: 'webhook',
  })
  expect((await bob.get(`/api/files/${avatar_file_id}`)).status).toBe(200)
  const rotated = await alice.post(`/api/webhooks/${id}/rotate`)
  expect(rotated.status).toBe(200)
  expect((await post(alice, url, { content: 'old' })).status).toBe(404)
  expect((await post(alice, rotated.body.url, { content: 'new' })).status).toBe(204)
  expect((await alice.delete(`/api/webhooks/${id}`)).status).toBe(204)
  expect((await post(alice, rotated.body.url, { content: 'gone' })).status).toBe(404)
  const log = (await alice.get(`/api/servers/${server_id}/audit-log`)).body
  expect(log.map(({ action }: any) => action)).toEqual([
    'webhook.deleted',
    'webhook.rotated',
    'webhook.updated',
    'webhook.created',
  ])
  expect(JSON.stringify(log)).not.toContain(url.split('/').at(-1) as string)
  live.close()
})

test('its URL deletes the webhook once, under concurrent requests; its messages stay', async () => {
  const { channel_id, server_id } = await place(alice)
  const { id, url } = await webhook(alice, channel_id)
  await post(alice, url, { content: 'the last words' })
  expect((await post(alice, `${url.slice(0, -1)}!`, undefined, { method: 'DELETE' })).status).toBe(404)
  const answers = await Promise.all(Array.from({ length: 4 }, () => post(alice, url, undefined, { method: 'DELETE' })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404, 404])
  expect((await post(alice, url, { content: 'gone' })).body.code).toBe(10015)
  expect((await newest(alice, channel_id)).content).toBe('the last words')
  const [entry] = (await alice.get(`/api/servers/${server_id}/audit-log`)).body
  expect(entry).toMatchObject({ action: 'webhook.deleted', target_id: id, actor: { id } })
})

test('a webhook that changed itself and sent nothing is deleted, with its server too', async () => {
  const { channel_id, server_id } = await place(alice)
  const [first, second, third] = [
    await webhook(alice, channel_id, 'First'),
    await webhook(alice, channel_id, 'Second'),
    await webhook(alice, channel_id, 'Third'),
  ]
  for (const { url } of [first, second, third])
    expect((await post(alice, url, { name: 'Renamed' }, { method: 'PATCH' })).status).toBe(200)
  expect((await alice.delete(`/api/webhooks/${first.id}`)).status).toBe(204)
  expect((await post(alice, second.url, undefined, { method: 'DELETE' })).status).toBe(204)
  expect((await alice.delete(`/api/servers/${server_id}`)).status).toBe(204)
  expect((await post(alice, third.url, { content: 'gone' })).status).toBe(404)
})

test('messages keep the name of a deleted webhook; an account without messages is deleted too', async () => {
  const { channel_id } = await place(alice)
  const [spoke, silent] = [await webhook(alice, channel_id, 'Spoke'), await webhook(alice, channel_id, 'Silent')]
  await post(alice, spoke.url, { content: 'hello' })
  for (const { id } of [spoke, silent]) expect((await alice.delete(`/api/webhooks/${id}`)).status).toBe(204)
  expect((await newest(alice, channel_id)).author).toMatchObject({
    id: spoke.id,
    display_name: 'Spoke',
    kind: 'webhook',
  })
  expect((await alice.get(`/api/users/${spoke.id}`)).body.display_name).toBe('Spoke')
  expect((await alice.get(`/api/users/${silent.id}`)).status).toBe(404)
})

test('a channel takes its webhooks and their accounts along, and so does a server', async () => {
  const { channel_id, server_id } = await place(alice)
  const { id, url } = await webhook(alice, channel_id)
  await post(alice, url, { content: 'hello' })
  const other = await alice.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })
  const second = await webhook(alice, other.body.id)
  await post(alice, second.url, { content: 'hello' })
  expect((await alice.delete(`/api/channels/${channel_id}`)).status).toBe(204)
  expect((await post(alice, url, { content: 'late' })).status).toBe(404)
  expect(await sql`select 1 from users where id = ${id}`).toHaveLength(0)
  expect((await alice.delete(`/api/servers/${server_id}`)).status).toBe(204)
  expect((await post(alice, second.url, { content: 'late' })).status).toBe(404)
  await parley.sweep()
  expect(await sql`select 1 from users where id = ${second.id}`).toHaveLength(0)
})

test('a webhook that an audit log or a case names keeps its account, and the sweep goes on', async () => {
  const { channel_id, server_id } = await place(alice)
  const hooks = [await webhook(alice, channel_id), await webhook(alice, channel_id), await webhook(alice, channel_id)]
  const [logged = 0, noted = 0, plain = 0] = hooks.map(({ id }) => Number(id))
  await sql`insert into audit_log (server_id, actor_id, action, target_type, target_id)
    values (${server_id}, ${logged}, 'automod.acted', 'user', ${logged})`
  await sql`insert into cases (server_id, user_id, kind, actor_id, reason)
    values (${server_id}, ${alice.id}, 'automod', ${noted}, 'Birds')`
  for (const { id } of hooks) expect((await alice.delete(`/api/webhooks/${id}`)).status).toBe(204)
  await parley.sweep()
  const rows = await sql<{ id: number }[]>`select id from users where id in ${sql([logged, noted, plain])} order by id`
  expect(rows.map(({ id }) => id)).toEqual([logged, noted])
})

test('manage_webhooks decides in the channel; others and strangers learn nothing', async () => {
  const { channel_id, server_id } = await place(alice, bob, carol)
  const { id } = await webhook(alice, channel_id)
  await promote(carol, server_id, { bits: ['manage_webhooks'] })
  expect((await bob.post(`/api/channels/${channel_id}/webhooks`, { name: 'x' })).body.detail).toContain(
    'manage_webhooks',
  )
  expect((await bob.put(`/api/webhooks/${id}`, { name: 'x' })).status).toBe(403)
  expect((await bob.get(`/api/servers/${server_id}/webhooks`)).body).toEqual([])
  for (const answer of [
    await mallory.put(`/api/webhooks/${id}`, { name: 'x' }),
    await mallory.delete(`/api/webhooks/${id}`),
  ])
    expect(answer.status).toBe(404)
  expect((await carol.put(`/api/webhooks/${id}`, { name: 'Heron' })).body.name).toBe('Heron')
  // Carol cannot give the webhook a bit that she lacks.
  expect((await carol.put(`/api/webhooks/${id}`, { mentions_everyone: true })).body.detail).toContain(
    'mention_everyone',
  )
  const hidden = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'hidden', type: 'text' })).body.id
  const { everyone } = await sql<[{ everyone: number }]>`
    select id as everyone from roles where server_id = ${server_id} and is_everyone`.then(([row]) => row)
  await alice.put(`/api/channels/${hidden}/permissions/${everyone}`, { deny: permissions('view_channel') })
  expect((await carol.put(`/api/webhooks/${id}`, { channel_id: hidden })).status).toBe(404)
  const elsewhere = await place(carol)
  expect((await carol.put(`/api/webhooks/${id}`, { channel_id: elsewhere.channel_id })).status).toBe(422)
  const stolen = await upload(alice, 'owl.png', 'image/png', await png(64, 64))
  expect((await carol.put(`/api/webhooks/${id}`, { avatar_file_id: stolen.id })).status).toBe(404)
})

test('the URL of a webhook that may mention everyone is renewed only by a member who may', async () => {
  const { channel_id, server_id } = await place(alice, carol)
  const { id } = await webhook(alice, channel_id)
  await promote(carol, server_id, { bits: ['manage_webhooks'] })
  await alice.put(`/api/webhooks/${id}`, { mentions_everyone: true })
  expect((await carol.post(`/api/webhooks/${id}/rotate`)).body.detail).toContain('mention_everyone')
  expect((await alice.post(`/api/webhooks/${id}/rotate`)).status).toBe(200)
})

test('a channel has at most 15, under concurrent requests; categories and threads have none', async () => {
  const { channel_id, server_id } = await place(alice)
  const responses = await Promise.all(
    Array.from({ length: 18 }, (_, n) => alice.post(`/api/channels/${channel_id}/webhooks`, { name: `n${n}` })),
  )
  expect(
    responses
      .map(({ status }) => status)
      .toSorted()
      .slice(0, 16),
  ).toEqual([...Array(15).fill(201), 409])
  expect(responses.find(({ status }) => status === 409)?.body.code).toBe('too_many_webhooks')
  const category = await alice.post(`/api/servers/${server_id}/channels`, { name: 'c', type: 'category' })
  expect((await alice.post(`/api/channels/${category.body.id}/webhooks`, { name: 'x' })).status).toBe(403)
})

test('a webhook is no member: nobody finds, befriends or mentions it, and it logs in nowhere', async () => {
  const { channel_id, server_id } = await place(alice, bob)
  const { id, url } = await webhook(alice, channel_id, 'Kingfisher-Bot')
  await post(alice, url, { content: 'hello' })
  const message = await newest(bob, channel_id)
  expect((await bob.get('/api/users/search?q=Kingfisher-Bot')).body).toEqual([])
  expect((await bob.post('/api/friends/request', { friend_id: id })).status).toBe(404)
  expect((await bob.post(`/api/friends/${id}/block`)).status).toBe(404)
  expect((await bob.post('/api/dm/messages', { recipient_id: id, content: 'hi' })).status).toBeOneOf([403, 404])
  expect((await bob.get(`/api/servers/${server_id}/members`)).body.map(({ user }: any) => user.id)).not.toContain(id)
  expect((await bob.get(`/api/servers/${server_id}`)).body.member_count).toBe(2)
  const reply = await bob.post(`/api/channels/${channel_id}/messages`, { content: `<@${id}>`, reply_to_id: message.id })
  expect(reply.body.mention_ids).toEqual([])
  const [{ username, email }] = await sql<
    [{ username: string; email: string }]
  >`select username, email from users where id = ${id}`
  for (const body of [{ username }, { email }]) {
    const login = await fetch(`${parley.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, password: 'Correct-Horse-7!' }),
    })
    expect(login.status).toBeOneOf([401, 422])
  }
  expect(sql`insert into members (server_id, user_id) values (${server_id}, ${id})`).rejects.toThrow()
  expect(sql`insert into sessions (user_id, expires_at, ip) values (${id}, now(), '::1')`).rejects.toThrow()
})

test('its messages count as unread, and are found, pinned, forwarded and deleted like others', async () => {
  const { channel_id } = await place(alice, bob)
  const { url } = await webhook(alice, channel_id)
  await post(alice, url, { content: 'kestrel', username: 'Night Watch' })
  const { id, author } = await newest(bob, channel_id)
  expect(author.display_name).toBe('Night Watch')
  const [unread] = (await bob.get(`/api/unread?channel_ids=${channel_id}`)).body
  expect(unread).toBeDefined()
  expect((await bob.put(`/api/messages/${id}`, { content: 'x' })).status).toBe(403)
  expect((await bob.put(`/api/messages/${id}/reactions/${encodeURIComponent('👍')}/@me`)).status).toBeOneOf([200, 204])
  expect((await alice.put(`/api/channels/${channel_id}/pins/${id}`)).status).toBeOneOf([200, 201, 204])
  const forward = await bob.post(`/api/channels/${channel_id}/messages`, { forward_message_id: id })
  expect(forward.body.forwarded.author).toMatchObject({ display_name: 'Night Watch', kind: 'webhook' })
  await parley.sweep()
  const found = await bob.get(`/api/search?q=kestrel&channel_id=${channel_id}`)
  expect(JSON.stringify(found.body)).toContain('Night Watch')
  expect((await alice.delete(`/api/messages/${id}`)).status).toBe(204)
})

test('the account of a webhook that is gone goes with the last of its messages, and no other', async () => {
  const { channel_id } = await place(alice)
  const newHook = () => webhook(alice, channel_id)
  const [deletedHook, saying, silent, emptied] = [await newHook(), await newHook(), await newHook(), await newHook()]
  const postAndRead = async ({ url }: typeof deletedHook) => {
    await post(alice, url, { content: 'hello' })
    return (await newest(alice, channel_id)).id
  }
  const [ofGone, , ofEmptied] = [await postAndRead(deletedHook), await postAndRead(saying), await postAndRead(emptied)]
  for (const { id } of [deletedHook, saying]) expect((await alice.delete(`/api/webhooks/${id}`)).status).toBe(204)
  for (const id of [ofGone, ofEmptied]) expect((await alice.delete(`/api/messages/${id}`)).status).toBe(204)
  const ids = [deletedHook, saying, silent, emptied].map(({ id }) => id)
  const remainingIds = async () =>
    (await sql`select id from users where id = any(${ids}) order by id`).map(({ id }) => id)
  await until(async () => {
    await parley.sweep()
    return !(await remainingIds()).includes(deletedHook.id)
  })
  expect(await remainingIds()).toEqual(ids.slice(1))
})

test('a webhook writes in open threads of its channel by thread_id, follows none, and in no foreign one', async () => {
  const { channel_id } = await place(alice, bob)
  const { id, url } = await webhook(alice, channel_id)
  const thread = await begin(alice, channel_id)
  expect((await post(alice, `${url}?thread_id=${thread.id}`, { content: 'in it' })).status).toBe(204)
  expect(await newest(alice, thread.id)).toMatchObject({ content: 'in it', author: { id } })
  expect(await sql`select 1 from thread_followers where user_id = ${id}`).toHaveLength(0)
  const elsewhere = await begin(bob, (await place(bob)).channel_id)
  for (const bad of [elsewhere.id, channel_id, 'x', '', '9'.repeat(30)])
    expect((await post(alice, `${url}?thread_id=${bad}`, { content: 'x' })).status).toBe(404)
  await alice.put(`/api/channels/${thread.id}`, { locked: true })
  expect((await post(alice, `${url}?thread_id=${thread.id}`, { content: 'x' })).body.code).toBe(10003)
})

test('a webhook that was moved changes and deletes nothing in its former channel', async () => {
  const { channel_id, server_id } = await place(alice)
  const { id, url } = await webhook(alice, channel_id)
  const thread = await begin(alice, channel_id)
  await post(alice, url, { content: 'here' })
  await post(alice, `${url}?thread_id=${thread.id}`, { content: 'here' })
  const messages = [await newest(alice, channel_id), await newest(alice, thread.id)]
  const patch = (message: { id: number }) =>
    post(alice, `${url}/messages/${message.id}`, { content: 'changed' }, { method: 'PATCH' })
  for (const message of messages) expect((await patch(message)).status).toBe(200)
  const other = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })).body.id
  expect((await alice.put(`/api/webhooks/${id}`, { channel_id: other })).status).toBe(200)
  for (const message of messages) {
    expect((await patch(message)).status).toBe(404)
    const removed = await post(alice, `${url}/messages/${message.id}`, undefined, { method: 'DELETE' })
    expect(removed.status).toBe(404)
    expect((await alice.get(`/api/messages/${message.id}`)).body.content).toBe('changed')
  }
})

test('the webhooks of a suspended account, and of its bots, write nothing while it is suspended', async () => {
  const [dora] = await passersBy(parley, 'dora')
  const { channel_id } = await place(alice)
  const hooks = [await webhook(alice, channel_id), await webhook(alice, channel_id)]
  const bot = await botOf(dora, 'Maker')
  for (const [at, creatorId] of [dora.id, bot.id].entries())
    await sql`update webhooks set creator_id = ${creatorId} where id = ${hooks[at]?.id ?? 0}`
  const statuses = () =>
    Promise.all(hooks.map(async ({ url }) => (await post(alice, url, { content: 'hello' })).status))
  expect(await statuses()).toEqual([204, 204])
  await sql`update users set suspended_at = now(), suspended_reason = 'a test' where id = ${dora.id}`
  expect(await statuses()).toEqual([404, 404])
  await sql`update users set suspended_at = null, suspended_reason = null where id = ${dora.id}`
  expect(await statuses()).toEqual([204, 204])
})

test('deleting the account of its maker leaves the webhook and ends its URL; the owner renews it', async () => {
  const [dora] = await peopleWithPassword(parley, 'dora')
  const { channel_id, server_id } = await place(alice, dora)
  await rank(parley, server_id, permissions('manage_webhooks'), dora)
  const { id, url } = await webhook(dora, channel_id)
  await sql`update sessions set proven_at = now() where user_id = ${dora.id}`
  expect((await dora.get('/api/auth/export')).body.webhooks).toMatchObject([{ id, channel_id, name: 'Grafana' }])
  expect((await deleteAccountOf(dora)).status).toBe(204)
  expect((await post(alice, url, { content: 'still here' })).status).toBe(404)
  const [remaining] = (await alice.get(`/api/channels/${channel_id}/webhooks`)).body
  expect(remaining.creator.id).toBe(alice.id)
  const renewed = (await alice.post(`/api/webhooks/${id}/rotate`)).body.url
  expect((await post(alice, renewed, { content: 'here again' })).status).toBe(204)
  await say(alice, channel_id, 'hello')
})

test('the webhooks that a bot made end with the account of its owner, before the bot is deleted', async () => {
  const [dora] = await peopleWithPassword(parley, 'dora')
  const { channel_id, server_id } = await place(alice)
  const bot = await botOf(dora, 'Maker')
  await addBot(alice, server_id, bot, permissions('manage_webhooks'))
  const { url } = await webhook(bot, channel_id)
  expect((await post(alice, url, { content: 'hello' })).status).toBe(204)
  await sql`update sessions set proven_at = now() where user_id = ${dora.id}`
  expect((await deleteAccountOf(dora)).status).toBe(204)
  expect((await post(alice, url, { content: 'still here' })).status).toBe(404)
})
