import { expect, test } from 'bun:test'
import { makeDeviceKey, publicKeyOf } from '../../../../src/web/voice/sealing/device-key.ts'
import { DeviceDirectory } from '../../../../src/web/voice/sealing/device-directory.ts'
import { deviceKeysIn, digitsOf, pairNumber } from '../../../../src/web/voice/sealing/numbers.ts'

const KEYS = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)] as const
const DEVICES = { keys: [KEYS[0]], isForked: false }
const ann = { user_id: 1, length: 3, head: KEYS[0], keys: [KEYS[0]] }
const ben = { user_id: 22, length: 2, head: KEYS[1], keys: [KEYS[1], KEYS[2]] }

test('two people see the same six groups of five digits, whatever the order of the devices', async () => {
  const groups = await pairNumber(ann, ben)
  expect(groups.map((group) => /^\d{5}$/.test(group))).toEqual([true, true, true, true, true, true])
  const fromBen = await pairNumber({ ...ben, keys: [KEYS[2], KEYS[1], KEYS[2]] }, ann)
  expect(fromBen).toEqual(groups)
})

test('any other device, account or log makes another number', async () => {
  const numbers = [
    await pairNumber(ann, ben),
    await pairNumber(ann, { ...ben, keys: [KEYS[1]] }),
    await pairNumber({ ...ann, keys: [KEYS[0], KEYS[1]] }, ben),
    await pairNumber(ann, { ...ben, user_id: 23 }),
    await pairNumber(ann, { ...ben, length: 4 }),
    await pairNumber(ann, { ...ben, head: KEYS[2] }),
    await pairNumber({ ...ben, user_id: 1 }, { ...ann, user_id: 22 }),
    await digitsOf(
      new TextEncoder().encode(`1 3 ${KEYS[0]} ${KEYS[0]}\n22 2 ${KEYS[1]} ${KEYS[1]} ${KEYS[2]}`),
      'parley call code',
    ),
  ].map((groups) => groups.join(''))
  expect(new Set(numbers).size).toBe(numbers.length)
})

test('a list with anything but keys is refused, because two keys in one text would look like one device', async () => {
  expect(deviceKeysIn([KEYS[1], KEYS[0], KEYS[1]])).toEqual([KEYS[0], KEYS[1]])
  for (const text of [
    `${KEYS[0]} ${KEYS[1]}`,
    `${KEYS[0]}\n22 ${KEYS[1]}`,
    `${KEYS[0]}\n`,
    KEYS[0].toUpperCase(),
    '',
  ]) {
    expect(() => deviceKeysIn([KEYS[2], text])).toThrow('malformed')
    expect(await pairNumber(ann, { ...ben, keys: [text] }).catch(String)).toContain('malformed')
  }
})

test('the private key of a device cannot be read', async () => {
  const pair = (await makeDeviceKey())!
  expect(await publicKeyOf(pair)).toMatch(/^[0-9a-f]{64}$/)
  for (const format of ['pkcs8', 'jwk'] as const) {
    const reading = crypto.subtle.exportKey(format, pair.privateKey).then(
      () => 'read',
      () => 'refused',
    )
    expect(await reading).toBe('refused')
  }
})

test('the devices of an account are asked for once, and again at most every few seconds', async () => {
  const requests: number[][] = []
  let time = 0
  const directory = new DeviceDirectory(
    async (ids) => {
      requests.push(ids)
      return new Map([[1, DEVICES]])
    },
    () => time,
  )
  expect(await Promise.all([directory.devicesOf(1), directory.devicesOf(2), directory.devicesOf(1)])).toEqual([
    DEVICES,
    { keys: [], isForked: false },
    DEVICES,
  ])
  expect(requests).toEqual([[1, 2]])
  for (let at = 0; at < 20; at++) await directory.devicesOf(1, true)
  expect(requests).toHaveLength(2)
  time = 3_000
  await directory.devicesOf(1, true)
  expect(requests).toHaveLength(3)
  directory.forget(1)
  await directory.devicesOf(1)
  expect(requests).toHaveLength(4)
})

test('after a failed request the devices are asked for again', async () => {
  let failures = 1
  const directory = new DeviceDirectory(async () => {
    if (failures-- > 0) throw new Error('offline')
    return new Map([[1, DEVICES]])
  })
  expect(await directory.devicesOf(1).catch(String)).toContain('offline')
  expect(await directory.devicesOf(1)).toEqual(DEVICES)
})
