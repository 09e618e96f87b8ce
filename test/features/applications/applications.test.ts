import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { proveAddress } from '../../../src/features/login/proven-address.ts'
import { SOCKETS_PER_BOT_MAX } from '../../../src/gateway/model.ts'
import { addBot, botOf } from '../../support/bots.ts'
import { call, PASSWORD, type Person, say, standard, until } from '../../support/harness.ts'
import { deleteAccountOf, passersBy, peopleWithPassword, write } from '../../support/people.ts'
import { place, rank } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'
import { png, upload } from '../../support/uploads.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, carol, mallory] = await passersBy(parley, 'alice', 'bob', 'carol', 'mallory')

test('an application has a bot, whose token works in REST and on the gateway, by either scheme', async () => {
  const response = await alice.post('/api/applications', { name: 'Dice', description: 'Rolls dice' })
  expect(response.status).toBe(201)
  const { token, ...application } = response.body
  expect(application).toMatchObject({
    bot: { id: application.id, display_name: 'Dice', avatar_file_id: null, kind: 'bot' },
    owner: { id: alice.id },
    description: 'Rolls dice',
  })
  expect((await alice.get('/api/applications')).body).toEqual([application])
  const { interactions_url, public_key, ...publicFields } = application
  expect([interactions_url, public_key]).toEqual([null, expect.stringMatching(/^[0-9a-f]{64}$/)])
  expect((await mallory.get(`/api/applications/${application.id}`)).body).toEqual(publicFields)
  for (const scheme of ['Bearer', 'Bot']) {
    const headers = { authorization: `${scheme} ${token}` }
    expect((await call(parley, 'GET', '/api/applications/@me', { headers })).body).toEqual(application)
  }
  const renamed = await alice.put(`/api/applications/${application.id}`, { name: 'Dice 2' })
  expect(renamed.body.bot.display_name).toBe('Dice 2')
  const own = await call(parley, 'PUT', '/api/applications/@me', { token, body: { description: 'Rolls' } })
  expect(own.body).toMatchObject({ description: 'Rolls', bot: { display_name: 'Dice 2' } })
  const gateway = await connect({ ...alice, id: application.id, token } as Person)
  expect(gateway.of('ready')[0]?.d.user.id).toBe(application.id)
  gateway.close()
})

test('a bot’s picture must be an upload of its owner or of the bot itself', async () => {
  const bot = await botOf(alice, 'Owl')
  const path = `/api/applications/${bot.id}`
  const owl = async (who: Person) => upload(who, 'owl.png', 'image/png', await png(32, 32))
  const [hers, others, its] = [await owl(alice), await owl(bob), await owl(bot)]
  const put = (who: Person, at: string, avatar_file_id: number | null) => who.put(at, { avatar_file_id })
  expect((await put(alice, path, others.id)).status).toBe(404)
  expect((await put(bob, path, others.id)).status).toBe(404)
  expect((await put(alice, path, hers.id)).body.bot.avatar_file_id).toBe(hers.id)
  expect((await put(bot, '/api/applications/@me', hers.id)).status).toBe(404)
  expect((await put(bot, '/api/applications/@me', its.id)).body.bot.avatar_file_id).toBe(its.id)
  expect((await put(alice, path, hers.id)).status).toBe(200)
  expect((await alice.delete(`/api/files/${hers.id}`)).status).toBe(204)
  expect((await alice.get(path)).body.bot.avatar_file_id).toBeNull()
})

test('a replaced token is void at once, and its sockets close', async () => {
  const bot = await botOf(alice, 'Owl')
  const gateway = await connect(bot)
  const fresh = await alice.post(`/api/applications/${bot.id}/token`)
  expect(fresh.status).toBe(201)
  expect((await gateway.closed).code).toBe(4003)
  expect((await bot.get('/api/applications/@me')).body.code).toBe('token_revoked')
  bot.token = fresh.body.token
  expect((await bot.get('/api/applications/@me')).status).toBe(200)
  for (const path of [`/api/applications/${bot.id}/token`]) expect((await mallory.post(path)).status).toBe(404)
  expect((await mallory.put(`/api/applications/${bot.id}`, { name: 'Mine' })).status).toBe(404)
  expect((await mallory.delete(`/api/applications/${bot.id}`)).status).toBe(404)
})

test('a member who manages server and roles adds a bot, with its own role and no bit that they lack', async () => {
  const { server_id } = await place(alice, bob, carol)
  const ownerBits = permissions('manage_server', 'manage_roles', 'kick_members')
  await rank(parley, server_id, permissions('manage_roles', 'kick_members'), carol)
  await rank(parley, server_id, ownerBits, bob)
  const bot = await botOf(mallory, 'Helper')
  const path = `/api/servers/${server_id}/applications/${bot.id}`
  const lacking = [
    await carol.put(path, { permissions: 0 }),
    await bob.put(path, { permissions: permissions('ban_members') }),
    await bob.put(path, { permissions: permissions('administrator') }),
  ]
  for (const { status, body } of lacking) expect([status, body.code]).toEqual([403, 'missing_permission'])
  expect((await mallory.put(path, { permissions: 0 })).status).toBe(404)
  expect((await bob.put(path, { permissions: 2 ** 52 })).status).toBe(422)
  expect((await sql`select 1 from roles where server_id = ${server_id} and bot_id is not null`).length).toBe(0)

  const live = await connect(alice)
  const added = await bob.put(path, { permissions: permissions('kick_members') })
  expect(added.status).toBe(201)
  expect(added.body.application.bot).toMatchObject({ kind: 'bot', display_name: 'Helper' })
  const joined = (await live.next('member.joined')).d
  expect(joined.user).toMatchObject({ id: bot.id, kind: 'bot' })
  const roles = (await alice.get(`/api/servers/${server_id}/roles`)).body
  const role = roles.find(({ id }: any) => id === added.body.role_id)
  expect(role).toMatchObject({ name: 'Helper', position: 1, permissions: permissions('kick_members'), bot_id: bot.id })
  expect((await bob.put(path, { permissions: 0 })).status).toBe(200)
  expect((await alice.get(`/api/servers/${server_id}/applications`)).body).toEqual([added.body])
  const [entry] = (await alice.get(`/api/servers/${server_id}/audit-log`)).body
  expect(entry).toMatchObject({ action: 'bot.added', actor: { id: bob.id }, target_id: bot.id })
  // The role belongs only to the bot, and stays while the bot does.
  const others = [
    alice.post(`/api/servers/${server_id}/members/${carol.id}/roles/${role.id}`),
    alice.delete(`/api/servers/${server_id}/members/${bot.id}/roles/${role.id}`),
    alice.delete(`/api/roles/${role.id}`),
  ]
  for (const { body } of await Promise.all(others)) expect(body.code).toBe('forbidden')
  live.close()
})

test('a bot that is kicked or banned is gone with its role, and its former channels are silent', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const bot = await botOf(bob, 'Parrot')
  await addBot(alice, server_id, bot, permissions('manage_messages'))
  expect((await say(bot, channel_id, 'Hello')).author.kind).toBe('bot')
  const gateway = await connect(bot)
  const live = await connect(alice)
  expect((await alice.delete(`/api/servers/${server_id}/members/${bot.id}`)).status).toBe(204)
  await live.next('role.deleted')
  expect((await sql`select 1 from roles where server_id = ${server_id} and not is_everyone`).length).toBe(0)
  expect((await bot.get(`/api/servers/${server_id}`)).status).toBe(404)
  await say(alice, channel_id, 'Is it gone?')
  await gateway.next('server.deleted')
  expect(gateway.of('message.created')).toEqual([])
  await addBot(alice, server_id, bot)
  expect((await alice.put(`/api/servers/${server_id}/bans/${bot.id}`, {})).status).toBeLessThan(300)
  const again = await alice.put(`/api/servers/${server_id}/applications/${bot.id}`, {})
  expect(again.body.code).toBe('banned')
  for (const socket of [gateway, live]) socket.close()
})

test('a bot writes only to people who have written to it, and nobody can find or befriend it', async () => {
  const { server_id } = await place(alice, bob)
  const bot = await botOf(alice, 'Quetzalbot')
  await addBot(alice, server_id, bot)
  for (const to of [bob, mallory])
    expect((await bot.post('/api/dm/messages', { recipient_id: to.id, content: 'Buy!' })).body.code).toBe(
      'cannot_contact',
    )
  // An opened conversation without messages counts for nothing.
  expect((await bob.post('/api/channels/direct', { recipient_ids: [bot.id] })).status).toBe(201)
  const early = await bot.post('/api/dm/messages', { recipient_id: bob.id, content: 'Buy!' })
  expect(early.body.code).toBe('cannot_contact')
  await write(bob, bot, 'What can you do?')
  await write(bot, bob, 'Roll dice')
  expect((await bob.post(`/api/friends/${bot.id}/block`)).status).toBe(200)
  const blocked = await bot.post('/api/dm/messages', { recipient_id: bob.id, content: 'More' })
  expect(blocked.body.code).toBe('cannot_contact')
  expect((await carol.post('/api/friends/request', { friend_id: bot.id })).body.code).toBe('cannot_contact')
  for (const q of ['Quetzalbot', `bot:${bot.id}`])
    expect((await carol.get(`/api/users/search?q=${encodeURIComponent(q)}`)).body).toEqual([])
})

test('nobody logs in as a bot, and none becomes the owner of a server or an operator', async () => {
  const { server_id } = await place(alice)
  const bot = await botOf(alice, 'Owner')
  await addBot(alice, server_id, bot)
  const hash = await Bun.password.hash(PASSWORD, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })
  await sql`update users set password_hash = ${hash} where id = ${bot.id}`
  const login = await call(parley, 'POST', '/api/auth/login', { body: { username: bot.username, password: PASSWORD } })
  expect([login.status, login.body.code]).toEqual([401, 'invalid_credentials'])
  const transfer = await alice.post(`/api/servers/${server_id}/transfer`, { user_id: bot.id })
  expect(transfer.body.code).toBe('forbidden')
  await expect((async () => sql`update users set operator_since = now() where id = ${bot.id}`)()).rejects.toThrow(
    'operators_are_people',
  )
})

test('a bot’s token opens all routes except exactly these', async () => {
  const bot = await botOf(alice, 'Mole')
  const closed: string[] = []
  for (const { method, path, hooks } of parley.routes) {
    if (hooks.detail?.hide) continue
    const answer = await fetch(parley.url + path.replace(/:\w+/g, '1'), {
      method,
      headers: { authorization: `Bot ${bot.token}`, 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body: '{}' }),
    })
    if ((await answer.json().catch(() => ({}))).code === 'not_for_bots') closed.push(`${method} ${path}`)
  }
  const spared = new Set(['GET /api/auth/me', 'POST /api/auth/ws-ticket'])
  const needNoToken = new Set(
    parley.routes
      .filter(({ hooks }) => hooks.detail?.security?.length === 0)
      .map(({ method, path }) => `${method} ${path}`),
  )
  const account = parley.routes
    .map(({ method, path }) => `${method} ${path}`)
    .filter(
      (route) => / \/api\/(auth|friends|operator)(\/|$)/.test(route) && !spared.has(route) && !needNoToken.has(route),
    )
  const others = [
    'POST /api/applications',
    'GET /api/applications',
    'GET /api/applications/:application_id',
    'PUT /api/applications/:application_id',
    'DELETE /api/applications/:application_id',
    'POST /api/applications/:application_id/token',
    'PUT /api/servers/:server_id/applications/:application_id',
    'POST /api/interactions',
    'GET /api/channels/:channel_id/commands',
    'POST /api/servers',
    'POST /api/servers/:server_id/transfer',
    'POST /api/invites/:invite/join',
    'PUT /api/channels/:channel_id/recipients/:user_id',
    'GET /api/users/search',
    'POST /api/users/@me/imported-messages',
    'POST /api/messages/:message_id/reports',
    'POST /api/users/:user_id/reports',
  ]
  expect(closed.toSorted()).toEqual([...new Set([...account, ...others])].toSorted())
  expect(account.length).toBeGreaterThan(40)
})

test('a bot goes with its application, and with its owner; what it wrote stays', async () => {
  const [owner] = await peopleWithPassword(parley, 'owner')
  if (!owner) throw new Error('Nobody was made')
  const { server_id, channel_id } = await place(alice, bob)
  const [first, second] = [await botOf(owner, 'First'), await botOf(owner, 'Second')]
  await addBot(alice, server_id, first)
  await addBot(alice, server_id, second)
  const message = await say(second, channel_id, 'I was here')
  await sql`update sessions set proven_at = now() where user_id = ${owner.id}`
  expect((await owner.get('/api/auth/export')).body.applications.map(({ name }: any) => name)).toEqual([
    'First',
    'Second',
  ])
  expect((await owner.delete(`/api/applications/${first.id}`)).status).toBe(204)
  expect((await first.get('/api/applications/@me')).status).toBe(401)
  const gateway = await connect(second)
  expect((await deleteAccountOf(owner)).status).toBe(204)
  // Its token ends with the owner's; the rest is deleted later.
  expect((await second.get('/api/applications/@me')).status).toBe(401)
  expect((await gateway.closed).code).toBe(4003)
  expect((await alice.get(`/api/applications/${second.id}`)).status).toBe(404)
  await parley.sweep()
  await until(async () => (await sql`select 1 from applications where id = ${second.id}`).length === 0)
  expect((await alice.get(`/api/servers/${server_id}/applications`)).body).toEqual([])
  expect((await sql`select 1 from roles where server_id = ${server_id} and not is_everyone`).length).toBe(0)
  const remaining = (await alice.get(`/api/messages/${message.id}`)).body
  expect([remaining.content, remaining.author.display_name]).toEqual(['I was here', 'Deleted user'])
})

test('an account has 25 applications, however many requests race', async () => {
  const [eager] = await passersBy(parley, 'eager')
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, n) => eager.post('/api/applications', { name: `B${n}` })),
  )
  expect(responses.filter(({ status }) => status === 201).length).toBe(25)
  expect(responses.find(({ status }) => status !== 201)?.body.code).toBe('too_many_applications')
})

test('the bots of a suspended account, and those made before its address was proven, stop at once', async () => {
  const [operator, owner] = await passersBy(parley, 'operator', 'owner')
  await sql`update users set operator_since = now() where id = ${operator.id}`
  await sql`update sessions set proven_at = now() where user_id = ${operator.id}`
  const [working, planted] = [await botOf(owner, 'Working'), await botOf(carol, 'Planted')]
  const suspended = await operator.put(`/api/operator/accounts/${owner.id}/suspension`, { reason: 'spam' })
  expect(suspended.status).toBe(200)
  expect((await working.get('/api/servers')).body.code).toBe('token_revoked')
  expect((await planted.get('/api/servers')).status).toBe(200)
  const prove = () => parley.parts.write((tx, _emit, notify) => proveAddress(tx, notify, carol.id, carol.email, 'own'))
  await prove()
  expect((await planted.get('/api/servers')).body.code).toBe('token_revoked')
  expect((await carol.get('/api/applications')).body).toEqual([])
  const later = await botOf(carol, 'Later')
  await prove()
  expect((await later.get('/api/servers')).status).toBe(200)
})

test('a token requested while its owner or bot is being suspended is not issued', async () => {
  for (const whose of ['owner', 'bot']) {
    const [owner] = await passersBy(parley, 'owner')
    const bot = await botOf(owner, 'Racing')
    const response = await sql.begin(async (tx) => {
      await tx`update users set suspended_at = now(), suspended_reason = 'a test'
        where id = ${whose === 'owner' ? owner.id : bot.id}`
      const asking = owner.post(`/api/applications/${bot.id}/token`)
      const isWaiting = async () => {
        const rows = await sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%suspended_at%'`
        return rows.length > 0
      }
      const answered = asking.then(() => true)
      await until(async () => (await isWaiting()) || (await Promise.race([answered, Bun.sleep(10)])) === true)
      return { asking }
    })
    expect((await response.asking).body.code).toBe(whose === 'owner' ? 'token_revoked' : 'account_suspended')
  }
})

test('a bot may open more sockets than a person, and not without bound', async () => {
  const bot = await botOf(alice, 'Many')
  const sockets = []
  for (let n = 0; n < SOCKETS_PER_BOT_MAX; n++) sockets.push(await connect(bot))
  const one = new WebSocket(`${parley.url.replace('http', 'ws')}/ws?token=${bot.token}`)
  const code = await new Promise((resolve) => one.addEventListener('close', (event) => resolve(event.code)))
  expect(code).toBe(4007)
  for (const socket of sockets) socket.close()
})

test('a bot joins more servers than a person, up to its own bound', async () => {
  const { server_id } = await place(alice)
  const bot = await botOf(alice, 'Everywhere')
  const add = (id: number) => alice.put(`/api/servers/${id}/applications/${bot.id}`, { permissions: 0 })
  await sql`update users set server_count = 100 where id = ${bot.id}`
  expect((await add(server_id)).status).toBe(201)
  await sql`update users set server_count = 1000 where id = ${bot.id}`
  const other = await place(alice)
  const refused = await add(other.server_id)
  expect([refused.status, refused.body.code]).toEqual([409, 'too_many_servers'])
  expect((await sql`select 1 from members where server_id = ${other.server_id} and user_id = ${bot.id}`).length).toBe(0)
})
