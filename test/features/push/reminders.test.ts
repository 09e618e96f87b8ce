import { afterAll, expect, test } from 'bun:test'
import { boot, type Person, newServer, say, stop } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { again, settled, subscribe } from '../../support/push-devices.ts'
import { PushService } from '../../support/push-service.ts'

const parley = await boot({ PUSH_ALLOWED_ADDRESSES: '127.0.0.1', PUBLIC_URL: 'https://chat.example.org' })
const { sql } = parley.parts
const service = new PushService()
afterAll(async () => {
  await stop(parley)
  service.close()
})

test('a due reminder notifies every device with the note, and is withdrawn when it is dealt with', async () => {
  const [alice, bob] = (await passersBy(parley, 'Alice', 'Bob')) as [Person, Person]
  const { channel_id } = await newServer(alice, bob)
  const [phone, tablet] = [await subscribe(service, bob), await subscribe(service, await again(bob))]
  const [first, second] = [
    await say(alice, channel_id, 'Bring ||a|| telescope'),
    await say(alice, channel_id, 'At dawn'),
  ]
  await settled(parley)
  const before = phone.taken.length
  const remind = async (id: number, note: string | null) => {
    await bob.put(`/api/saved/${id}`, { note, remind_at: new Date(Date.now() + 3_600_000).toISOString() })
    await sql`update saved_messages set remind_at = now() where user_id = ${bob.id} and message_id = ${id}`
    await settled(parley)
  }
  await remind(first.id, null)
  await remind(second.id, 'Set the alarm')
  const own = (device: typeof phone) => device.taken.slice(before).map(({ message }) => message)
  const base = { user_id: bob.id, channel_id, is_call: false }
  expect(own(phone)).toEqual([
    {
      ...base,
      kind: 'reminder',
      path: `/c/${channel_id}/${first.id}`,
      remind_id: first.id,
      message_id: first.id,
      author: 'Alice',
      place: expect.stringContaining('#'),
      text: 'Bring ▒▒▒ telescope',
    },
    expect.objectContaining({ kind: 'reminder', remind_id: second.id, text: 'Set the alarm' }),
  ])
  expect(own(tablet)).toHaveLength(2)
  // A reminder of one message does not replace another's.
  expect(phone.taken[before]?.headers.get('topic')).not.toBe(phone.taken[before + 1]?.headers.get('topic'))
  await bob.put(`/api/saved/${first.id}`, { remind_at: null })
  await settled(parley)
  expect(own(phone)[2]).toEqual({ ...base, kind: 'over', path: `/c/${channel_id}`, remind_id: first.id })
  // One that was not due has nothing to withdraw.
  await bob.delete(`/api/saved/${first.id}`)
  await settled(parley)
  expect(own(phone)).toHaveLength(3)
  // Quiet hours hold it back on devices; the inbox has it.
  await bob.put('/api/push/settings', { quiet_hours: { from: '00:00', until: '23:59', time_zone: 'UTC' } })
  await remind(first.id, 'Quietly')
  const isNight = new Date().toISOString().slice(11, 16) === '23:59'
  expect(own(phone)).toHaveLength(isNight ? 4 : 3)
  expect((await bob.get('/api/saved')).body[0]).toMatchObject({ due: true })
})

test('a reminder of an event notifies every device, unless the account is not to be disturbed', async () => {
  const [alice, bob] = (await passersBy(parley, 'Alice', 'Bob')) as [Person, Person]
  const { server_id } = await newServer(alice, bob)
  const phone = await subscribe(service, bob)
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  const draft = { title: 'The long walk', time_zone: 'UTC', place: { text: 'The bridge' }, signup: {} }
  const times = { starts_at: inMinutes(61), ends_at: inMinutes(90) }
  const { id } = (await alice.post(`/api/servers/${server_id}/events`, { ...draft, ...times })).body
  await bob.put(`/api/events/${id}/signup`, { status: 'yes', remind: [60, 10] })
  const remind = async () => {
    await sql`update event_signups set next_remind_at = now() where event_id = ${id}`
    await settled(parley)
  }
  await remind()
  const seconds = Math.floor(Date.parse(times.starts_at) / 1000)
  const base = { kind: 'event', user_id: bob.id, channel_id: 0, is_call: false, event_id: id }
  const { name } = (await bob.get(`/api/servers/${server_id}`)).body
  const path = `/app?event=${id}&date=0`
  expect(phone.taken.map(({ message }) => message)).toEqual([
    { ...base, path, author: 'The long walk', place: name, text: `<t:${seconds}:f>` },
  ])
  await bob.put('/api/push/settings', { hide_content: true })
  await remind()
  expect(phone.taken[1]?.message).toEqual({ ...base, path })
  await bob.put('/api/push/settings', { quiet_hours: { from: '00:00', until: '23:59', time_zone: 'UTC' } })
  await remind()
  const isNight = new Date().toISOString().slice(11, 16) === '23:59'
  expect(phone.taken).toHaveLength(isNight ? 3 : 2)
  await bob.put('/api/push/settings', { hide_content: false, quiet_hours: null })
  // A place that becomes free notifies too.
  const full = { max: 1, waiting_list: true }
  const other = (await alice.post(`/api/servers/${server_id}/events`, { ...draft, ...times, signup: full })).body
  for (const who of [alice, bob]) await who.put(`/api/events/${other.id}/signup`, { status: 'yes' })
  await alice.put(`/api/events/${other.id}/signup`, { status: 'no' })
  await settled(parley)
  expect(phone.taken.at(-1)?.message).toMatchObject({ kind: 'promoted', event_id: other.id, author: 'The long walk' })
})
