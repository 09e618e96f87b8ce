import { expect, test } from 'bun:test'
import {
  DEVICE_CHANGES_ANSWERED_MAX,
  DEVICE_CHANGES_KEPT,
  DEVICES_ADDED_PER_DAY_MAX,
  DEVICES_MAX,
  ENCRYPTED_PEERS_MAX,
} from '../../src/voice/encryption/model.ts'
import { type DeviceLog, isContinued, type LogPoint } from '../../src/web/voice/sealing/device-log.ts'
import { call, newServer, PASSWORD, type Person, person, standard } from '../support/harness.ts'
import type { Gateway } from '../support/socket.ts'
import { online, onOtherDevice, register } from '../support/call-devices.ts'
import { refusedWith } from '../support/voice-people.ts'

const parley = await standard()
const { sql } = parley.parts

const KEYS = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string]
const ZEROS = '0'.repeat(64)
const EMPTY = { length: 0, head: ZEROS, previous: ZEROS, keys: [], changes: [] }

const logsSeenBy = async (gateway: Gateway, ...accounts: { user_id: number; after?: number }[]) =>
  (await gateway.command('voice.device_logs', { accounts })).d
async function logOf(gateway: Gateway, user_id: number, after?: number): Promise<DeviceLog> {
  const { accounts } = await logsSeenBy(gateway, { user_id, ...(after === undefined ? {} : { after }) })
  expect(accounts).toHaveLength(1)
  return accounts[0]
}

const changesOf = ({ changes }: DeviceLog) => changes.map(({ kind, key }) => `${kind} ${key[0]}`)

test('devices that come and go are appended to the log, and a client can check each step', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  await newServer(ann, ben)
  const [fromAnn, fromBen] = [await online(ann), await online(ben)]
  expect(await logOf(fromBen, ann.id, 0)).toEqual({ user_id: ann.id, ...EMPTY })
  await register(fromAnn, KEYS[1])
  const first = await logOf(fromBen, ann.id, 0)
  expect([first.length, first.keys, changesOf(first)]).toEqual([1, [KEYS[1]], ['added b']])
  const second = await onOtherDevice(ann)
  await register(second.gateway, KEYS[0])
  // The same key again is no change.
  await register(second.gateway, KEYS[0])
  const both = await logOf(fromBen, ann.id, first.length)
  expect([both.length, both.keys, changesOf(both)]).toEqual([2, [KEYS[0], KEYS[1]], ['added a']])
  await register(fromAnn, KEYS[2])
  expect((await call(parley, 'POST', '/api/auth/logout', { token: second.token })).status).toBe(200)
  const last = await logOf(fromBen, ann.id, first.length)
  expect([last.keys, changesOf(last)]).toEqual([[KEYS[2]], ['added a', 'removed b', 'added c', 'removed a']])
  for (const [log, point] of [
    [first, undefined],
    [both, first],
    [last, first],
    [await logOf(fromBen, ann.id, both.length), both],
    [await logOf(fromBen, ann.id), last],
    [await logOf(fromAnn, ann.id, 0), { length: 0, head: ZEROS }],
  ] as [DeviceLog, LogPoint | undefined][])
    expect(await isContinued(log, point)).toBe(true)
  expect(await isContinued({ ...last, changes: last.changes.slice(1) }, first)).toBe(false)
})

test('everybody sees the same log, also after sessions have expired and the password has changed', async () => {
  const [ann, ben, cat] = await Promise.all(['ann', 'ben', 'cat'].map((name) => person(parley, name)))
  await newServer(ann!, ben!, cat!)
  const [fromAnn, fromBen, fromCat] = await Promise.all([ann!, ben!, cat!].map(online))
  const second = await onOtherDevice(ann!)
  await register(fromAnn!, KEYS[0])
  await register(second.gateway, KEYS[1])
  await sql`update sessions set expires_at = now() - interval '1 second'
    where user_id = ${ann!.id} and device_key = decode(${KEYS[1]}, 'hex')`
  const seen = await Promise.all([fromBen!, fromCat!, fromAnn!].map((gateway) => logOf(gateway, ann!.id, 0)))
  for (const log of seen) expect(log).toEqual(seen[0]!)
  expect(changesOf(seen[0]!)).toEqual(['added a', 'added b', 'removed b'])
  const third = await onOtherDevice(ann!)
  await register(third.gateway, KEYS[2])
  const body = { current_password: PASSWORD, new_password: `${PASSWORD}2` }
  expect((await ann!.put('/api/auth/password', body)).status).toBe(200)
  const later = await logOf(fromBen!, ann!.id, 3)
  expect([later.keys, changesOf(later)]).toEqual([[KEYS[0]], ['added c', 'removed c']])
  expect(await isContinued(later, seen[0])).toBe(true)
})

test('two devices with one key are listed once, and removed when both are gone', async () => {
  const ann = await person(parley, 'ann')
  const gateway = await online(ann)
  const second = await onOtherDevice(ann)
  for (const each of [gateway, second.gateway]) await register(each, KEYS[0])
  expect(changesOf(await logOf(gateway, ann.id, 0))).toEqual(['added a'])
  expect((await call(parley, 'POST', '/api/auth/logout', { token: second.token })).status).toBe(200)
  expect(changesOf(await logOf(gateway, ann.id, 0))).toEqual(['added a'])
})

test('devices that register at once are all in one chain', async () => {
  const ann = await person(parley, 'ann')
  const devices = [await online(ann)]
  while (devices.length < 5) devices.push((await onOtherDevice(ann)).gateway)
  await Promise.all(devices.map((gateway, at) => register(gateway, String(at).repeat(64))))
  const log = await logOf(devices[0]!, ann.id, 0)
  expect([log.length, log.keys.length, log.changes.length]).toEqual([5, 5, 5])
  expect(await isContinued(log, undefined)).toBe(true)
  expect(await isContinued(log, { length: 0, head: ZEROS })).toBe(true)
})

test('strangers do not see the log of an account', async () => {
  const [ann, eve] = [await person(parley, 'ann'), await person(parley, 'eve')]
  const [fromAnn, fromEve] = [await online(ann), await online(eve)]
  await register(fromAnn, KEYS[0])
  const answer = await logsSeenBy(fromEve, { user_id: ann.id, after: 0 }, { user_id: 2 ** 40 })
  expect(answer).toEqual({ accounts: [], left_out: [] })
})

/** Writes changes of an account's log, as many days would. */
const grow = (who: Person, changes: number) => sql`
  with grown as (insert into device_logs (user_id, length, head) values (${who.id}, ${changes}, sha256('x'))
    on conflict (user_id) do update set length = excluded.length, head = excluded.head, keys = '{}' returning user_id)
  insert into device_log_entries (user_id, position, is_added, key, head, created_at)
  select user_id, n, n % 2 = 1, sha256('y'), sha256('x'), now() - interval '2 days'
  from grown, generate_series(1, ${changes}::int) n on conflict do nothing`

test('only the last changes of a log are kept, and a client with an earlier state cannot check it', async () => {
  const ann = await person(parley, 'ann')
  const gateway = await online(ann)
  await grow(ann, DEVICE_CHANGES_KEPT)
  await register(gateway, KEYS[0])
  const rows = await sql`select position from device_log_entries where user_id = ${ann.id} order by position`
  expect([rows.length, rows[0]?.position]).toEqual([DEVICE_CHANGES_KEPT, 2])
  const log = await logOf(gateway, ann.id, 0)
  expect([log.length, log.changes.length]).toEqual([DEVICE_CHANGES_KEPT + 1, DEVICE_CHANGES_KEPT])
  expect(await isContinued(log, undefined)).toBe(true)
  expect(await isContinued(log, { length: 0, head: ZEROS })).toBe(false)
})

test('an account can add a hundred devices a day, and further ones are refused without a change', async () => {
  const ann = await person(parley, 'ann')
  const gateway = await online(ann)
  await sql`insert into device_logs (user_id, length, head)
    values (${ann.id}, ${DEVICES_ADDED_PER_DAY_MAX}, sha256('x'))`
  await sql`insert into device_log_entries (user_id, position, is_added, key, head)
    select ${ann.id}, n, true, sha256(n::text::bytea), sha256('x')
    from generate_series(1, ${DEVICES_ADDED_PER_DAY_MAX}::int) n`
  expect(await refusedWith(gateway, 'voice.device_key', { key: KEYS[0] })).toBe('rate_limited')
  expect((await logOf(gateway, ann.id)).length).toBe(DEVICES_ADDED_PER_DAY_MAX)
  const [session] = await sql`select device_key from sessions where user_id = ${ann.id}`
  expect(session?.device_key).toBeNull()
  await sql`update device_log_entries set created_at = now() - interval '25 hours' where user_id = ${ann.id}`
  await register(gateway, KEYS[0])
  // A device that is listed already is no new one.
  await sql`update device_log_entries set created_at = now() where user_id = ${ann.id}`
  await register(gateway, KEYS[0])
})

test('an account has a bounded number of devices, and another is added once one of them is logged out', async () => {
  const ann = await person(parley, 'ann')
  const gateway = await online(ann)
  await sql`insert into sessions (user_id, expires_at, ip, device_key)
    select ${ann.id}, now() + interval '1 day', '::1', sha256(n::text::bytea)
    from generate_series(1, ${DEVICES_MAX}::int) n`
  // Devices that were registered long ago.
  expect((await logOf(gateway, ann.id)).keys).toHaveLength(DEVICES_MAX)
  await sql`update device_log_entries set created_at = now() - interval '25 hours' where user_id = ${ann.id}`
  expect(await refusedWith(gateway, 'voice.device_key', { key: KEYS[0] })).toBe('rate_limited')
  expect((await logOf(gateway, ann.id)).length).toBe(DEVICES_MAX)
  await sql`delete from sessions where user_id = ${ann.id} and device_key = sha256('1')`
  await register(gateway, KEYS[0])
  const log = await logOf(gateway, ann.id, DEVICES_MAX)
  expect(log.changes.map(({ kind }) => kind)).toEqual(['removed', 'added'])
  expect(log.keys).toHaveLength(DEVICES_MAX)
})

test('an answer has a bounded number of changes, and names the accounts that it leaves out', async () => {
  const people = await Promise.all(['ann', 'ben', 'cat', 'dan'].map((name) => person(parley, name)))
  await newServer(people[0]!, ...people.slice(1))
  for (const who of people) await grow(who, DEVICE_CHANGES_KEPT)
  const gateway = await online(people[0]!)
  const ids = people.map(({ id }) => id).toSorted((one, other) => one - other)
  const answer = await logsSeenBy(gateway, ...ids.map((user_id) => ({ user_id, after: 0 })))
  const counts = answer.accounts.map(({ changes }: DeviceLog) => changes.length)
  expect(counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(DEVICE_CHANGES_ANSWERED_MAX)
  expect(answer.accounts.map(({ user_id }: DeviceLog) => user_id)).toEqual(ids.slice(0, 2))
  expect(answer.left_out).toEqual(ids.slice(2))
  const heads = await logsSeenBy(gateway, ...ids.map((user_id) => ({ user_id })))
  expect([heads.accounts.length, heads.left_out]).toEqual([4, []])
})

test('malformed requests for logs are refused', async () => {
  const gateway = await online(await person(parley, 'ann'))
  const many = Array.from({ length: ENCRYPTED_PEERS_MAX + 1 }, (_, at) => ({ user_id: at + 1 }))
  const twice = [{ user_id: 1 }, { user_id: 1, after: 3 }]
  for (const accounts of [[], many, twice, [{}], [1], [{ user_id: 0 }], [{ user_id: 1, after: -1 }], null, {}])
    expect(await refusedWith(gateway, 'voice.device_logs', { accounts })).toBe('validation_failed')
  for (const after of [2 ** 31, 1.5, '1', null])
    expect(await refusedWith(gateway, 'voice.device_logs', { accounts: [{ user_id: 1, after }] })).toBe(
      'validation_failed',
    )
})
