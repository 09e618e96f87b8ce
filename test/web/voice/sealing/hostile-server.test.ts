import { expect, test } from 'bun:test'
import { confirmLeaf, makeDeviceKey, publicKeyOf } from '../../../../src/web/voice/sealing/device-key.ts'
import { randomFrom, SimulatedCall, type SimulatedMember } from '../../../support/sealed-calls.ts'

// A dishonest server, and the warnings that the members get within five seconds.

const SEEN_MS = 5_000
const warned = ({ warnings }: SimulatedMember): string[] => warnings.flatMap(({ doubts }) => doubts)
const now = ({ warnings }: SimulatedMember): string[] => warnings.at(-1)?.doubts ?? []
const secretOf = ({ epochs }: SimulatedMember): string | undefined => epochs.at(-1)?.secret.join()

/** A call in which three members talk. */
async function settled(seed = 1) {
  const call = new SimulatedCall(randomFrom(seed))
  const people = [1, 2, 3].map((id) => call.join(id)) as [SimulatedMember, SimulatedMember, SimulatedMember]
  await call.pass(2_000)
  expect(call.isWhole()).toBe(true)
  return { call, people }
}

test('a ghost under the name of an account gets no key, and everybody is warned', async () => {
  const { call, people } = await settled()
  await call.device(66)
  const foreign = (await makeDeviceKey())!
  const id = 'f'.repeat(32)
  const self = { voice_session_id: id, user_id: 66 }
  const ghost = call.join(66, { id, confirm: (key) => confirmLeaf(foreign, self, key) })
  await call.pass(SEEN_MS)
  expect(people.map(now)).toEqual([['66 unproven'], ['66 unproven'], ['66 unproven']])
  expect(ghost.epochs).toEqual([])
  expect(people.flatMap(({ epochs }) => epochs).some(({ leaves }) => leaves.has(id))).toBe(false)
  expect(new Set(people.map(secretOf)).size).toBe(1)
  call.leave(id)
  await call.pass(1_000)
  expect(people.map(now)).toEqual([[], [], []])
})

test("a device's signature counts for the voice session and the key that it names only", async () => {
  const { call, people } = await settled()
  const proofs: Awaited<ReturnType<typeof confirmLeaf>>[] = []
  const dora = call.join(9, {
    confirm: async (key) => {
      const self = { voice_session_id: (9).toString(16).padStart(32, '0'), user_id: 9 }
      proofs.push(await confirmLeaf(await call.device(9), self, key))
      return proofs.at(-1)!
    },
  })
  await call.pass(1_000)
  expect(call.isWhole()).toBe(true)
  call.leave(dora.id)
  await call.pass(1_000)
  const other = call.join(9, { id: 'e'.repeat(32), confirm: async () => proofs[0]! })
  const again = call.join(9, { confirm: async () => proofs[0]! })
  await call.pass(SEEN_MS)
  expect([other.epochs, again.epochs]).toEqual([[], []])
  for (const person of people) expect(now(person)).toEqual(['9 unproven', '9 unproven'])
})

test('a ghost that a dishonest member takes up learns no secret that the others go on with', async () => {
  const call = new SimulatedCall(randomFrom(4))
  const foreign = (await makeDeviceKey())!
  const id = 'f'.repeat(32)
  const mallory = call.join(1, {
    devicesOf: async (userId) => ({
      keys: [...(call.listed.get(userId) ?? []), await publicKeyOf(foreign)],
      isForked: false,
    }),
  })
  await call.pass(500)
  const people = [call.join(2), call.join(3)]
  await call.pass(1_500)
  expect(call.isWhole()).toBe(true)
  await call.device(66)
  const self = { voice_session_id: id, user_id: 66 }
  const ghost = call.join(66, { id, confirm: (key) => confirmLeaf(foreign, self, key) })
  await call.pass(SEEN_MS)
  expect([mallory, ghost].map(({ epochs }) => epochs.at(-1)?.leaves.has(id))).toEqual([true, true])
  for (const person of people) {
    expect(now(person)).toContain('66 unproven')
    expect(person.epochs.some(({ leaves }) => leaves.has(id))).toBe(false)
    expect(ghost.epochs.map(({ secret }) => secret.join())).not.toContain(secretOf(person))
  }
})

test('a new device of a verified account is named before its first sound, until it is verified', async () => {
  const { call, people } = await settled()
  call.verified.set(9, ['0'.repeat(64)])
  const dora = call.join(9)
  await call.pass(SEEN_MS)
  for (const person of people) {
    const first = person.warnings.find(({ doubts }) => doubts.includes('9 new_device'))
    expect(first?.epochs).toBe(person.epochs.findIndex(({ leaves }) => leaves.has(dora.id)))
  }
  expect(call.isWhole()).toBe(true)
  const [first, second] = people
  first.group.checks.verified(9, call.listed.get(9))
  expect([now(first), now(second)]).toEqual([[], ['9 new_device']])
})

test('a device in the call that the server leaves out of a comparison is named', async () => {
  const { call, people } = await settled()
  const [first, second] = people
  call.verified.set(9, ['0'.repeat(64)])
  const dora = call.join(9)
  await call.pass(SEEN_MS)
  // The numbers are the same on both sides, because they leave out the device that takes part.
  for (const person of people) person.group.checks.verified(9, ['0'.repeat(64)])
  expect(people.map(now)).toEqual([['9 new_device'], ['9 new_device'], ['9 new_device']])
  first.group.checks.verified(9, undefined)
  expect([now(first), now(second)]).toEqual([[], ['9 new_device']])
  first.group.checks.verified(9, ['0'.repeat(64)])
  expect(now(first)).toEqual(['9 new_device'])
  call.leave(dora.id)
  await call.pass(1_000)
  expect(people.map(now)).toEqual([[], [], []])
})

test('a leaf of another account than the server shows is refused with a warning, now or later', async () => {
  const call = new SimulatedCall(randomFrom(5))
  const id = 'f'.repeat(32)
  call.join(66, { id })
  await call.pass(500)
  const others = () => [...call.present.values()].filter((each) => each.id !== id)
  const laterNames = new Map<string, number>()
  const asBen = () => new Map(others().map((each) => [each.id, each.user_id])).set(id, 9)
  const late = () => new Map([...others().map((each) => [each.id, each.user_id] as const), ...laterNames])
  // The server takes no commit that removes the leaf.
  call.hinder = (from, message) => (message.kind === 'commit' && from !== id ? { ...message, epoch: 999 } : message)
  const [ann, eve] = [call.join(1, { members: asBen }), call.join(2, { members: late })]
  await call.pass(SEEN_MS)
  expect(now(ann)).toContain('9 unproven')
  expect(ann.epochs).toEqual([])
  expect(eve.epochs.at(-1)?.leaves.has(id)).toBe(true)
  laterNames.set(id, 9)
  void eve.group.membersChanged()
  await call.pass(SEEN_MS)
  expect(now(eve)).toContain('9 unproven')
  expect(eve.epochs.at(-1)?.leaves.size).toBe(0)
})

test('a listener that the server does not show in the call is named, and no longer when it is removed', async () => {
  const call = new SimulatedCall(randomFrom(6))
  const id = 'f'.repeat(32)
  call.join(66, { id })
  await call.pass(500)
  const members = () =>
    new Map([...call.present.values()].filter((each) => each.id !== id).map((each) => [each.id, each.user_id]))
  // The server takes no commit that removes the listener.
  call.hinder = (from, message) => (message.kind === 'commit' && from !== id ? { ...message, epoch: 999 } : message)
  const people = [call.join(1, { members }), call.join(2, { members })]
  await call.pass(SEEN_MS + 3_000)
  for (const person of people) expect(now(person)).toContain('66 hidden')
  call.hinder = (_from, message) => message
  await call.pass(9_000)
  for (const person of people) {
    expect(person.epochs.at(-1)?.leaves.has(id)).toBe(false)
    expect(now(person)).toEqual([])
  }
})

test('there is no warning about a device that the person has verified', async () => {
  const { call, people } = await settled()
  call.verified.set(9, [await publicKeyOf(await call.device(9)), '0'.repeat(64)])
  call.join(9)
  await call.pass(SEEN_MS)
  expect([call.isWhole(), ...people.map(warned)]).toEqual([true, [], [], []])
})

const keysOf = async (call: SimulatedCall, account: number) => [await publicKeyOf(await call.device(account))]

test('a member whose log has another past is named before its first sound, until numbers are compared', async () => {
  const { call, people } = await settled()
  call.forked.add(9)
  // Also for somebody who has verified this very device.
  call.verified.set(9, await keysOf(call, 9))
  const dora = call.join(9)
  await call.pass(SEEN_MS)
  for (const person of people) {
    const first = person.warnings.find(({ doubts }) => doubts.includes('9 history'))
    expect(first?.epochs).toBe(person.epochs.findIndex(({ leaves }) => leaves.has(dora.id)))
  }
  expect(call.isWhole()).toBe(true)
  const [first, second] = people
  // To take an earlier comparison back is no comparison.
  first.group.checks.verified(9, undefined)
  expect(now(first)).toEqual(['9 history'])
  first.group.checks.verified(9, await keysOf(call, 9))
  expect([now(first), now(second)]).toEqual([[], ['9 history']])
})

test('the warning about the log of this account lasts until numbers are compared with anybody', async () => {
  const { call, people } = await settled()
  const [ann] = people
  ann.group.checks.doubt({ user_id: 1, voice_session_id: ann.id }, 'own_history')
  await ann.group.membersChanged()
  expect(now(ann)).toEqual(['1 own_history'])
  ann.group.checks.verified(2, undefined)
  expect(now(ann)).toEqual(['1 own_history'])
  ann.group.checks.verified(2, await keysOf(call, 2))
  expect(now(ann)).toEqual([])
})

test('when the server splits the call, each half learns who is missing, and their codes differ', async () => {
  const call = new SimulatedCall(randomFrom(7))
  const one = call.join(1)
  const two = call.join(2)
  await call.pass(1_000)
  for (const id of [3, 4]) call.apart.add(id.toString(16).padStart(32, '0'))
  const [three, four] = [call.join(3), call.join(4)]
  await call.pass(SEEN_MS)
  for (const person of [one, two]) expect(now(person).toSorted()).toEqual(['3 missing', '4 missing'])
  for (const person of [three, four]) expect(now(person).toSorted()).toEqual(['1 missing', '2 missing'])
  expect(secretOf(one)).toBe(secretOf(two))
  expect(secretOf(three)).toBe(secretOf(four))
  expect(one.authenticator).toBe(two.authenticator)
  expect(one.authenticator).not.toBe(three.authenticator)
})

test('a member from which the server keeps all commits learns that a newcomer is missing', async () => {
  const { call, people } = await settled()
  const [, bob] = people
  call.tamper = (to, event) => (to === bob.id && event.kind === 'commit' ? undefined : event)
  call.join(9)
  await call.pass(SEEN_MS)
  expect(warned(bob)).toContain('9 missing')
})

test('a member whose messages the server drops is warned, and so are the others', async () => {
  const { call, people } = await settled()
  const id = (9).toString(16).padStart(32, '0')
  call.tamper = (to, event) => (to === id || event.from === id ? undefined : event)
  const dora = call.join(9)
  await call.pass(SEEN_MS)
  expect(now(dora).toSorted()).toEqual(['1 missing', '2 missing', '3 missing'])
  for (const person of people) expect(now(person)).toEqual(['9 missing'])
  call.tamper = (_to, event) => event
  await call.pass(9_000)
  expect([call.isWhole(), now(dora), ...people.map(now)]).toEqual([true, [], [], [], []])
})

test('a swapped key package is noticed, and its owner is taken up once the real one arrives', async () => {
  const { call, people } = await settled()
  const packages: string[] = []
  const stranger = new SimulatedCall(randomFrom(3))
  stranger.tamper = (_to, event) => {
    if (event.kind === 'key_package') packages.push(event.data)
    return event
  }
  stranger.join(1)
  await stranger.pass(500)
  stranger.join(66)
  await stranger.pass(500)
  call.tamper = (_to, event) => (event.kind === 'key_package' ? { ...event, data: packages[0]! } : event)
  call.join(9)
  await call.pass(1_000)
  expect(people.map(now)).toEqual([['9 unproven'], ['9 unproven'], ['9 unproven']])
  call.tamper = (_to, event) => event
  await call.pass(6_000)
  expect([call.isWhole(), ...people.map(now)]).toEqual([true, [], [], []])
})

test('a member that the server keeps in the list after its removal is named as one without keys', async () => {
  const { call, people } = await settled()
  const [ann, bob, carol] = people
  // Everybody removes carol, and then sees her in the list again, though she has no leaf.
  const alsoListed = new Set<string>()
  const listed = () =>
    new Map(
      [...call.present.values()]
        .map((each) => [each.id, each.user_id] as const)
        .concat([...alsoListed].map((id) => [id, 3])),
    )
  const dora = call.join(4, { members: listed })
  await call.pass(2_000)
  call.leave(carol.id)
  await call.pass(1_000)
  for (const person of [ann, bob, dora]) expect(person.epochs.at(-1)?.leaves.has(carol.id)).toBe(false)
  alsoListed.add(carol.id)
  void dora.group.membersChanged()
  await call.pass(SEEN_MS)
  expect(now(dora)).toEqual(['3 missing'])
  expect([ann, bob].map(now)).toEqual([[], []])
  expect(new Set([ann, bob, dora].map(secretOf)).size).toBe(1)
  expect(secretOf(carol)).not.toBe(secretOf(ann))
})

test('an old commit that the server plays again changes no secret and nobody’s warnings', async () => {
  const call = new SimulatedCall(randomFrom(8))
  const commits: { to: string; event: Parameters<SimulatedCall['tamper']>[1] }[] = []
  call.tamper = (to, event) => {
    if (event.kind === 'commit') commits.push({ to, event })
    return event
  }
  const people: SimulatedMember[] = []
  for (const id of [1, 2, 3, 4]) {
    people.push(call.join(id))
    await call.pass(1_000)
  }
  expect(call.isWhole()).toBe(true)
  const before = people.map(secretOf)
  const count = commits.length
  expect(count).toBeGreaterThan(0)
  for (const { to, event } of commits.slice(0, count)) call.hand(to, event)
  await call.pass(SEEN_MS)
  expect(people.map(secretOf)).toEqual(before)
  expect(people.map(now)).toEqual([[], [], [], []])
})

test('another device of this account, whose log has another past, is a warning about this account’s log', async () => {
  const { call, people } = await settled()
  const [ann, bob] = people
  call.forked.add(1)
  call.join(1, { id: 'e'.repeat(32) })
  await call.pass(SEEN_MS)
  expect(now(ann)).toEqual(['1 own_history'])
  expect(now(bob)).toEqual(['1 history'])
})
