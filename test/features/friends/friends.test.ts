import { expect, test } from 'bun:test'
import { type Person, person, newServer, standard } from '../../support/harness.ts'
import { befriend, passersBy } from '../../support/people.ts'
import { passerBy } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const people = <N extends string[]>(...names: N) => passersBy(parley, ...names)
const publicOf = ({ id, display_name }: Person) => ({ id, display_name, avatar_file_id: null, kind: 'person' })

test('a request is pending until it is answered: incoming for one side, outgoing for the other', async () => {
  const [alice, bob] = await people('alice', 'bob')
  const response = await alice.post('/api/friends/request', { friend_id: bob.id })
  expect([response.status, response.body.state, response.body.user]).toEqual([201, 'pending_outgoing', publicOf(bob)])
  expect((await alice.get('/api/friends/sent')).body).toEqual([response.body])
  expect((await bob.get('/api/friends/pending')).body).toEqual([
    { user: publicOf(alice), state: 'pending_incoming', since: response.body.since },
  ])
  for (const path of ['', '/pending', '/blocked']) expect((await alice.get(`/api/friends${path}`)).body).toEqual([])
  const accepted = await bob.post(`/api/friends/${alice.id}/accept`)
  expect([accepted.status, accepted.body.state]).toEqual([200, 'friends'])
  expect((await alice.get('/api/friends')).body).toEqual([
    { user: publicOf(bob), state: 'friends', since: accepted.body.since },
  ])
  expect((await bob.get('/api/friends/pending')).body).toEqual([])
  expect((await alice.delete(`/api/friends/${bob.id}`)).status).toBe(204)
  expect((await bob.get('/api/friends')).body).toEqual([])
})

test('a request back makes friends at once', async () => {
  const [alice, bob] = await people('alice', 'bob')
  expect((await alice.post('/api/friends/request', { friend_id: bob.id })).status).toBe(201)
  const back = await bob.post('/api/friends/request', { friend_id: alice.id })
  expect([back.status, back.body.state]).toEqual([200, 'friends'])
  expect((await alice.post('/api/friends/request', { friend_id: bob.id })).body.code).toBe('already_friends')
})

test('declined and cancelled requests leave nothing behind and can be sent again', async () => {
  const [alice, bob] = await people('alice', 'bob')
  for (const end of [
    () => bob.post(`/api/friends/${alice.id}/decline`),
    () => alice.post(`/api/friends/${bob.id}/cancel`),
  ]) {
    expect((await alice.post('/api/friends/request', { friend_id: bob.id })).status).toBe(201)
    expect((await alice.post('/api/friends/request', { friend_id: bob.id })).body.code).toBe('already_requested')
    const ended = await end()
    expect([ended.status, ended.body.state, ended.body.since]).toEqual([200, 'none', null])
    expect(await sql`select 1 from relations where ${alice.id} in (low, high)`).toHaveLength(0)
  }
})

test('no account can befriend, block or drop itself or an account that does not exist', async () => {
  const [alice] = await people('alice')
  for (const [method, path] of [
    ['post', 'accept'],
    ['post', 'decline'],
    ['post', 'cancel'],
    ['post', 'block'],
    ['post', 'unblock'],
    ['delete', ''],
  ] as const) {
    expect((await alice[method](`/api/friends/${alice.id}/${path}`.replace(/\/$/, ''))).body.code).toBe(
      'cannot_target_self',
    )
    expect((await alice[method](`/api/friends/${2 ** 50}/${path}`.replace(/\/$/, ''))).body.code).toBe('not_found')
  }
  expect((await alice.post('/api/friends/request', { friend_id: alice.id })).body.code).toBe('cannot_target_self')
  expect((await alice.post('/api/friends/request', { friend_id: 2 ** 50 })).body.code).toBe('not_found')
  for (const body of [{}, { friend_id: '1' }, { friend_id: 0 }, { friend_id: 1.5 }, { friend_id: 1, more: 1 }])
    expect((await alice.post('/api/friends/request', body)).status).toBe(422)
})

test('a block ends the friendship, stays until its owner lifts it, and survives the other side’s block', async () => {
  const [alice, bob] = await people('alice', 'bob')
  await befriend(alice, bob)
  const blocked = await alice.post(`/api/friends/${bob.id}/block`)
  expect([blocked.status, blocked.body.state]).toEqual([200, 'blocked'])
  expect((await alice.post(`/api/friends/${bob.id}/block`)).body).toEqual(blocked.body)
  expect((await alice.get('/api/friends/blocked')).body).toEqual([blocked.body])
  for (const who of [alice, bob]) expect((await who.get('/api/friends')).body).toEqual([])
  expect((await alice.post('/api/friends/request', { friend_id: bob.id })).body.code).toBe('blocked_by_you')
  expect((await bob.post('/api/friends/request', { friend_id: alice.id })).body.code).toBe('cannot_contact')
  await bob.post(`/api/friends/${alice.id}/block`)
  expect((await alice.post(`/api/friends/${bob.id}/unblock`)).body.state).toBe('none')
  expect((await alice.post('/api/friends/request', { friend_id: bob.id })).body.code).toBe('cannot_contact')
  expect((await bob.get('/api/friends/blocked')).body).toHaveLength(1)
  expect((await bob.post(`/api/friends/${alice.id}/unblock`)).body.state).toBe('none')
  expect((await alice.post('/api/friends/request', { friend_id: bob.id })).status).toBe(201)
})

test('each of the two gets an event about its own view, only when the view has changed', async () => {
  const [alice, bob] = await people('alice', 'bob')
  const [hers, his] = [await connect(alice), await connect(bob)]
  const states = async (live: typeof hers) => {
    await live.settled()
    return live.of('friend.updated').map((frame) => frame.d.relation.state)
  }
  await alice.post(`/api/friends/${bob.id}/block`)
  await alice.post(`/api/friends/${bob.id}/unblock`)
  expect(await states(his)).toEqual([])
  await alice.post('/api/friends/request', { friend_id: bob.id })
  await bob.post(`/api/friends/${alice.id}/accept`)
  await alice.post(`/api/friends/${bob.id}/block`)
  await bob.post(`/api/friends/${alice.id}/block`)
  await bob.post(`/api/friends/${alice.id}/unblock`)
  expect(await states(hers)).toEqual(['blocked', 'none', 'pending_outgoing', 'friends', 'blocked'])
  expect(await states(his)).toEqual(['pending_incoming', 'friends', 'none', 'blocked', 'none'])
  expect(hers.of('friend.updated').map((frame) => frame.d.user_id)).toEqual([bob.id, bob.id, bob.id, bob.id, bob.id])
  for (const live of [hers, his]) live.close()
})

test('new friends get each other’s presence, and ready has it afterwards', async () => {
  const [alice, bob] = await people('alice', 'bob')
  const [hers, his] = [await connect(alice), await connect(bob)]
  await befriend(alice, bob)
  const update = await hers.next('presence.updated')
  expect(update.d.users).toEqual([{ user_id: bob.id, status: 'online' }])
  expect((await his.next('presence.updated')).d.users).toEqual([{ user_id: alice.id, status: 'online' }])
  const fresh = await connect(alice)
  expect(fresh.frames[0]?.d.presences).toEqual([{ user_id: bob.id, status: 'online' }])
  expect(fresh.frames[0]?.d.relations).toMatchObject([{ user_id: bob.id, state: 'friends' }])
  for (const live of [hers, his, fresh]) live.close()
})

test('lists of relations are paged by the ids of the others', async () => {
  const alice = await passerBy(parley, 'alice')
  const others = await people('one', 'two', 'three')
  for (const { id } of others) await alice.post(`/api/friends/${id}/block`)
  const ids = others.map(({ id }) => id).toSorted((a, b) => a - b)
  const first = await alice.get('/api/friends/blocked?limit=2')
  expect(first.body.map((row: any) => row.user.id)).toEqual(ids.slice(0, 2))
  const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1]
  expect((await alice.get(next as string)).body.map((row: any) => row.user.id)).toEqual(ids.slice(2))
  const after = await alice.get(`/api/friends/blocked?after=${ids[1]}`)
  expect(after.body.map((row: any) => row.user.id)).toEqual(ids.slice(2))
})

test('racing requests stop at 1,000 friends and requests of one account', async () => {
  const [alice, bob] = await people('alice', 'bob')
  await sql`update users set friend_count = 999 where id = ${alice.id}`
  const others = await people('one', 'two', 'three')
  const racing = await Promise.all(others.map(({ id }) => alice.post('/api/friends/request', { friend_id: id })))
  expect(racing.map((answer) => answer.status).toSorted()).toEqual([201, 409, 409])
  expect(racing.find((answer) => answer.status === 409)?.body.code).toBe('too_many_friends')
  await bob.post('/api/friends/request', { friend_id: alice.id })
  expect((await alice.post(`/api/friends/${bob.id}/accept`)).body.code).toBe('too_many_friends')
  await sql`update users set block_count = 10000 where id = ${alice.id}`
  expect((await alice.post(`/api/friends/${bob.id}/block`)).body.code).toBe('too_many_blocks')
  expect((await bob.get('/api/friends/sent')).body).toHaveLength(1)
})

test('an account with too many incoming requests takes no more', async () => {
  const [alice, bob] = await people('alice', 'bob')
  const ids = await sql<{ id: number }[]>`
    insert into users (username, email, password_hash, display_name)
    select name, name || '@example.org', 'none', 'Crowd'
    from (select 'crowd-' || ${bob.id}::text || '-' || n as name from generate_series(1, 1000) n) names returning id`
  await sql`insert into relations (low, high, bond) select ${bob.id}, id, 'asked_by_high'
    from unnest(${ids.map(({ id }) => id)}::bigint[]) id`
  expect((await alice.post('/api/friends/request', { friend_id: bob.id })).body.code).toBe('cannot_contact')
  expect((await bob.post(`/api/friends/${ids[0]?.id}/decline`)).status).toBe(200)
  expect((await alice.post('/api/friends/request', { friend_id: bob.id })).status).toBe(201)
})

test('the setting decides whose requests are accepted: everyone’s, those of shared servers, nobody’s', async () => {
  const [alice, bob, carol] = [
    await person(parley, 'alice'),
    await person(parley, 'bob'),
    await person(parley, 'carol'),
  ]
  await newServer(bob, carol)
  const wish = (friendRequestsFrom: string) =>
    sql`update users set friend_requests_from = ${friendRequestsFrom} where id = ${bob.id}`
  const asks = async (who: typeof alice) => {
    const { status, body } = await who.post('/api/friends/request', { friend_id: bob.id })
    if (status === 201) await who.post(`/api/friends/${bob.id}/cancel`)
    return status === 201 ? 'asked' : body.code
  }
  expect([await asks(alice), await asks(carol)]).toEqual(['asked', 'asked'])
  await wish('servers')
  expect([await asks(alice), await asks(carol)]).toEqual(['cannot_contact', 'asked'])
  await wish('nobody')
  expect([await asks(alice), await asks(carol)]).toEqual(['cannot_contact', 'cannot_contact'])
  // The receiver of a request may answer it with any privacy setting.
  expect((await bob.post('/api/friends/request', { friend_id: alice.id })).status).toBe(201)
  expect((await alice.post('/api/friends/request', { friend_id: bob.id })).body.state).toBe('friends')
})
