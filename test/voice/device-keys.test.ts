import { expect, test } from 'bun:test'
import { ENCRYPTED_PEERS_MAX } from '../../src/voice/encryption/model.ts'
import { boot, call, newServer, PASSWORD, type Person, person, standard, stop } from '../support/harness.ts'
import { connect, type Gateway } from '../support/socket.ts'
import { online, onOtherDevice, register } from '../support/call-devices.ts'
import { refusedWith } from '../support/voice-people.ts'

const parley = await standard()

const KEYS = ['a'.repeat(64), 'b'.repeat(64)] as const

const keysSeenBy = async (gateway: Gateway, ...user_ids: number[]) =>
  (await gateway.command('voice.device_keys', { user_ids })).d.accounts

test('members of one server see each other’s devices, and sessions list those of the account', async () => {
  // One after another: the answer is in the order of ids.
  const [ann, ben, eve] = [await person(parley, 'ann'), await person(parley, 'ben'), await person(parley, 'eve')]
  await newServer(ann!, ben!)
  const [fromAnn, fromBen, fromEve] = await Promise.all([ann!, ben!, eve!].map(online))
  await register(fromAnn!, KEYS[0])
  const { gateway } = await onOtherDevice(ann!)
  await register(gateway, KEYS[1])
  expect(await keysSeenBy(fromBen!, ann!.id, ben!.id, eve!.id)).toEqual([
    { user_id: ann!.id, keys: [...KEYS] },
    { user_id: ben!.id, keys: [] },
  ])
  expect(await keysSeenBy(fromAnn!, ann!.id)).toEqual([{ user_id: ann!.id, keys: [...KEYS] }])
  expect(await keysSeenBy(fromEve!, ann!.id)).toEqual([])
  const { body } = await ann!.get('/api/auth/sessions')
  expect(body.map((session: any) => [session.current, session.device_key])).toEqual([
    [false, KEYS[1]],
    [true, KEYS[0]],
  ])
  expect((await ben!.get('/api/auth/sessions')).body[0].device_key).toBeNull()
})

test('participants of a dm see the devices of each other', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const [fromAnn, fromBen] = [await online(ann), await online(ben)]
  await register(fromAnn, KEYS[0])
  expect(await keysSeenBy(fromBen, ann.id)).toEqual([])
  expect((await ben.post(`/api/friends/request`, { friend_id: ann.id })).status).toBeLessThan(300)
  await ann.post(`/api/friends/${ben.id}/accept`)
  expect((await ben.post('/api/dm/messages', { recipient_id: ann.id, content: 'Hello' })).status).toBe(201)
  expect(await keysSeenBy(fromBen, ann.id)).toEqual([{ user_id: ann.id, keys: [KEYS[0]] }])
})

test('a session has one key, which a later one replaces', async () => {
  const ann = await person(parley, 'ann')
  const gateway = await online(ann)
  for (const key of KEYS) await register(gateway, key)
  await register(gateway, KEYS[1])
  expect(await keysSeenBy(gateway, ann.id)).toEqual([{ user_id: ann.id, keys: [KEYS[1]] }])
})

test('logging out revokes the key of the device; a new password, those of all others', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  await newServer(ann, ben)
  const [fromAnn, fromBen] = [await online(ann), await online(ben)]
  await register(fromAnn, KEYS[0])
  const second = await onOtherDevice(ann)
  await register(second.gateway, KEYS[1])
  expect((await call(parley, 'POST', '/api/auth/logout', { token: second.token })).status).toBe(200)
  expect(await keysSeenBy(fromBen, ann.id)).toEqual([{ user_id: ann.id, keys: [KEYS[0]] }])
  const third = await onOtherDevice(ann)
  await register(third.gateway, KEYS[1])
  const body = { current_password: PASSWORD, new_password: `${PASSWORD}2` }
  expect((await ann.put('/api/auth/password', body)).status).toBe(200)
  expect(await keysSeenBy(fromBen, ann.id)).toEqual([{ user_id: ann.id, keys: [KEYS[0]] }])
})

test('an account can register few new keys in a row, and the same key as often as it connects', async () => {
  const limited = await boot({ RATE_LIMITS: 'on' }, parley)
  const ann = await person(parley, 'ann')
  const gateway = await connect({ ...ann, parley: limited } as Person)
  const codes: (string | undefined)[] = []
  for (let at = 1; at <= 40; at++)
    codes.push(await refusedWith(gateway, 'voice.device_key', { key: at.toString(16).padStart(64, '0') }))
  expect([codes[0], codes.includes('rate_limited')]).toEqual([undefined, true])
  const [{ keys }] = await keysSeenBy(gateway, ann.id)
  for (let at = 0; at < 40; at++) await register(gateway, keys[0])
  gateway.close()
  await stop(limited)
})

test('malformed keys and lists of accounts are refused, and change nothing', async () => {
  const ann = await person(parley, 'ann')
  const gateway = await online(ann)
  await register(gateway, KEYS[0])
  const keys = ['', 'A'.repeat(64), 'a'.repeat(63), 'a'.repeat(65), 7, null, ['a'.repeat(64)]]
  for (const key of keys) expect(await refusedWith(gateway, 'voice.device_key', { key })).toBe('validation_failed')
  expect(await refusedWith(gateway, 'voice.device_key', { key: KEYS[1], user_id: 1 })).toBe('validation_failed')
  const many = Array.from({ length: ENCRYPTED_PEERS_MAX + 1 }, (_, at) => at + 1)
  for (const user_ids of [[], many, [0], [1.5], ['1'], null, 1, [2 ** 53]])
    expect(await refusedWith(gateway, 'voice.device_keys', { user_ids })).toBe('validation_failed')
  expect(await keysSeenBy(gateway, ann.id, ann.id)).toEqual([{ user_id: ann.id, keys: [KEYS[0]] }])
})
