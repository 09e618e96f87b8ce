import { expect, test } from 'bun:test'
import { newServer, standard } from '../../support/harness.ts'
import { befriend, passersBy } from '../../support/people.ts'
import { race } from '../../support/races.ts'

const parley = await standard()

test('privacy settings are read and changed field by field, only by their account', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const before = {
    dms_from: 'servers',
    requests: false,
    friend_requests_from: 'everyone',
    link_previews: false,
    public_name: false,
  }
  expect((await alice.get('/api/auth/privacy')).body).toEqual(before)
  const changed = await alice.put('/api/auth/privacy', { dms_from: 'friends' })
  expect([changed.status, changed.body]).toEqual([200, { ...before, dms_from: 'friends' }])
  await alice.put('/api/auth/privacy', { friend_requests_from: 'nobody' })
  expect((await alice.get('/api/auth/privacy')).body).toEqual({
    dms_from: 'friends',
    requests: false,
    friend_requests_from: 'nobody',
    link_previews: false,
    public_name: false,
  })
  expect((await bob.get('/api/auth/privacy')).body).toEqual(before)
})

test('an empty change, an unknown value and an unknown field are refused', async () => {
  const [alice] = await passersBy(parley, 'alice')
  const bodies = [
    {},
    { dms_from: 'nobody' },
    { friend_requests_from: 'friends' },
    { link_previews: 1 },
    { requests: 'on' },
    { dms_from: null },
    { id: 1 },
  ]
  for (const body of bodies) {
    const answer = await alice.put('/api/auth/privacy', body)
    expect([body, answer.status, answer.body.code]).toEqual([body, 422, 'validation_failed'])
  }
})

test('a setting holds from its answer on: no later message or request passes it', async () => {
  const [alice, bob, friend] = await passersBy(parley, 'alice', 'bob', 'friend')
  await newServer(alice, bob)
  await befriend(alice, friend)
  const dm = (from: typeof bob) => from.post('/api/dm/messages', { recipient_id: alice.id, content: 'Psst' })
  expect((await dm(bob)).status).toBe(201)
  await alice.put('/api/auth/privacy', { dms_from: 'friends', friend_requests_from: 'nobody' })
  expect((await dm(bob)).body.code).toBe('cannot_contact')
  expect((await dm(friend)).status).toBe(201)
  expect((await bob.post('/api/friends/request', { friend_id: alice.id })).body.code).toBe('cannot_contact')
  await alice.put('/api/auth/privacy', { dms_from: 'servers', friend_requests_from: 'servers' })
  expect((await dm(bob)).status).toBe(201)
  expect((await bob.post('/api/friends/request', { friend_id: alice.id })).status).toBe(201)
})

test('a message that waits for a change of privacy is subject to the change', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  await newServer(alice, bob)
  const [changed, sent] = await race(parley, (tx) => tx`select 1 from users where id = ${alice.id} for update`, [
    () => alice.put('/api/auth/privacy', { dms_from: 'friends' }),
    () => bob.post('/api/dm/messages', { recipient_id: alice.id, content: 'Psst' }),
  ])
  expect([changed?.status, sent?.body.code]).toEqual([200, 'cannot_contact'])
})
