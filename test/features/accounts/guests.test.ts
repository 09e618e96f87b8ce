import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { boot, call, PASSWORD, person, type Person, standard, stop } from '../../support/harness.ts'
import { addRule } from '../../support/automod.ts'
import { endDay, enter, guest, guestInvite, guestName } from '../../support/guests.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'
import { joinVoice, MIC, voiceChannel } from '../../support/voice-people.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob] = [await person(parley, 'alice'), await passerBy(parley, 'bob')]
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body?.code]

/** A server of alice with bob as a member, and an invite that lets guests in. */
async function aviary() {
  const home = await place(alice, bob)
  const path = `/api/servers/${home.server_id}`
  const code = await guestInvite(alice, home.server_id)
  const send = (who: Person, content = 'Hello') => who.post(`/api/channels/${home.channel_id}/messages`, { content })
  return { ...home, path, code, send }
}
const claimOf = (who: Person) => ({ username: `kept${who.id}`, email: `kept${who.id}@example.org`, password: PASSWORD })
const userOf = async (id: number) => (await alice.get(`/api/users/${id}`)).body

test('a guest joins with only a name, writes, and its kind says that it is one', async () => {
  const { server_id, channel_id, path, code, send } = await aviary()
  expect((await call(parley, 'GET', `/api/invites/${code}`)).body.guest).toBe(true)
  const live = await connect(alice)
  const heron = await guest(parley, code, 'Heron')
  expect((await live.next('member.joined')).d).toMatchObject({
    server_id,
    user: { id: heron.id, display_name: 'Heron', kind: 'guest' },
    role_ids: [],
  })
  const { status, body } = await send(heron, 'I saw an owl')
  expect([status, body.author.kind]).toEqual([201, 'guest'])
  expect((await live.next('message.created')).d).toMatchObject({ channel_id, content: 'I saw an owl' })
  live.close()
  const me = (await heron.get('/api/auth/me')).body
  const hours = (Date.parse(me.guest_until) - Date.parse(me.created_at)) / 3_600_000
  expect(Math.round(hours)).toBe(24)
  expect((await alice.get('/api/auth/me')).body.guest_until).toBeNull()
  const [entry] = (await alice.get(`${path}/audit-log?action=invite.used`)).body
  expect(entry).toMatchObject({ actor: { id: heron.id }, target_type: 'invite' })
  expect(entry.changes).toMatchObject({ creator_id: { after: alice.id }, guest: { after: true } })
  expect((await heron.get('/api/servers')).body.map(({ id }: any) => id)).toEqual([server_id])
})

test('a guest hears others in a call', async () => {
  const { server_id, code } = await aviary()
  const perch = await voiceChannel(alice, server_id, 'Perch')
  const [host, heron] = [await connect(alice), await connect(await guest(parley, code))]
  await joinVoice(host, perch)
  const { peers } = (await heron.command('voice.join', { channel_id: perch, ...MIC })).d ?? {}
  expect(peers).toHaveLength(1)
  host.close()
  heron.close()
})

test('after its day a guest is a tombstone called Guest, and what it wrote stays', async () => {
  const { path, channel_id, code, send } = await aviary()
  const heron = await guest(parley, code, 'Grey Heron')
  const { body: message } = await send(heron, 'Gone tomorrow')
  const live = await connect(alice)
  await endDay(heron)
  expect((await live.next('user.updated')).d).toEqual({
    id: heron.id,
    display_name: 'Guest',
    avatar_file_id: null,
    kind: 'guest',
  })
  await live.next('member.left')
  live.close()
  expect((await heron.get('/api/auth/me')).status).toBe(401)
  const { content, author } = (await alice.get(`/api/messages/${message.id}`)).body
  expect([content, author.display_name]).toEqual(['Gone tomorrow', 'Guest'])
  expect((await alice.get(`${path}/members`)).body.map(({ user }: any) => user.id)).not.toContain(heron.id)
  expect(await sql`select 1 from guests where user_id = ${heron.id}`).toHaveLength(0)
  const logged = await sql`select 1 from events where body::text like '%Grey Heron%'`
  expect(logged).toHaveLength(0)
  expect((await alice.get(`/api/channels/${channel_id}/messages`)).status).toBe(200)
})

test('the token of a guest ends with its account', async () => {
  const { code } = await aviary()
  const { body } = await enter(parley, code)
  const [, payload = ''] = body.token.split('.')
  const { exp, iat } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  expect(Math.abs(exp - iat - 24 * 3600)).toBeLessThan(10)
  const [row] = await sql`select expires_at = guest_until as same from sessions s join users u on u.id = s.user_id
    where u.id = ${body.user.id}`
  expect(row?.same).toBe(true)
})

test('a guest that claims its account keeps what it wrote, and gets what members have', async () => {
  const { server_id, path, code, send } = await aviary()
  const heron = await guest(parley, code, 'Night Heron')
  const { body: message } = await send(heron, 'Mine')
  const live = await connect(alice)
  const { status, body } = await heron.post('/api/auth/register/claim', claimOf(heron))
  expect([status, body.user.id, body.user.username]).toEqual([200, heron.id, `kept${heron.id}`])
  expect((await live.next('member.updated')).d).toMatchObject({ user: { id: heron.id, kind: 'person' } })
  expect((await live.next('user.updated')).d).toMatchObject({ display_name: 'Night Heron', kind: 'person' })
  live.close()
  heron.token = body.token
  await parley.sweep()
  expect((await heron.get('/api/auth/me')).body).toMatchObject({ guest_until: null, display_name: 'Night Heron' })
  expect((await heron.put(`/api/messages/${message.id}`, { content: 'Still mine' })).status).toBe(200)
  expect((await heron.post('/api/invites', { server_id })).status).toBe(201)
  expect((await heron.get('/api/friends')).status).toBe(200)
  const login = { username: `kept${heron.id}`, password: PASSWORD }
  expect((await call(parley, 'POST', '/api/auth/login', { body: login })).status).toBe(200)
  expect(codeOf(await heron.post('/api/auth/register/claim', claimOf(heron)))).toEqual([403, 'forbidden'])
  const [member] = (await alice.get(`${path}/members?q=Night`)).body
  expect(member.user.kind).toBe('person')
})

test('a claim obeys the rules of a registration', async () => {
  const { code } = await aviary()
  const heron = await guest(parley, code)
  const claim = (draft: object) => heron.post('/api/auth/register/claim', { ...claimOf(heron), ...draft })
  expect(codeOf(await claim({ username: alice.username }))).toEqual([409, 'username_taken'])
  expect(codeOf(await claim({ email: alice.email }))).toEqual([409, 'email_taken'])
  expect(codeOf(await claim({ password: 'short' }))).toEqual([422, 'weak_password'])
  expect(codeOf(await bob.post('/api/auth/register/claim', claimOf(bob)))).toEqual([403, 'forbidden'])
  await sql`update users set guest_until = now() where id = ${heron.id}`
  expect((await claim({})).status).not.toBe(200)
})

test('a kick or ban ends the guest’s account and shuts the door of that server to its address for a day', async () => {
  for (const act of ['kick', 'ban'] as const) {
    const { server_id, path, code } = await aviary()
    const heron = await guest(parley, code)
    const answer =
      act === 'kick'
        ? await alice.delete(`${path}/members/${heron.id}`)
        : await alice.put(`${path}/bans/${heron.id}`, { reason: 'Noise' })
    expect(answer.status).toBeLessThan(300)
    expect((await heron.post('/api/auth/register/claim', claimOf(heron))).status).not.toBe(200)
    expect(codeOf(await enter(parley, code))).toEqual([403, 'guests_closed'])
    expect((await enter(parley, (await aviary()).code)).status).toBe(201)
    const [door] = await sql<{ hours: number; address: Buffer }[]>`
      select round(extract(epoch from until - now()) / 3600)::int as hours, address from guest_doors
      where server_id = ${server_id}`
    expect(door?.hours).toBe(24)
    expect(Buffer.from(door?.address ?? []).toString()).not.toContain('127.0.0.1')
    await parley.sweep()
    expect((await userOf(heron.id)).display_name).toBe('Guest')
    await sql`update guest_doors set until = now() where server_id = ${server_id}`
    expect((await enter(parley, code)).status).toBe(201)
    await parley.sweep()
    expect(await sql`select 1 from guest_doors where server_id = ${server_id}`).toHaveLength(0)
  }
})

test('a guest who leaves ends its account, and may come again', async () => {
  const { path, code } = await aviary()
  const heron = await guest(parley, code)
  expect((await heron.delete(`${path}/members/@me`)).status).toBe(204)
  await parley.sweep()
  expect((await userOf(heron.id)).display_name).toBe('Guest')
  expect((await enter(parley, code)).status).toBe(201)
})

test('a timed-out or quarantined guest shuts the door to its address, and for a day when it leaves', async () => {
  const timed_out_until = new Date(Date.now() + 3_600_000).toISOString()
  for (const limit of [{ timed_out_until }, { held_back: 'quarantined' }]) {
    for (const how of ['leaves', 'ends', 'claims']) {
      const { path, code } = await aviary()
      const heron = await guest(parley, code)
      expect([limit, (await alice.put(`${path}/members/${heron.id}`, limit)).status]).toEqual([limit, 200])
      expect(codeOf(await enter(parley, code))).toEqual([403, 'guests_closed'])
      expect((await enter(parley, (await aviary()).code)).status).toBe(201)
      if (how === 'leaves') expect((await heron.delete(`${path}/members/@me`)).status).toBe(204)
      else if (how === 'ends') await endDay(heron)
      else expect((await heron.post('/api/auth/register/claim', claimOf(heron))).status).toBe(200)
      await parley.sweep()
      expect([how, ...codeOf(await enter(parley, code))]).toEqual([how, 403, 'guests_closed'])
      expect(await sql`select 1 from guests where user_id = ${heron.id}`).toHaveLength(0)
    }
  }
  // A timeout that is over shuts no door.
  const { server_id, path, code } = await aviary()
  const heron = await guest(parley, code)
  await alice.put(`${path}/members/${heron.id}`, { timed_out_until })
  await sql`update timeouts set until = now() where server_id = ${server_id}`
  expect((await heron.delete(`${path}/members/@me`)).status).toBe(204)
  expect((await enter(parley, code)).status).toBe(201)
})

test('guests end with their server', async () => {
  const { path, code } = await aviary()
  const heron = await guest(parley, code)
  expect((await alice.delete(path)).status).toBe(204)
  await parley.sweep()
  expect((await userOf(heron.id)).display_name).toBe('Guest')
})

test('a server has at most 50 live guests', async () => {
  const { server_id, code } = await aviary()
  await sql`with visitors as (
      insert into users (username, email, display_name, kind, guest_until)
      select 'guest:fill-' || ${server_id}::bigint || '-' || n, 'guest:fill-' || ${server_id}::bigint || '-' || n,
        'Swallow ' || n, 'guest', now() + interval '1 day' from generate_series(1, 49) n returning id)
    insert into members (server_id, user_id, is_guest) select ${server_id}, id, true from visitors`
  const last = await guest(parley, code)
  expect(codeOf(await enter(parley, code))).toEqual([409, 'too_many_guests'])
  expect((await last.post('/api/auth/register/claim', claimOf(last))).status).toBe(200)
  expect((await enter(parley, code)).status).toBe(201)
})

test('no guest takes a name that folds to the name or nickname of a member', async () => {
  const { server_id, code } = await aviary()
  await sql`update users set display_name = 'Robin Hood' where id = ${bob.id}`
  await sql`update members set nickname = 'Königin' where server_id = ${server_id} and user_id = ${alice.id}`
  for (const name of ['Robin Hood', 'robin hood', 'RÓBIN HOOD', 'Rоbin Hооd', 'Konigin', 'KÖNIGIN', 'Kоnigin'])
    expect([name, ...codeOf(await enter(parley, code, name))]).toEqual([name, 409, 'name_taken'])
  for (const name of ['', ' ', 'x'.repeat(33), '@everyone', 'System', 7])
    expect([name, ...codeOf(await enter(parley, code, name))]).toEqual([name, 422, 'validation_failed'])
  const heron = await guest(parley, code, 'Robin')
  expect(codeOf(await enter(parley, code, 'robin'))).toEqual([409, 'name_taken'])
  expect((await enter(parley, (await aviary()).code, heron.display_name)).status).toBe(201)
})

test('only an invite that says so lets guests in, and only managers of the server make one', async () => {
  const { server_id, path } = await aviary()
  const { body: plain } = await alice.post('/api/invites', { server_id })
  expect(plain.guest).toBe(false)
  expect((await call(parley, 'GET', `/api/invites/${plain.code}`)).body.guest).toBe(false)
  expect(codeOf(await enter(parley, plain.code))).toEqual([403, 'guests_closed'])
  expect(codeOf(await enter(parley, '2222222222'))).toEqual([404, 'not_found'])
  expect(codeOf(await bob.post('/api/invites', { server_id, guest: true }))).toEqual([403, 'missing_permission'])
  await rank(parley, server_id, permissions('manage_server'), bob)
  const code = await guestInvite(bob, server_id, { max_uses: 1 })
  await guest(parley, code)
  expect(codeOf(await enter(parley, code))).toEqual([410, 'invite_gone'])
  const invites = (await alice.get(`${path}/invites`)).body
  expect(invites.map(({ guest: isGuest }: any) => isGuest)).toEqual([true, false, true])
  // The maker of an invite was suspended.
  const other = await guestInvite(bob, server_id)
  await sql`update users set suspended_at = now(), suspended_reason = 'Spam' where id = ${bob.id}`
  expect(codeOf(await enter(parley, other))).toEqual([403, 'guests_closed'])
  await sql`update users set suspended_at = null, suspended_reason = null where id = ${bob.id}`
})

test('a guest accepts the rules, and is not asked for roles', async () => {
  const { path, code, send } = await aviary()
  const role = (await alice.post(`${path}/roles`, { name: 'Owls', self_assignable: true })).body.id
  const options = [{ label: 'Owls', emoji: null, description: '', role_ids: [role], channel_ids: [] }]
  const question = { title: 'What do you watch?', description: '', multiple: false, required: true, options }
  expect((await alice.put(`${path}/onboarding`, { questions: [question] })).status).toBe(200)
  const { version } = (await alice.put(`${path}/rules`, { content: '1. Be kind.' })).body
  const heron = await guest(parley, code)
  expect(codeOf(await send(heron))).toEqual([403, 'missing_permission'])
  expect((await heron.get(`${path}/onboarding`)).body.questions).toEqual([])
  const { status, body } = await heron.put(`${path}/members/@me/rules`, { version })
  expect([status, body.held_back, body.role_ids]).toEqual([200, null, []])
  expect((await send(heron)).status).toBe(201)
})

test('automod judges the name of a guest and covers one that breaks a rule', async () => {
  const { server_id, path, code } = await aviary()
  await addRule(alice, server_id, {
    name: 'Names',
    trigger: { type: 'profile', words: ['vulture'], patterns: [] },
    actions: [{ type: 'block' }],
  })
  const heron = await guest(parley, code, 'Vulture')
  const members = (await alice.get(`${path}/members`)).body
  expect(members.find(({ user }: any) => user.id === heron.id).nickname).toBe(`Member ${heron.id}`)
})

test('GUESTS=off or a closed registration lets no guests in, unless GUESTS=on', async () => {
  for (const [variables, isOpen] of [
    [{ GUESTS: 'off' }, false],
    [{ REGISTRATION: 'closed' }, false],
    [{ REGISTRATION: 'closed', GUESTS: 'on' }, true],
    [{ REGISTRATION: 'invite' }, true],
  ] as const) {
    const other = await boot(variables)
    const owner = await person(other, 'alice')
    const { server_id } = await place(owner)
    const code = await guestInvite(owner, server_id)
    expect((await call(other, 'GET', `/api/invites/${code}`)).body.guest).toBe(isOpen)
    const answer = await enter(other, code, guestName())
    expect([variables, ...codeOf(answer)]).toEqual([variables, ...(isOpen ? [201, undefined] : [403, 'guests_closed'])])
    if (isOpen) {
      const { id, display_name } = answer.body.user
      const body = { username: `kept${id}`, email: `kept${id}@example.org`, password: PASSWORD }
      const claim = await call(other, 'POST', '/api/auth/register/claim', { token: answer.body.token, body })
      // A closed registration is closed to claims, too.
      expect([display_name, claim.status]).toEqual([display_name, 'GUESTS' in variables ? 403 : 200])
    }
    await stop(other)
  }
})

test('an address lets in three guests an hour, of IPv6 a /64, and failures do not count', async () => {
  const limited = await boot({ RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1' })
  const owner = await person(limited, 'alice')
  const code = await guestInvite(owner, (await place(owner)).server_id)
  const from = (ip: string, name = guestName()) => enter(limited, code, name, { 'x-forwarded-for': ip })
  for (const host of ['1', '2', '3']) expect((await from(`2001:db8:1:2::${host}`)).status).toBe(201)
  expect(codeOf(await from('2001:db8:1:2:ffff::9'))).toEqual([429, 'rate_limited'])
  expect((await from('2001:db8:1:3::1')).status).toBe(201)
  for (let n = 0; n < 4; n++) expect((await from('10.0.0.1', owner.display_name)).status).toBe(409)
  for (let n = 0; n < 3; n++) expect((await from('10.0.0.1')).status).toBe(201)
  expect((await from('10.0.0.1')).status).toBe(429)
  await stop(limited)
})
