import { afterAll, expect, test } from 'bun:test'
import { boot, type Person, newServer, say, stop, until } from '../../support/harness.ts'
import { befriend, group, passersBy, write } from '../../support/people.ts'
import { again, hurry, settled, subscribe } from '../../support/push-devices.ts'
import { post, webhook } from '../../support/webhooks.ts'
import { PushService } from '../../support/push-service.ts'
import { connect } from '../../support/socket.ts'
import { inVoice } from '../../support/voice-people.ts'

const parley = await boot({ PUSH_ALLOWED_ADDRESSES: '127.0.0.1', PUBLIC_URL: 'https://chat.example.org' })
const { sql } = parley.parts
const service = new PushService()
afterAll(async () => {
  await stop(parley)
  service.close()
})

test('a direct message that stays unread notifies every device, and is withdrawn when it is read', async () => {
  const [alice, bob] = (await passersBy(parley, 'Alice', 'Bob')) as [Person, Person]
  await befriend(alice, bob)
  const phone = await subscribe(service, bob)
  const tablet = await subscribe(service, await again(bob))
  const before = Date.now()
  const { id, channel_id } = await write(alice, bob, 'Kingfishers! ||They dive.|| <@' + bob.id + '>')
  await until(() => phone.taken.length === 1 && tablet.taken.length === 1)
  expect(Date.now() - before).toBeGreaterThanOrEqual(4_900)
  const [{ headers, message }] = phone.taken as [(typeof phone.taken)[0]]
  expect(message).toEqual({
    kind: 'message',
    user_id: bob.id,
    channel_id,
    is_call: false,
    path: `/c/${channel_id}/${id}`,
    message_id: id,
    author: 'Alice',
    text: 'Kingfishers! ▒▒▒ @Bob',
  })
  expect(headers.get('content-encoding')).toBe('aes128gcm')
  expect(headers.get('urgency')).toBe('high')
  expect(Number(headers.get('ttl'))).toBeGreaterThan(86_000)
  expect(headers.get('topic')).toMatch(/^[\w-]{32}$/)
  const { push_key } = (await bob.get('/.well-known/parley')).body
  expect(headers.get('authorization')).toEndWith(`, k=${push_key}`)
  expect(headers.get('cookie')).toBeNull()

  // Messages that arrive while a notice waits are merged into it.
  await write(alice, bob, 'Two')
  await write(alice, bob, 'Three')
  await settled(parley)
  expect(phone.texts()).toEqual(['Kingfishers! ▒▒▒ @Bob', 'Three'])
  expect(phone.taken[1]?.headers.get('topic')).toBe(headers.get('topic'))

  expect((await bob.post(`/api/dm/${alice.id}/read-all`)).status).toBe(200)
  await until(() => tablet.taken.length === 3)
  expect(tablet.taken[2]?.message).toEqual({
    kind: 'over',
    user_id: bob.id,
    channel_id,
    is_call: false,
    path: `/c/${channel_id}`,
  })
  // Messages that were read in time cause no notice.
  await write(alice, bob, 'Read at once')
  await bob.post(`/api/dm/${alice.id}/read-all`)
  await settled(parley)
  expect([phone.taken.length, tablet.taken.length]).toEqual([3, 3])
})

test('level, mute, quiet hours and a block decide who gets a notice, and contents can be hidden', async () => {
  const [owner, bob] = (await passersBy(parley, 'owner', 'bob')) as [Person, Person]
  const { server_id, channel_id } = await newServer(owner, bob)
  const phone = await subscribe(service, bob)
  const notify = async (content: string) => {
    const before = phone.taken.length
    await say(owner, channel_id, content)
    await settled(parley)
    return phone.texts().slice(before)
  }
  const place = (body: object) => bob.put(`/api/notifications/channels/${channel_id}`, body)
  const at = `<@${bob.id}>`
  expect(await notify('By default mentions alone')).toEqual([])
  expect(await notify(`${at} by name`)).toEqual(['@bob by name'])
  expect(await notify('@everyone')).toEqual(['@everyone'])
  expect(phone.taken.at(-1)?.message).toMatchObject({ author: 'owner', place: '#general · Birdwatchers' })
  expect(await notify('@here, and bob is not')).toEqual([])
  const socket = await connect(bob)
  expect(await notify('@here again')).toEqual(['@here again'])
  socket.close()
  await place({ level: 'all' })
  expect(await notify('All')).toEqual(['All'])
  await place({ muted_until: '2999-01-01T00:00:00.000Z' })
  expect(await notify('@everyone in vain')).toEqual([])
  expect(await notify(`${at} all the same`)).toEqual(['@bob all the same'])
  await place({ muted_until: null, level: 'mentions' })
  await bob.put(`/api/notifications/servers/${server_id}`, { suppress_everyone: true })
  expect(await notify('@everyone suppressed')).toEqual([])
  await place({ level: 'nothing' })
  expect(await notify(`${at} nothing`)).toEqual([])
  await place({ level: 'all' })

  const always = { from: '00:00', until: '23:59', time_zone: 'UTC' }
  expect((await bob.put('/api/push/settings', { quiet_hours: always })).body.quiet_hours).toEqual(always)
  expect(await notify(`${at} at night`)).toEqual([])
  await bob.put('/api/push/settings', { quiet_hours: null, hide_content: true })
  expect((await bob.get('/api/push/settings')).body).toEqual({ hide_content: true, quiet_hours: null })
  await notify('A secret')
  expect(Object.keys(phone.taken.at(-1)?.message ?? {}).toSorted()).toEqual(
    ['kind', 'user_id', 'channel_id', 'is_call', 'path', 'message_id'].toSorted(),
  )
  await bob.put('/api/push/settings', { hide_content: false })
  await bob.post(`/api/friends/${owner.id}/block`)
  expect(await notify(`${at} blocked`)).toEqual([])
})

test('an edit’s new mentions notify nobody, whatever else is due', async () => {
  const [owner, bob] = (await passersBy(parley, 'owner', 'bob')) as [Person, Person]
  const { server_id, channel_id } = await newServer(owner, bob)
  const path = `/api/servers/${server_id}/roles`
  const role = (await owner.post(path, { name: 'Herons', mentionable: true })).body.id
  const others = (await owner.post(path, { name: 'Owls', mentionable: true })).body.id
  expect((await owner.post(`/api/servers/${server_id}/members/${bob.id}/roles/${role}`)).status).toBe(200)
  const phone = await subscribe(service, bob)
  const edits = [`<@${bob.id}>`, `<@&${role}>`, '@everyone']
  const [first, ...rest] = await Promise.all(edits.map((text) => say(owner, channel_id, `Not yet ${text.length}`)))
  for (const [i, text] of edits.entries()) {
    const { id } = [first, ...rest][i] as { id: number }
    expect((await owner.put(`/api/messages/${id}`, { content: text })).status).toBe(200)
    // Causes a check of the place.
    await say(owner, channel_id, `<@&${others}>`)
    await settled(parley)
  }
  expect(phone.texts()).toEqual([])
  // The messages still count as unread mentions.
  const [unread] = (await bob.get(`/api/unread?channel_ids=${channel_id}`)).body
  expect(unread.mention_count).toBe(3)
  const { id } = await say(owner, channel_id, `<@${bob.id}> from the beginning`)
  await owner.put(`/api/messages/${id}`, { content: `<@${bob.id}> edited` })
  await settled(parley)
  expect(phone.texts()).toEqual(['@bob edited'])
})

test('a device gets no notice of what it shows, of deleted messages, or of unreadable ones', async () => {
  const [owner, bob] = (await passersBy(parley, 'owner', 'bob')) as [Person, Person]
  const { server_id, channel_id } = await newServer(owner, bob)
  await bob.put(`/api/notifications/channels/${channel_id}`, { level: 'all' })
  const phone = await subscribe(service, bob)
  const desk = await connect(bob)
  await desk.command('focus.set', { channel_id })
  await say(owner, channel_id, 'In front of bob')
  const later = () => sql`select 1 from push_places where user_id = ${bob.id} and due_at > now() + interval '7 s'`
  await until(async () => {
    await hurry(parley)
    return (await later()).length === 1
  })
  expect(phone.taken).toEqual([])
  desk.close()
  // The device is gone, and the message still unread.
  await until(async () => {
    await sql`update push_places set due_at = now() where user_id = ${bob.id}`
    return phone.taken.length === 1
  })
  await settled(parley)
  const deletedMessage = await say(owner, channel_id, 'Sent by mistake')
  await owner.delete(`/api/messages/${deletedMessage.id}`)
  await settled(parley)
  expect(phone.taken).toHaveLength(1)

  const typo = await say(owner, channel_id, 'Told with a tpyo')
  await settled(parley)
  // Nothing is read from the log during a transaction that may still write to it.
  await sql.begin(async (tx) => {
    await tx`select pg_current_xact_id()`
    await owner.delete(`/api/messages/${typo.id}`)
    await say(owner, channel_id, 'Posted anew')
  })
  await settled(parley)
  expect(phone.texts().at(-1)).toBe('Posted anew')

  const wrong = await say(owner, channel_id, 'Told, then deleted')
  await settled(parley)
  expect(phone.texts().at(-1)).toBe('Told, then deleted')
  await owner.delete(`/api/messages/${wrong.id}`)
  await until(() => phone.taken.at(-1)?.message.kind === 'over')
  const count = phone.taken.length
  await say(owner, channel_id, 'Without bob')
  await owner.delete(`/api/servers/${server_id}/members/${bob.id}`)
  await settled(parley)
  expect(phone.taken).toHaveLength(count)
})

test('the notice of a message that a moderator deletes with a timeout is withdrawn', async () => {
  const [owner, carol, bob] = (await passersBy(parley, 'owner', 'carol', 'bob')) as [Person, Person, Person]
  const { server_id, channel_id } = await newServer(owner, carol, bob)
  await bob.put(`/api/notifications/channels/${channel_id}`, { level: 'all' })
  const phone = await subscribe(service, bob)
  await say(carol, channel_id, 'Buy feathers')
  await settled(parley)
  expect(phone.texts()).toEqual(['Buy feathers'])
  const timed_out_until = new Date(Date.now() + 3_600_000).toISOString()
  const timeout = { timed_out_until, delete_messages_hours: 1 }
  expect((await owner.put(`/api/servers/${server_id}/members/${carol.id}`, timeout)).status).toBe(200)
  await parley.sweep()
  await until(() => phone.taken.at(-1)?.message.kind === 'over')
})

test('a notice that has waited is dropped if its message was read or its author blocked meanwhile', async () => {
  const [owner, carol, bob] = (await passersBy(parley, 'owner', 'carol', 'bob')) as [Person, Person, Person]
  const { channel_id } = await newServer(owner, carol, bob)
  await say(owner, channel_id, 'Read by bob')
  const phone = await subscribe(service, bob)
  service.answers.set(phone.path, () => new Response(null, { status: 503, headers: { 'retry-after': '600' } }))
  const waiting = (messageId: number) => sql`select 1 from push_outbox
    where subscription_id = ${phone.id} and message_id = ${messageId} and due_at > now() + interval '5 min'`
  const postponed = async (author: Person) => {
    const { id } = await say(author, channel_id, `<@${bob.id}>`)
    await until(async () => {
      await hurry(parley)
      return (await waiting(id)).length === 1
    })
    return id
  }
  const isUntold = async () => {
    const requestCount = service.requestCounts.get(phone.path)
    await sql`update push_outbox set due_at = now() where subscription_id = ${phone.id}`
    await until(async () => (await sql`select 1 from push_outbox where subscription_id = ${phone.id}`).length === 0)
    return service.requestCounts.get(phone.path) === requestCount
  }
  const read = await postponed(carol)
  // A message stays unread, without a notice for bob.
  await say(owner, channel_id, 'To nobody')
  const socket = await connect(bob)
  await socket.command('channel.ack', { channel_id, message_id: read })
  socket.close()
  expect(await isUntold()).toBe(true)
  await postponed(carol)
  await bob.post(`/api/friends/${carol.id}/block`)
  expect(await isUntold()).toBe(true)
})

test('a webhook’s message with Discord’s flag for silence reaches no device, but is unread', async () => {
  const [owner, bob] = (await passersBy(parley, 'owner', 'bob')) as [Person, Person]
  const { channel_id } = await newServer(owner, bob)
  const phone = await subscribe(service, bob)
  const { url } = await webhook(owner, channel_id)
  const allowed_mentions = { parse: ['users'] }
  const send = (content: string, flags: number) => post(owner, url, { content, allowed_mentions, flags })
  expect((await send(`<@${bob.id}> quiet`, 4096)).status).toBe(204)
  await settled(parley)
  expect(phone.texts()).toEqual([])
  const [unread] = (await bob.get(`/api/unread?channel_ids=${channel_id}`)).body
  expect(unread.mention_count).toBe(1)
  expect((await send(`<@${bob.id}> aloud`, 0)).status).toBe(204)
  await settled(parley)
  expect(phone.texts()).toEqual(['@bob aloud'])
})

test('in a group, a block stops notices of messages in both directions', async () => {
  const [alice, bob, carol] = (await passersBy(parley, 'alice', 'bob', 'carol')) as [Person, Person, Person]
  const channel_id = await group(alice, bob, carol)
  const [hers, his] = [await subscribe(service, carol), await subscribe(service, bob)]
  await carol.post(`/api/friends/${bob.id}/block`)
  await say(alice, channel_id, 'To both')
  const last = [await say(carol, channel_id, `<@${bob.id}>`), await say(bob, channel_id, `<@${carol.id}>`)]
  await settled(parley)
  expect([hers.texts(), his.texts()]).toEqual([['To both'], ['To both']])
  // The unread count does not depend on people who block the account.
  const [unread] = (await bob.get(`/api/unread?channel_ids=${channel_id}`)).body
  expect(unread).toMatchObject({ newest_id: last[0]?.id, mention_count: 1 })
})

test('a call rings on devices at once, and stops with the call', async () => {
  const [alice, bob, carol] = (await passersBy(parley, 'Alice', 'bob', 'carol')) as [Person, Person, Person]
  const channel_id = await group(alice, bob, carol)
  const [phone, silent] = [await subscribe(service, bob), await subscribe(service, carol)]
  await carol.put(`/api/notifications/channels/${channel_id}`, { level: 'nothing' })
  const call = await inVoice(alice, channel_id)
  await until(() => phone.taken.length === 1)
  const [rung] = phone.taken
  expect(rung?.message).toMatchObject({ kind: 'call', author: 'Alice', is_call: true, path: `/c/${channel_id}` })
  expect(Number(rung?.headers.get('ttl'))).toBeLessThanOrEqual(60)
  await call.gateway.command('voice.leave')
  await until(() => phone.taken.at(-1)?.message.kind === 'over')
  call.gateway.close()
  await settled(parley)
  expect(silent.taken.filter(({ message }) => message.kind === 'call')).toEqual([])
})

test('two processes send each notice once', async () => {
  const beside = await boot({ PUSH_ALLOWED_ADDRESSES: '127.0.0.1' }, parley)
  const [bob, ...others] = await passersBy(parley, 'bob', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
  const phone = await subscribe(service, bob as Person)
  for (const other of others) {
    await befriend(other, bob as Person)
    await write(other, bob as Person, `From ${other.id}`)
  }
  await until(async () => {
    await hurry(parley)
    await Promise.all([parley.sweep(), beside.sweep()])
    return phone.taken.length >= others.length
  })
  await settled(parley)
  await stop(beside)
  expect(phone.texts().toSorted()).toEqual(others.map(({ id }) => `From ${id}`).toSorted())
})

test('the notice of a poll has its question and answers', async () => {
  const [alice, bob] = (await passersBy(parley, 'Alice', 'Bob')) as [Person, Person]
  await befriend(alice, bob)
  const phone = await subscribe(service, bob)
  const poll = { question: 'Which day?', answers: [{ text: 'Saturday', emoji: '🥾' }, { text: 'Sunday' }] }
  await write(alice, bob, '', { poll })
  await settled(parley)
  expect(phone.texts()).toEqual(['Which day? 🥾 Saturday Sunday'])
})
