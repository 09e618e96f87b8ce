import { expect, test } from 'bun:test'
import { SDP_BYTES_MAX, VOICE_FRAME_BYTES_MAX } from '../../src/voice/model.ts'
import { boot, type Person, person, newServer, standard, stop, until } from '../support/harness.ts'
import { connect } from '../support/socket.ts'
import { inVoice, joinVoice, MIC, presentIn, refusedWith, voiceChannel, voiceServer } from '../support/voice-people.ts'

const parley = await standard()
const people = (...names: string[]) => Promise.all(names.map((name) => person(parley, name)))
const CANDIDATE = { candidate: 'candidate:1 1 udp 1 192.0.2.1 9 typ host', sdpMid: '0', sdpMLineIndex: 0 }

test('a member who joins receives the peers, and they receive the newcomer', async () => {
  const [alice, bob] = await people('alice', 'bob')
  const { channel_id, server_id } = await voiceServer(alice!, bob!)
  const first = await inVoice(alice!, channel_id)
  const { ice_servers } = (await first.gateway.command('voice.ice_servers')).d
  expect(ice_servers).toEqual(first.seat.ice_servers)
  expect(first.seat).toMatchObject({ channel_id, epoch: 1, route: 'p2p', relay_only: false, peers: [] })
  const second = await inVoice(bob!, channel_id, { self_mute: true })
  const unseen = { server_deaf: false, sharing_screen: false, camera: false, camera_stopped: false }
  const initialState = { self_deaf: false, silenced: false, ...unseen, reconnecting: false }
  const user = (await alice!.get('/api/auth/me')).body
  expect(second.seat.peers).toEqual([
    {
      voice_session_id: first.id,
      user: { id: alice!.id, display_name: user.display_name, avatar_file_id: null, kind: 'person' },
      self_mute: false,
      ...initialState,
    },
  ])
  const joined = await first.gateway.next('voice.peer_joined')
  expect(joined.d).toMatchObject({ voice_session_id: second.id, self_mute: true, ...initialState })
  const [state] = (await alice!.get(`/api/channels/${channel_id}/voice-states`)).body
  expect(state).toMatchObject({ user: { id: alice!.id }, server_id, channel_id, server_mute: false })
  expect(await presentIn(bob!, channel_id)).toEqual([alice!.id, bob!.id])
  second.gateway.close()
  first.gateway.close()
})

test('members who see the channel receive joins, changes and leaves; ready lists the members present', async () => {
  const [alice, bob, mallory] = await people('alice', 'bob', 'mallory')
  const { channel_id } = await voiceServer(alice!, bob!)
  const [watcher, stranger] = await Promise.all([connect(bob!), connect(mallory!)])
  const caller = await inVoice(alice!, channel_id)
  const state = (passes: (d: any) => boolean) => watcher.next('voice.state_updated', ({ d }) => passes(d))
  await state((d) => d.channel_id === channel_id && d.user.id === alice!.id)
  expect((await connect(bob!)).frames[0]?.d.voice_states).toMatchObject([{ channel_id, user: { id: alice!.id } }])
  expect((await connect(mallory!)).frames[0]?.d.voice_states).toEqual([])
  await caller.gateway.command('voice.update', { self_deaf: true, sharing_screen: true })
  await state((d) => d.self_deaf && d.sharing_screen)
  await alice!.put('/api/auth/display-name', { display_name: 'Otter' })
  await state((d) => d.user.display_name === 'Otter')
  await caller.gateway.command('voice.leave')
  await state((d) => d.channel_id === null && d.user.id === alice!.id)
  expect(await presentIn(bob!, channel_id)).toEqual([])
  expect(await refusedWith(caller.gateway, 'voice.leave', {})).toBe('not_found')
  await stranger.settled()
  expect(stranger.of('voice.state_updated')).toEqual([])
  for (const live of [watcher, stranger, caller.gateway]) live.close()
})

test('joining another channel leaves the first, and joining from another device takes over', async () => {
  const [alice, bob] = await people('alice', 'bob')
  const { server_id, channel_id } = await voiceServer(alice!, bob!)
  const elsewhere = await voiceChannel(alice!, server_id, 'dusk')
  const [peer, phone] = [await inVoice(bob!, channel_id), await inVoice(alice!, channel_id)]
  await joinVoice(phone.gateway, elsewhere)
  expect((await peer.gateway.next('voice.peer_left')).d).toEqual({ voice_session_id: phone.id })
  expect(await presentIn(bob!, channel_id)).toEqual([bob!.id])
  const laptop = await inVoice(alice!, elsewhere)
  expect((await phone.gateway.next('voice.disconnected')).d.reason).toBe('taken_over')
  expect(await refusedWith(phone.gateway, 'voice.update', { self_mute: true })).toBe('not_found')
  expect(await presentIn(bob!, elsewhere)).toEqual([alice!.id])
  phone.gateway.close()
  await laptop.gateway.settled()
  expect(await presentIn(bob!, elsewhere)).toEqual([alice!.id])
  for (const { gateway } of [peer, laptop]) gateway.close()
})

test('descriptions and candidates reach the peer in `to`, and nobody else', async () => {
  const [alice, bob, carol] = await people('alice', 'bob', 'carol')
  const { channel_id } = await voiceServer(alice!, bob!, carol!)
  const [a, b, c] = [
    await inVoice(alice!, channel_id),
    await inVoice(bob!, channel_id),
    await inVoice(carol!, channel_id),
  ]
  const description = { type: 'offer', sdp: 'v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n' }
  expect(await a.gateway.command('voice.description', { to: b.id, epoch: 1, description })).toMatchObject({ d: {} })
  expect((await b.gateway.next('voice.description')).d).toEqual({ from: a.id, epoch: 1, description })
  await b.gateway.command('voice.candidate', { to: a.id, epoch: 1, candidate: CANDIDATE })
  await b.gateway.command('voice.candidate', { to: a.id, epoch: 1, candidate: null })
  await a.gateway.next('voice.candidate', ({ d }) => d.candidate === null)
  expect(a.gateway.of('voice.candidate').map(({ d }) => d.candidate)).toEqual([CANDIDATE, null])
  const report = { state: 'connected', pair_type: 'host', rtt_ms: 1.5, audio_packets: 50 }
  expect((await a.gateway.command('voice.report', { to: b.id, epoch: 1, ...report })).d).toEqual({})
  await c.gateway.settled()
  expect([...c.gateway.of('voice.description'), ...c.gateway.of('voice.candidate')]).toEqual([])
  for (const { gateway } of [a, b, c]) gateway.close()
})

test('signalling of another epoch is dropped', async () => {
  const [alice, bob] = await people('alice', 'bob')
  const { channel_id } = await voiceServer(alice!, bob!)
  const [a, b] = [await inVoice(alice!, channel_id), await inVoice(bob!, channel_id)]
  const description = { type: 'offer', sdp: 'v=0\r\n' }
  await a.gateway.command('voice.description', { to: b.id, epoch: 2, description })
  await a.gateway.command('voice.candidate', { to: b.id, epoch: 7, candidate: CANDIDATE })
  await a.gateway.command('voice.candidate', { to: b.id, epoch: 1, candidate: null })
  await b.gateway.next('voice.candidate')
  expect(b.gateway.of('voice.candidate').map(({ d }) => d.candidate)).toEqual([null])
  expect(b.gateway.of('voice.description')).toEqual([])
  for (const { gateway } of [a, b]) gateway.close()
})

test('a stranger cannot signal into a room, nor a member to itself', async () => {
  const [alice, bob, mallory] = await people('alice', 'bob', 'mallory')
  const { channel_id } = await voiceServer(alice!, bob!)
  const { channel_id: own } = await voiceServer(mallory!)
  const [a, b, m] = [await inVoice(alice!, channel_id), await inVoice(bob!, channel_id), await inVoice(mallory!, own)]
  const idle = await connect(mallory!)
  const signalsTo = (to: string) =>
    [
      ['voice.description', { to, epoch: 1, description: { type: 'offer', sdp: 'v=0' } }],
      ['voice.candidate', { to, epoch: 1, candidate: null }],
      ['voice.report', { to, epoch: 1, state: 'failed', pair_type: 'host', rtt_ms: null, audio_packets: 0 }],
    ] as const
  for (const [op, d] of signalsTo(a.id)) {
    expect([op, await refusedWith(m.gateway, op, d)]).toEqual([op, 'not_found'])
    expect([op, await refusedWith(idle, op, d)]).toEqual([op, 'not_found'])
  }
  for (const [op, d] of signalsTo(b.id)) expect([op, await refusedWith(b.gateway, op, d)]).toEqual([op, 'not_found'])
  expect(await refusedWith(idle, 'voice.resume', { voice_session_id: a.id, epoch: 1 })).toBe('not_found')
  expect(await refusedWith(idle, 'voice.join', { channel_id, ...MIC })).toBe('not_found')
  expect(await refusedWith(idle, 'voice.ice_servers', {})).toBe('not_found')
  expect((await mallory!.get(`/api/channels/${channel_id}/voice-states`)).status).toBe(404)
  await a.gateway.settled()
  expect(a.gateway.frames.filter(({ t }) => t.startsWith('voice.')).map(({ t }) => t)).toEqual([
    'voice.state_updated',
    'voice.peer_joined',
    'voice.state_updated',
  ])
  for (const { gateway } of [a, b, m]) gateway.close()
  idle.close()
})

test('a text channel cannot be joined, and has no voice states', async () => {
  const [alice] = await people('alice')
  const { channel_id } = await newServer(alice!)
  const live = await connect(alice!)
  expect(await refusedWith(live, 'voice.join', { channel_id, ...MIC })).toBe('validation_failed')
  expect(await refusedWith(live, 'voice.join', { channel_id: 999_999, ...MIC })).toBe('not_found')
  expect(await presentIn(alice!, channel_id)).toEqual([])
  live.close()
})

test('a description of 48 KiB passes; a longer one and other long frames do not', async () => {
  const [alice, bob] = await people('alice', 'bob')
  const { channel_id } = await voiceServer(alice!, bob!)
  const [a, b] = [await inVoice(alice!, channel_id), await inVoice(bob!, channel_id)]
  const describe = (bytes: number) => ({ to: b.id, epoch: 1, description: { type: 'offer', sdp: 'v'.repeat(bytes) } })
  await a.gateway.command('voice.description', describe(SDP_BYTES_MAX))
  expect((await b.gateway.next('voice.description')).d.description.sdp).toHaveLength(SDP_BYTES_MAX)
  expect(await refusedWith(a.gateway, 'voice.description', describe(SDP_BYTES_MAX + 1))).toBe('validation_failed')
  const candidate = { candidate: 'c'.repeat(2049) }
  expect(await refusedWith(a.gateway, 'voice.candidate', { to: b.id, epoch: 1, candidate })).toBe('validation_failed')
  const padded = { to: b.id, epoch: 1, candidate: null, pad: 'x'.repeat(4096) }
  a.gateway.socket.send(JSON.stringify({ op: 'voice.candidate', id: 90, d: padded }))
  expect(await a.gateway.closed).toMatchObject({ code: 1009 })
  b.gateway.socket.send(JSON.stringify({ op: 'voice.description', id: 90, d: 'x'.repeat(VOICE_FRAME_BYTES_MAX) }))
  expect(await b.gateway.closed).toMatchObject({ code: 1009 })
})

test('voice has its own budget: 1,200 commands a minute in addition to the 120 others', async () => {
  const [mallory] = await people('mallory')
  const live = await connect(mallory!)
  for (let n = 0; n < 1000; n++) live.socket.send('{"op":"voice.leave"}')
  await live.settled()
  // Twice as many, since a new minute may begin in between.
  for (let n = 0; n < 1402; n++) live.socket.send('{"op":"voice.leave"}')
  expect(await live.closed).toMatchObject({ code: 4009 })
})

test('peers of a relay_only member receive only its relayed candidates', async () => {
  const own = await boot({ VOICE_RELAY_ONLY: 'on' })
  const [alice, bob] = [await person(own, 'alice'), await person(own, 'bob')]
  const { channel_id } = await voiceServer(alice, bob)
  const [a, b] = [await inVoice(alice, channel_id), await inVoice(bob, channel_id)]
  expect(a.seat.relay_only).toBe(true)
  const relay = 'candidate:3 1 udp 1 203.0.113.1 21000 typ relay raddr 198.51.100.2 rport 5'
  const description = { type: 'offer', sdp: `v=0\r\na=${CANDIDATE.candidate}\r\na=${relay}\r\n` }
  await a.gateway.command('voice.description', { to: b.id, epoch: 1, description })
  for (const candidate of [CANDIDATE, { ...CANDIDATE, candidate: relay }, null])
    await a.gateway.command('voice.candidate', { to: b.id, epoch: 1, candidate })
  await b.gateway.next('voice.candidate', ({ d }) => d.candidate === null)
  const seen = JSON.stringify(b.gateway.frames)
  expect(seen).toContain('203.0.113.1 21000 typ relay raddr 0.0.0.0 rport 9')
  expect(seen).not.toMatch(/192\.0\.2\.1|198\.51\.100\.2/)
  expect(b.gateway.of('voice.candidate')).toHaveLength(2)
  await stop(own)
})

test('a full room refuses the next member, and a seat that was left can be taken', async () => {
  const own = await boot({ VOICE_ROOM_PEERS_MAX: '2' })
  const [alice, bob, carol] = [await person(own, 'alice'), await person(own, 'bob'), await person(own, 'carol')]
  const { channel_id } = await voiceServer(alice, bob, carol)
  const [a] = [await inVoice(alice, channel_id), await inVoice(bob, channel_id)]
  const third = await connect(carol)
  expect(await refusedWith(third, 'voice.join', { channel_id, ...MIC })).toBe('voice_room_full')
  // A member's own seat does not count against it.
  await joinVoice(a.gateway, channel_id)
  await a.gateway.command('voice.leave')
  await joinVoice(third, channel_id)
  expect(await presentIn(alice, channel_id)).toEqual([bob.id, carol.id])
  await stop(own)
})

test('a channel takes as many people as its limit, not counting those who move members or are moved', async () => {
  const [alice, bob, carol, dave] = (await people('alice', 'bob', 'carol', 'dave')) as [Person, Person, Person, Person]
  const { channel_id, server_id } = await voiceServer(alice, bob, carol, dave)
  const other = await voiceChannel(alice, server_id, 'dusk')
  const limit = async (id: number, user_limit: unknown) => {
    const { status, body } = await alice.put(`/api/channels/${id}`, { user_limit })
    return status === 200 ? body.user_limit : body.code
  }
  expect([await limit(channel_id, 0), await limit(channel_id, 100)]).toEqual(Array(2).fill('validation_failed'))
  expect([await limit(channel_id, 1), await limit(other, 1)]).toEqual([1, 1])
  const text = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'notes', type: 'text' })).body
  expect([await limit(text.id, 1), 'user_limit' in text]).toEqual(['validation_failed', false])
  const draft = { name: 'narrow', type: 'voice', user_limit: 2, bitrate: 8_000 }
  expect((await alice.post(`/api/servers/${server_id}/channels`, draft)).body).toMatchObject(draft)
  const first = await inVoice(bob, channel_id)
  const third = await connect(carol)
  expect(await refusedWith(third, 'voice.join', { channel_id, ...MIC })).toBe('voice_room_full')
  // The owner may move members, and moves the guest too.
  const owner = await inVoice(alice, channel_id)
  await joinVoice(first.gateway, channel_id)
  const guest = await inVoice(dave, other)
  const move = { server_id, user_id: dave.id, channel_id }
  expect((await owner.gateway.command('voice.move_member', move)).error).toBeUndefined()
  await guest.gateway.next('voice.moved')
  expect((await presentIn(alice, channel_id)).toSorted()).toEqual([alice.id, bob.id, dave.id].toSorted())
  // A lower limit puts nobody out, and a higher one lets people in.
  expect(await refusedWith(third, 'voice.join', { channel_id, ...MIC })).toBe('voice_room_full')
  expect(await limit(channel_id, null)).toBeNull()
  await joinVoice(third, channel_id)
  for (const { gateway } of [first, owner, guest, { gateway: third }]) gateway.close()
})

test('people who join at the same time from two devices each have one seat', async () => {
  const crowd = await people('alice', 'bob', 'carol', 'dave')
  const { channel_id } = await voiceServer(crowd[0]!, ...crowd.slice(1))
  const sockets = await Promise.all([...crowd, ...crowd].map((who) => connect(who)))
  await Promise.all(sockets.map((live) => live.command('voice.join', { channel_id, ...MIC })))
  expect((await presentIn(crowd[0]!, channel_id)).toSorted()).toEqual(crowd.map(({ id }) => id).toSorted())
  for (const live of sockets) live.close()
  await until(async () => {
    const { body } = await crowd[0]!.get(`/api/channels/${channel_id}/voice-states`)
    return body.length === 4 && body.every((state: { reconnecting: boolean }) => state.reconnecting)
  })
})

test('quick mutes and unmutes are announced a few times, the last time with the final state', async () => {
  const [alice, bob] = await people('alice', 'bob')
  const { channel_id } = await voiceServer(alice!, bob!)
  const [watcher, caller] = [await connect(bob!), await inVoice(alice!, channel_id)]
  const began = performance.now()
  for (let n = 0; n < 200; n++) await caller.gateway.command('voice.update', { self_mute: n % 2 === 0 })
  await caller.gateway.command('voice.update', { self_mute: true })
  await Bun.sleep(600)
  await until(() => watcher.of('voice.state_updated').at(-1)?.d.self_mute)
  // Twice a second, after the one for joining.
  expect(watcher.of('voice.state_updated').length).toBeLessThan(4 + (performance.now() - began) / 500)
  for (const live of [watcher, caller.gateway]) live.close()
})
