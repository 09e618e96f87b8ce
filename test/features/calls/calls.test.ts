import { expect, test } from 'bun:test'
import type { Transaction } from '../../../src/database/database.ts'
import { type Person, say, standard, until } from '../../support/harness.ts'
import { befriend, deleteAccountOf, group, passersBy, peopleWithPassword } from '../../support/people.ts'
import { race } from '../../support/races.ts'
import { goOffline, replayed, resume } from '../../support/resuming.ts'
import { connect, type Gateway } from '../../support/socket.ts'
import { inVoice, joinVoice, MIC, presentIn, refusedWith } from '../../support/voice-people.ts'

const parley = await standard()
const { sql } = parley.parts

const closeAll = (...live: Gateway[]) => live.forEach((one) => one.close())
const openDm = async (alice: Person, bob: Person): Promise<number> =>
  (await alice.post('/api/channels/direct', { recipient_ids: [bob.id] })).body.id
/** The dm of two new friends, without messages. */
async function dmOf(alice: Person, bob: Person): Promise<number> {
  await befriend(alice, bob)
  return openDm(alice, bob)
}
const ringOn = (live: Gateway, channel_id: number) => live.next('call.ringing', ({ d }) => d.channel_id === channel_id)
const decline = (who: Person, channel_id: number) => who.post(`/api/channels/${channel_id}/call/decline`)
/** The notices of calls in a conversation, newest first, once there is one more than `before`. */
async function callsIn(who: Person, channel_id: number, before = 0) {
  const calls = async () =>
    (await who.get(`/api/channels/${channel_id}/messages`)).body.filter((row: any) => row.kind === 'call')
  await until(async () => (await calls()).length > before)
  return calls()
}

const isOver = async (channel_id: number) =>
  (await sql`select 1 from calls where channel_id = ${channel_id} and ended_at is null`).length === 0

test('the first to join a dm rings all sockets of the other, who answers on one; a message remains', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const channel_id = await dmOf(alice, bob)
  const [phone, desk] = [await connect(bob), await connect(bob)]
  const a = await inVoice(alice, channel_id)
  for (const live of [phone, desk]) expect((await ringOn(live, channel_id)).d).toMatchObject({ by: alice.id })
  await phone.next('voice.state_updated', ({ d }) => d.user.id === alice.id && d.server_id === null)
  expect((await bob.get(`/api/channels/${channel_id}`)).status).toBe(200)
  // A socket that connects while it rings receives the call.
  const tablet = await connect(bob)
  const [ready] = tablet.of('ready')
  expect(ready?.d.ringing).toMatchObject([{ channel_id, by: alice.id }])
  expect(ready?.d.voice_states).toMatchObject([{ channel_id, server_id: null, user: { id: alice.id } }])

  const seat = await joinVoice(phone, channel_id)
  expect([seat.relay_only, seat.peers.map(({ user }) => user.id)]).toEqual([false, [alice.id]])
  for (const live of [phone, desk, tablet])
    expect((await live.next('call.ended')).d).toEqual({ channel_id, reason: 'answered' })
  expect(await presentIn(bob, channel_id)).toEqual([alice.id, bob.id])
  await a.gateway.command('voice.leave')
  await phone.command('voice.leave')
  const [call] = await callsIn(bob, channel_id)
  expect([call.author.id, call.content, call.data.missed]).toEqual([alice.id, '', false])
  expect(call.data.participant_ids).toEqual([alice.id, bob.id])
  expect(Date.parse(call.data.ended_at)).toBeGreaterThanOrEqual(Date.parse(call.data.started_at))
  expect((await bob.get('/api/dm/conversations')).body).toMatchObject([{ unread_count: 0 }])
  expect(a.gateway.of('call.ringing')).toEqual([])
  closeAll(a.gateway, phone, desk, tablet)
})

test('a call that nobody answers is missed; within 30 s another neither rings nor leaves a message', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const channel_id = await dmOf(alice, bob)
  const [his, a] = [await connect(bob), await inVoice(alice, channel_id)]
  await ringOn(his, channel_id)
  await a.gateway.command('voice.leave')
  expect((await his.next('call.ended')).d.reason).toBe('over')
  expect((await callsIn(bob, channel_id))[0].data).toMatchObject({ missed: true, participant_ids: [alice.id] })
  await joinVoice(a.gateway, channel_id)
  await a.gateway.command('voice.leave')
  await until(() => isOver(channel_id))
  expect(his.of('call.ringing').length).toBe(1)
  expect((await callsIn(bob, channel_id)).length).toBe(1)
  await sql`update calls set rung_at = rung_at - interval '31 seconds' where channel_id = ${channel_id}`
  await joinVoice(a.gateway, channel_id)
  await until(() => his.of('call.ringing').length === 2)
  closeAll(his, a.gateway)
})

test('after a minute a call stops ringing, and the caller stays in it', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const channel_id = await dmOf(alice, bob)
  const [his, a] = [await connect(bob), await inVoice(alice, channel_id)]
  await ringOn(his, channel_id)
  await sql`update call_rings set until = now() where channel_id = ${channel_id}`
  await parley.sweep()
  expect((await his.next('call.ended')).d).toEqual({ channel_id, reason: 'unanswered' })
  expect(await presentIn(bob, channel_id)).toEqual([alice.id])
  const late = await connect(bob)
  expect(late.of('ready')[0]?.d.ringing).toEqual([])
  closeAll(his, late, a.gateway)
})

test('a person who declines stops ringing on every device, notifies the others, and can still join', async () => {
  const [alice, bob, carol] = await passersBy(parley, 'alice', 'bob', 'carol')
  const channel_id = await group(alice, bob, carol)
  const lives = [await connect(bob), await connect(bob), await connect(carol)] as const
  const [phone, desk, hers] = lives
  const a = await inVoice(alice, channel_id)
  for (const live of lives) await ringOn(live, channel_id)
  expect((await decline(bob, channel_id)).status).toBe(204)
  for (const live of [phone, desk, hers, a.gateway])
    expect((await live.next('call.declined')).d).toEqual({ channel_id, user_id: bob.id })
  expect((await decline(bob, channel_id)).status).toBe(204)
  expect(hers.of('call.ended')).toEqual([])
  const late = await connect(bob)
  expect(late.of('ready')[0]?.d.ringing).toEqual([])
  await joinVoice(phone, channel_id)
  await phone.settled()
  expect(a.gateway.of('call.declined').length).toBe(1)
  closeAll(...lives, late, a.gateway)
})

test('a stranger, a former participant, a blocked person and one who may not write are refused', async () => {
  const [alice, bob, mallory] = await passersBy(parley, 'alice', 'bob', 'mallory')
  const party = await group(alice, bob, mallory)
  const channel_id = await openDm(alice, bob)
  await mallory.delete(`/api/channels/${party}/recipients/${mallory.id}`)
  const [his, hers, evil] = [await connect(bob), await connect(alice), await connect(mallory)]
  const join = (live: Gateway, id: number) => refusedWith(live, 'voice.join', { channel_id: id, ...MIC })
  expect([await join(evil, channel_id), await join(evil, party)]).toEqual(['not_found', 'not_found'])
  for (const id of [channel_id, party]) expect((await decline(mallory, id)).status).toBe(404)
  await say(alice, channel_id, 'Hello')
  await bob.post(`/api/friends/${alice.id}/block`)
  expect([await join(hers, channel_id), await join(his, channel_id)]).toEqual(['cannot_contact', 'cannot_contact'])
  await bob.post(`/api/friends/${alice.id}/unblock`)
  await alice.put('/api/auth/privacy', { dms_from: 'everyone' })
  await bob.put('/api/auth/privacy', { dms_from: 'friends' })
  expect(await join(hers, channel_id)).toBe('cannot_contact')
  expect([his.of('call.ringing'), await presentIn(bob, channel_id)]).toEqual([[], []])
  expect(await sql`select 1 from calls where channel_id = ${channel_id}`).toEqual([] as never)
  // A person who may write to the other may call; the called person may answer.
  await joinVoice(his, channel_id)
  await ringOn(hers, channel_id)
  expect((await joinVoice(hers, channel_id)).relay_only).toBe(true)
  closeAll(his, hers, evil)
})

test('in a group, pairs with a block do not ring each other, and both may join', async () => {
  const [alice, bob, carol] = await passersBy(parley, 'alice', 'bob', 'carol')
  const channel_id = await group(alice, bob, carol)
  await bob.post(`/api/friends/${alice.id}/block`)
  const [his, hers, a] = [await connect(bob), await connect(carol), await inVoice(alice, channel_id)]
  await ringOn(hers, channel_id)
  await his.next('voice.state_updated', ({ d }) => d.channel_id === channel_id)
  expect(his.of('call.ringing')).toEqual([])
  expect((await joinVoice(his, channel_id)).peers.length).toBe(1)
  closeAll(his, hers, a.gateway)
})

test('a block ends the call in the dm and any ringing between the two, but not a call in a group', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const party = await group(alice, bob, ...(await passersBy(parley, 'carol')))
  const channel_id = await openDm(alice, bob)
  const [his, a] = [await connect(bob), await inVoice(alice, party)]
  await ringOn(his, party)
  await bob.post(`/api/friends/${alice.id}/block`)
  expect((await his.next('call.ended')).d).toEqual({ channel_id: party, reason: 'over' })
  expect(await presentIn(bob, party)).toEqual([alice.id])
  await bob.post(`/api/friends/${alice.id}/unblock`)
  await befriend(alice, bob)

  await joinVoice(a.gateway, channel_id)
  await joinVoice(his, channel_id)
  await alice.post(`/api/friends/${bob.id}/block`)
  for (const live of [his, a.gateway]) expect((await live.next('voice.disconnected')).d.reason).toBe('access')
  expect(await presentIn(bob, channel_id)).toEqual([])
  expect((await callsIn(bob, channel_id))[0].data.missed).toBe(false)
  closeAll(his, a.gateway)
})

test('a person who leaves or is removed from a group is out of its call and receives nothing more of it', async () => {
  const [alice, bob, carol, dave] = await passersBy(parley, 'alice', 'bob', 'carol', 'dave')
  const channel_id = await group(alice, bob, carol)
  const [a, b] = [await inVoice(alice, channel_id), await inVoice(bob, channel_id)]
  const hers = await connect(carol)
  expect(hers.of('ready')[0]?.d.ringing.length).toBe(1)
  await alice.delete(`/api/channels/${channel_id}/recipients/${bob.id}`)
  expect((await b.gateway.next('voice.disconnected')).d.reason).toBe('access')
  await carol.delete(`/api/channels/${channel_id}/recipients/${carol.id}`)
  expect(await sql`select 1 from call_rings where channel_id = ${channel_id}`).toEqual([] as never)
  expect(await presentIn(alice, channel_id)).toEqual([alice.id])
  const after = b.gateway.frames.length
  // A new socket receives the members of the call.
  const his = await connect(dave)
  await befriend(alice, dave)
  await alice.put(`/api/channels/${channel_id}/recipients/${dave.id}`)
  await his.next('voice.state_updated', ({ d }) => d.user.id === alice.id && d.channel_id === channel_id)
  await a.gateway.command('voice.update', { self_mute: true })
  await his.next('voice.state_updated', ({ d }) => d.self_mute)
  await b.gateway.settled()
  expect(b.gateway.frames.slice(after).filter(({ t }) => t !== 'presence.updated')).toEqual([])
  closeAll(a.gateway, b.gateway, hers, his)
})

test('a deleted account is out of its calls, which are missed by nobody', async () => {
  const [alice, bob] = await peopleWithPassword(parley, 'alice', 'bob')
  const channel_id = await dmOf(alice, bob)
  const [a, b] = [await inVoice(alice, channel_id), await inVoice(bob, channel_id)]
  expect((await deleteAccountOf(alice)).status).toBe(204)
  expect(await presentIn(bob, channel_id)).toEqual([bob.id])
  await b.gateway.command('voice.leave')
  const [call] = await callsIn(bob, channel_id)
  expect([call.author.display_name, call.data.missed]).toEqual(['Deleted user', false])
  closeAll(a.gateway, b.gateway)
})

test('people who are not all friends show each other no addresses', async () => {
  const [alice, bob, carol] = await passersBy(parley, 'alice', 'bob', 'carol')
  const channel_id = await group(alice, bob, carol)
  const [a, b] = [await inVoice(alice, channel_id), await inVoice(bob, channel_id)]
  // Bob and carol are no friends; alice is a friend of both.
  expect([a.seat.relay_only, b.seat.relay_only]).toEqual([false, true])
  closeAll(a.gateway, b.gateway)
})

test('a resumed client receives ringing calls, and ended ones', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const channel_id = await dmOf(alice, bob)
  await say(alice, channel_id, 'Hello')
  const s = await goOffline(bob)
  const a = await inVoice(alice, channel_id)
  const ringing = await resume(bob, s)
  await ringing.settled()
  expect(replayed(ringing).map(({ t }) => t)).toContain('call.ringing')
  await a.gateway.command('voice.leave')
  await callsIn(bob, channel_id)
  const later = await resume(bob, s)
  await later.settled()
  const types = replayed(later).map(({ t }) => t)
  expect([types.includes('call.ringing'), types.includes('call.ended')]).toEqual([false, true])
  closeAll(ringing, later, a.gateway)
})

test('two people who call each other at once are in one call, with one message', async () => {
  for (let round = 0; round < 5; round++) {
    const [alice, bob] = await passersBy(parley, 'alice', 'bob')
    const channel_id = await dmOf(alice, bob)
    await say(alice, channel_id, 'Hello')
    const lives = [await connect(alice), await connect(bob)]
    await Promise.all(lives.map((live) => joinVoice(live, channel_id)))
    expect((await presentIn(alice, channel_id)).length).toBe(2)
    await Promise.all(lives.map((live) => live.command('voice.leave')))
    expect((await callsIn(bob, channel_id)).map((row: any) => row.data.participant_ids.length)).toEqual([2])
    expect(await sql`select 1 from call_rings where channel_id = ${channel_id}`).toEqual([] as never)
    closeAll(...lives)
  }
})

test('in any order of joins and leaves, the call is over after the last leave, and nothing rings', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const channel_id = await dmOf(alice, bob)
  const lives = [await connect(alice), await connect(bob)]
  await Promise.all(
    lives.map(async (live) => {
      for (let n = 0; n < 8; n++) {
        await live.command('voice.join', { channel_id, ...MIC })
        if (n % 2) await live.command('voice.leave')
      }
      await live.command('voice.leave')
    }),
  )
  await until(() => isOver(channel_id))
  expect(await presentIn(alice, channel_id)).toEqual([])
  const live = await sql`select 1 from call_rings where channel_id = ${channel_id}`
  expect(live).toEqual([] as never)
  closeAll(...lives)
})

test('a call whose node is gone ends once, at its last sign of life', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const channel_id = await dmOf(alice, bob)
  await sql`
    insert into calls (channel_id, started_by, started_at, participant_ids, rung_at, alive_at)
    values (${channel_id}, ${alice.id}, now() - interval '5 minutes', ${[alice.id, bob.id]},
      now() - interval '5 minutes', now() - interval '1 minute')`
  await Promise.all([parley.sweep(), parley.sweep()])
  const calls = await callsIn(alice, channel_id)
  expect(calls.length).toBe(1)
  const minutes = (Date.parse(calls[0].data.ended_at) - Date.parse(calls[0].data.started_at)) / 60_000
  expect(Math.round(minutes)).toBe(4)
})

test('a call that ends while its node reports it stays ended; one wrongly taken for dead lives again', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const channel_id = await dmOf(alice, bob)
  const a = await inVoice(alice, channel_id)
  const isAlive = async () => !(await isOver(channel_id))
  await sql`update calls set ended_at = alive_at where channel_id = ${channel_id}`
  await until(isAlive)
  const end = (tx: Transaction) => tx`update calls set ended_at = now() where channel_id = ${channel_id}`
  await race(parley, end, [async () => {}])
  await until(async () => {
    const beats = await sql`select 1 from pg_stat_activity where query like '%update calls c set alive_at%'
      and state <> 'idle' and pid <> pg_backend_pid()`
    return beats.length === 0
  })
  expect(await isAlive()).toBe(false)
  closeAll(a.gateway)
})
