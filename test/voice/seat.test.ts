import { expect, setSystemTime, test } from 'bun:test'
import { boot, person, standard, stop, until } from '../support/harness.ts'
import { RawSocket } from '../support/raw-socket.ts'
import { connect } from '../support/socket.ts'
import { inVoice, joinVoice, MIC, presentIn, refusedWith, voiceServer } from '../support/voice-people.ts'

const parley = await standard()

test('a seat outlives its socket, others see it reconnecting, and signalling sent meanwhile follows', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { channel_id } = await voiceServer(alice, bob)
  const [a, b] = [await inVoice(alice, channel_id), await inVoice(bob, channel_id)]
  b.gateway.close()
  await a.gateway.next('voice.peer_updated', ({ d }) => d.voice_session_id === b.id && d.reconnecting)
  expect(await presentIn(alice, channel_id)).toEqual([alice.id, bob.id])
  for (const candidate of ['one', 'two', 'three'])
    await a.gateway.command('voice.candidate', { to: b.id, epoch: 1, candidate: { candidate } })
  const again = await connect(bob)
  expect(again.frames[0]?.d.voice_states.map((state: { reconnecting: boolean }) => state.reconnecting)).toEqual([
    false,
    true,
  ])
  const resumed = (await again.command('voice.resume', { voice_session_id: b.id, epoch: 1 })).d
  expect(resumed).toMatchObject({ voice_session_id: b.id, epoch: 1, peers: [{ voice_session_id: a.id }] })
  await again.next('voice.candidate', ({ d }) => d.candidate.candidate === 'three')
  expect(again.of('voice.candidate').map(({ d }) => d.candidate.candidate)).toEqual(['one', 'two', 'three'])
  await a.gateway.next('voice.peer_updated', ({ d }) => d.voice_session_id === b.id && !d.reconnecting)
  await a.gateway.command('voice.candidate', { to: b.id, epoch: 1, candidate: null })
  await again.next('voice.candidate', ({ d }) => d.candidate === null)
  expect(a.gateway.of('voice.peer_left')).toEqual([])
  for (const live of [a.gateway, again]) live.close()
})

test('signalling for a seat without a socket is queued up to a bound', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { channel_id } = await voiceServer(alice, bob)
  const [a, b] = [await inVoice(alice, channel_id), await inVoice(bob, channel_id)]
  b.gateway.close()
  await a.gateway.next('voice.peer_updated', ({ d }) => d.reconnecting)
  const description = { type: 'offer', sdp: 'v'.repeat(48_000) }
  for (let n = 0; n < 20; n++) await a.gateway.command('voice.description', { to: b.id, epoch: 1, description })
  const again = await connect(bob)
  await again.command('voice.resume', { voice_session_id: b.id, epoch: 1 })
  await again.settled()
  expect(again.of('voice.description')).toHaveLength(5)
  for (const live of [a.gateway, again]) live.close()
})

test('only its account can resume a seat, from any device, and only before the seat ends', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { channel_id } = await voiceServer(alice, bob)
  const [a, b] = [await inVoice(alice, channel_id), await inVoice(bob, channel_id)]
  const resume = { voice_session_id: b.id, epoch: 1 }
  expect(await refusedWith(a.gateway, 'voice.resume', resume)).toBe('not_found')
  const tablet = await connect(bob)
  expect((await tablet.command('voice.resume', resume)).d.voice_session_id).toBe(b.id)
  expect((await b.gateway.next('voice.disconnected')).d.reason).toBe('taken_over')
  expect(await refusedWith(b.gateway, 'voice.update', { self_mute: true })).toBe('not_found')
  b.gateway.close()
  await tablet.command('voice.leave')
  expect(await refusedWith(tablet, 'voice.resume', resume)).toBe('not_found')
  for (const live of [a.gateway, tablet]) live.close()
})

test('a seat that nobody resumes ends after 30 s', async () => {
  const own = await boot()
  const [alice, bob] = [await person(own, 'alice'), await person(own, 'bob')]
  const { channel_id } = await voiceServer(alice, bob)
  const b = await inVoice(bob, channel_id)
  b.gateway.close()
  await until(async () => (await alice.get(`/api/channels/${channel_id}/voice-states`)).body[0]?.reconnecting)
  const now = Date.now()
  try {
    setSystemTime(new Date(now + 28_000))
    await Bun.sleep(1200)
    expect(await presentIn(alice, channel_id)).toEqual([bob.id])
    setSystemTime(new Date(now + 31_000))
    await until(async () => (await presentIn(alice, channel_id)).length === 0)
    setSystemTime()
    const again = await connect(bob)
    expect(await refusedWith(again, 'voice.resume', { voice_session_id: b.id, epoch: 1 })).toBe('not_found')
  } finally {
    setSystemTime()
    await stop(own)
  }
})

// Concurrent: each waits for the heartbeat of its own sockets.
test.concurrent('others see a socket that falls silent reconnecting within seconds', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { channel_id } = await voiceServer(alice, bob)
  const a = await inVoice(alice, channel_id)
  // This socket answers no ping.
  const mute = new RawSocket(parley, `token=${bob.token}`)
  await mute.next('synced')
  const d = { channel_id, self_mute: false, self_deaf: false }
  mute.send(1, JSON.stringify({ op: 'voice.join', id: 1, d }))
  await a.gateway.next('voice.peer_joined')
  await a.gateway.next('voice.peer_updated', ({ d: peer }) => peer.reconnecting)
  mute.send(1, '{"op":"ping"}')
  await a.gateway.next('voice.peer_updated', ({ d: peer }) => !peer.reconnecting)
  await joinVoice(a.gateway, channel_id)
  expect(mute.hasEnded).toBe(false)
  mute.destroy()
  a.gateway.close()
})

test.concurrent(
  'a machine that falls asleep leaves the call although its socket is open, unless its media arrive',
  async () => {
    const [alice, bob, carol] = [
      await person(parley, 'alice'),
      await person(parley, 'bob'),
      await person(parley, 'carol'),
    ]
    const { channel_id } = await voiceServer(alice, bob, carol)
    const a = await inVoice(alice, channel_id)
    const sleepers = new Map<number, RawSocket>()
    for (const { id, token } of [bob, carol]) {
      // These sockets answer no ping, like those of a sleeping machine, but nothing closes them.
      const socket = new RawSocket(parley, `token=${token}`)
      await socket.next('synced')
      socket.send(1, JSON.stringify({ op: 'voice.join', id: 1, d: { channel_id, ...MIC } }))
      sleepers.set(id, socket)
      await a.gateway.next('voice.peer_joined', ({ d }) => d.user.id === id)
    }
    const [seatOfBob, seatOfCarol] = a.gateway.of('voice.peer_joined').map(({ d }) => d.voice_session_id)
    let audioPackets = 0
    // Alice's browser still hears carol.
    const hears = setInterval(() => {
      const report = { state: 'connected', pair_type: 'host', rtt_ms: 1, audio_packets: ++audioPackets }
      void a.gateway.command('voice.report', { to: seatOfCarol, epoch: 1, ...report })
    }, 500)
    const nextLeave = (id: string) => a.gateway.next('voice.peer_left', ({ d }) => d.voice_session_id === id)
    await nextLeave(seatOfBob)
    expect(await presentIn(alice, channel_id)).toEqual([alice.id, carol.id])
    expect(sleepers.get(bob.id)?.hasEnded).toBe(false)
    // The queued events when it wakes up.
    await sleepers.get(bob.id)?.next('voice.disconnected')
    const disconnection = sleepers.get(bob.id)?.frames.find(({ payload }) => payload.includes('"voice.disconnected"'))
    expect(JSON.parse(disconnection?.payload ?? '').d).toEqual({ voice_session_id: seatOfBob, reason: 'rejoin' })
    clearInterval(hears)
    await nextLeave(seatOfCarol)
    expect(sleepers.get(carol.id)?.hasEnded).toBe(false)
    for (const socket of sleepers.values()) socket.destroy()
    a.gateway.close()
  },
)
