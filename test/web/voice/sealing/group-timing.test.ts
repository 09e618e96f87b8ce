import { expect, test } from 'bun:test'
import { randomFrom, SimulatedCall } from '../../../support/sealed-calls.ts'

/** Members in a call that has settled, on a network that takes at most a millisecond. */
async function settled(members: number, seed = 1) {
  const call = new SimulatedCall(randomFrom(seed), 1)
  const people = Array.from({ length: members }, (_, at) => call.join(at + 1))
  await call.pass(2_000)
  expect(call.isWhole()).toBe(true)
  return { call, people }
}

test('all who join within 100 ms of an epoch share one commit', async () => {
  const { call } = await settled(2)
  const before = call.commits
  call.join(10)
  await call.pass(9)
  expect([call.commits - before, call.isWhole()]).toEqual([1, true])
  for (let at = 1; at <= 8; at++) {
    call.join(10 + at)
    await call.pass(10)
  }
  expect(call.commits - before).toBe(1)
  await call.pass(25)
  expect([call.commits - before, call.isWhole()]).toEqual([2, true])
})

test('a member who leaves is out within a few messages, also right after an epoch began', async () => {
  const { call, people } = await settled(4)
  call.join(9)
  await call.pass(9)
  expect(call.isWhole()).toBe(true)
  // The next join would wait for the rest of 100 ms.
  call.leave(people[2]!.id)
  await call.pass(9)
  expect(call.isWhole()).toBe(true)
  expect(call.present.get(people[0]!.id)!.epochs.at(-1)!.leaves.has(people[2]!.id)).toBe(false)
})

test('the member who commits first may leave too, and so may several at once', async () => {
  const { call, people } = await settled(5)
  const leaves = people[0]!.epochs.at(-1)!.leaves
  const [first, second, third] = people.toSorted((one, other) => leaves.get(one.id)! - leaves.get(other.id)!)
  call.leave(first!.id)
  await call.pass(9)
  expect(call.isWhole()).toBe(true)
  for (const { id } of [second!, third!]) call.leave(id)
  await call.pass(9)
  expect([call.isWhole(), call.present.size]).toEqual([true, 2])
})

test('a member whose welcome is lost sends another key package after three seconds, and is in at once', async () => {
  const { call } = await settled(3)
  const packages: { at: number; data: string }[] = []
  call.hinder = (_from, message) => {
    if (message.kind === 'key_package') packages.push({ at: call.now, data: message.data })
    return message
  }
  call.tamper = (_to, event) => (event.kind === 'welcome' && packages.length < 2 ? undefined : event)
  const began = call.now
  const dora = call.join(9)
  await call.pass(2_990)
  expect([packages.length, dora.epochs.length]).toEqual([1, 0])
  await call.pass(30)
  expect(packages.map(({ at }) => Math.round((at - began) / 100))).toEqual([0, 30])
  expect(packages[0]!.data).not.toBe(packages[1]!.data)
  expect(call.isWhole()).toBe(true)
})

test('a member who cannot read a commit is back with a new key package', async () => {
  const { call, people } = await settled(3)
  let victim = ''
  const packages: string[] = []
  call.hinder = (from, message) => {
    if (message.kind === 'key_package') packages.push(from)
    return message
  }
  call.tamper = (to, event) => {
    if (victim !== '' || event.kind !== 'commit') return event
    victim = to
    return { ...event, data: Buffer.from(crypto.getRandomValues(new Uint8Array(500))).toString('base64') }
  }
  call.join(9)
  await call.pass(3_000)
  expect(people.map(({ id }) => id)).toContain(victim)
  expect(packages).toContain(victim)
  expect(call.isWhole()).toBe(true)
})
