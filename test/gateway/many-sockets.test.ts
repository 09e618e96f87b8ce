import { expect, test } from 'bun:test'
import { person, newServer, say, standard } from '../support/harness.ts'
import { connect } from '../support/socket.ts'

/** With a hundred sockets and more, frames wait to be batched. */
const MEMBERS = 6
const DEVICES = 18
const MESSAGES = 40

const parley = await standard()
const times = <T>(count: number, make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)))

/** A channel that a hundred and eight sockets watch. */
async function crowd() {
  const alice = await person(parley, 'alice')
  const members = await times(MEMBERS, (n) => person(parley, `member${n}`))
  const { server_id, channel_id } = await newServer(alice, ...members)
  const devices = await Promise.all(members.map((member) => times(DEVICES, () => connect(member))))
  const close = () => devices.flat().forEach((device) => device.close())
  return { alice, members, devices, server_id, channel_id, close }
}

test('more than a hundred sockets receive every message once, each in its order', async () => {
  const { alice, members, devices, channel_id, close } = await crowd()
  const sent = await times(MESSAGES, (n) => say(members[n % MEMBERS] ?? alice, channel_id, `message ${n}`))
  const ids = sent.map(({ id }) => id).toSorted((a, b) => a - b)
  for (const device of devices.flat()) {
    await device.next('message.created', ({ d }) => d.id === ids.at(-1))
    expect(device.of('message.created').map(({ d }) => d.id)).toEqual(ids)
  }
  close()
})

test('one message to more than a hundred sockets arrives without another that follows', async () => {
  const { alice, devices, channel_id, close } = await crowd()
  const { id } = await say(alice, channel_id, 'alone')
  for (const device of devices.flat()) await device.next('message.created', ({ d }) => d.id === id)
  close()
})

test('sockets of a removed member, among a hundred, get all earlier messages and no later ones', async () => {
  const { alice, members, devices, server_id, channel_id, close } = await crowd()
  const [removed] = members
  const [firstDevice = [], ...others] = devices
  for (let round = 0; round < 3; round++) await say(alice, channel_id, 'before')
  const last = await say(alice, channel_id, 'the last before')
  await Promise.all([
    alice.delete(`/api/servers/${server_id}/members/${removed?.id}`).then(() => say(alice, channel_id, 'after')),
    say(alice, channel_id, 'meanwhile'),
  ])
  await Promise.all([...firstDevice, ...others.flat()].map((device) => device.settled()))
  for (const device of firstDevice) {
    const texts = device.of('message.created').map(({ d }) => d.content)
    expect(texts.filter((text) => text === 'before').length).toBe(3)
    expect(texts).toContain(last.content)
    expect(texts).not.toContain('after')
  }
  for (const device of others.flat()) {
    const texts = device.of('message.created').map(({ d }) => d.content)
    expect(texts.toSorted()).toEqual(['after', 'before', 'before', 'before', 'meanwhile', 'the last before'])
  }
  close()
})
