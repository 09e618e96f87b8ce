import { afterAll, describe, expect, test } from 'bun:test'
import type { Parley } from '../../../src/parley.ts'
import { bootCalls } from '../../support/browser/voice.ts'
import { boot, type Person, person, stop, until } from '../../support/harness.ts'
import { by, inCallBy, nodesOn } from '../../support/installation.ts'
import { WORKER_MS } from '../../support/media-worker.ts'
import { RawSocket } from '../../support/raw-socket.ts'
import { redisProgram, redisServer } from '../../support/redis.ts'
import { connect, type Gateway } from '../../support/socket.ts'
import { stopwatch } from '../../support/stopwatch.ts'
import { joinVoice, MIC, presentIn, refusedWith, voiceChannel, voiceServer } from '../../support/voice-people.ts'
import { done, receives, sends } from '../../support/voice-sfu-people.ts'

/** Well below the time that a seat without a socket lasts. */
const GONE_MS_MAX = 10_000

const closeAll = (...live: { gateway: Gateway }[]) => live.forEach(({ gateway }) => gateway.close())
const candidate = (to: string, text: string) => ({ to, epoch: 1, candidate: { candidate: text } })
/** Everything that arrives from now on, answers too, in order. */
function recorded(gateway: Gateway): any[] {
  const all: any[] = []
  gateway.socket.addEventListener('message', ({ data }) => all.push(JSON.parse(String(data))))
  return all
}

describe.if(redisProgram !== undefined)('calls over two nodes', async () => {
  const redis = await redisServer()
  const [one, two] = await nodesOn(redis)
  const people = async (...names: string[]) =>
    (await Promise.all(names.map((name) => person(one, name)))) as [Person, Person, Person]

  test('people on two nodes see each other, and their signalling arrives complete and in order', async () => {
    const [alice, bob] = await people('alice', 'bob')
    const { channel_id } = await voiceServer(alice, bob)
    const a = await inCallBy(one, alice, channel_id)
    const b = await inCallBy(two, bob, channel_id)
    expect(b.seat.peers.map((peer) => peer.voice_session_id)).toEqual([a.id])
    await a.gateway.next('voice.peer_joined', ({ d }) => d.voice_session_id === b.id)
    const texts = Array.from({ length: 200 }, (_, n) => `${n}`)
    await Promise.all([
      ...texts.map((text) => a.gateway.command('voice.candidate', candidate(b.id, text))),
      ...texts.map((text) => b.gateway.command('voice.candidate', candidate(a.id, text))),
    ])
    const candidatesOf = ({ gateway }: typeof a) => gateway.of('voice.candidate').map(({ d }) => d.candidate.candidate)
    await until(() => candidatesOf(a).length === 200 && candidatesOf(b).length === 200)
    expect([candidatesOf(a), candidatesOf(b)]).toEqual([texts, texts])
    const sdp = `v=0\r\n${'a=x\r\n'.repeat(9_000)}`
    const description = { type: 'offer', sdp }
    expect((await b.gateway.command('voice.description', { to: a.id, epoch: 1, description })).d).toEqual({})
    expect((await a.gateway.next('voice.description')).d).toEqual({ from: b.id, epoch: 1, description })
    expect(await refusedWith(b.gateway, 'voice.candidate', candidate('0'.repeat(32), 'x'))).toBe('not_found')
    expect((await b.gateway.command('voice.ice_servers')).d).toEqual({ ice_servers: [] })
    await b.gateway.command('voice.leave')
    expect((await a.gateway.next('voice.peer_left')).d).toEqual({ voice_session_id: b.id })
    expect(await refusedWith(b.gateway, 'voice.leave', {})).toBe('not_found')
    closeAll(a, b)
  })

  test('every node shows the members of the call: in ready, by REST and by events', async () => {
    const [alice, bob] = await people('alice', 'bob')
    const { channel_id } = await voiceServer(alice, bob)
    const watching = await connect(by(two, alice))
    const a = await inCallBy(one, alice, channel_id)
    const b = await inCallBy(two, bob, channel_id)
    for (const { id } of [alice, bob])
      await watching.next('voice.state_updated', ({ d }) => d.user.id === id && d.channel_id === channel_id)
    for (const node of [one, two]) {
      await until(async () => (await presentIn(by(node, alice), channel_id)).length === 2)
      expect(await presentIn(by(node, bob), channel_id)).toEqual([alice.id, bob.id])
      const live = await connect(by(node, bob))
      expect(live.frames[0]?.d.voice_states.map((state: any) => state.user.id)).toEqual([alice.id, bob.id])
      live.close()
    }
    await b.gateway.command('voice.update', { self_mute: true })
    await watching.next('voice.state_updated', ({ d }) => d.user.id === bob.id && d.self_mute)
    await by(two, bob).put('/api/auth/display-name', { display_name: 'Robert' })
    await a.gateway.next('voice.peer_updated', ({ d }) => d.user.display_name === 'Robert')
    await b.gateway.command('voice.leave')
    await watching.next('voice.state_updated', ({ d }) => d.user.id === bob.id && d.channel_id === null)
    await until(async () => (await presentIn(by(two, bob), channel_id)).length === 1)
    closeAll(a, b, { gateway: watching })
  })

  test('a device on another node takes over; if two join at the same moment, one stays', async () => {
    const [alice, bob] = await people('alice', 'bob')
    const { server_id, channel_id } = await voiceServer(alice, bob)
    const other = await voiceChannel(alice, server_id, 'dusk')
    const [a, there] = [await inCallBy(one, alice, channel_id), await inCallBy(two, alice, other)]
    expect((await a.gateway.next('voice.disconnected')).d).toEqual({ voice_session_id: a.id, reason: 'taken_over' })
    const here = await inCallBy(one, bob, other)
    const phone = await inCallBy(two, bob, other)
    expect((await here.gateway.next('voice.disconnected')).d.reason).toBe('taken_over')
    for (let round = 0; round < 10; round++) {
      // The first node owns one room, the second the other.
      const joined = await Promise.all([joinVoice(here.gateway, channel_id), joinVoice(phone.gateway, other)])
      const places = async (node: Parley) => {
        const present = async (channel: number) => (await presentIn(by(node, alice), channel)).includes(bob.id)
        return [await present(channel_id), await present(other)]
      }
      // Both nodes show the same one of the two.
      await until(async () => {
        const [first, second] = [await places(one), await places(two)]
        return first[0] !== first[1] && Bun.deepEquals(first, second)
      })
      const working = await Promise.all(
        [here.gateway, phone.gateway].map((live) => refusedWith(live, 'voice.update', { self_mute: round % 2 === 0 })),
      )
      expect(working.toSorted()).toEqual(['not_found', undefined])
      const loser = working[0] === undefined ? 1 : 0
      const expected = { voice_session_id: joined[loser]?.voice_session_id, reason: 'taken_over' }
      await [here, phone][loser]?.gateway.next('voice.disconnected', ({ d }) => Bun.deepEquals(d, expected))
    }
    closeAll(a, here, phone, there)
  })

  test('a member who joins a call that another node owns, and soon leaves it, is in neither call', async () => {
    const [alice, bob, carol] = await people('alice', 'bob', 'carol')
    const { server_id, channel_id } = await voiceServer(alice, bob, carol)
    const other = await voiceChannel(alice, server_id, 'dusk')
    const [a, c] = [await inCallBy(one, alice, channel_id), await inCallBy(two, carol, other)]
    for (const node of [one, two]) {
      const b = await inCallBy(node, bob, channel_id)
      await joinVoice(b.gateway, other)
      if (node === one) expect(await presentIn(by(one, alice), channel_id)).toEqual([alice.id])
      await b.gateway.command('voice.leave')
      const passed = stopwatch()
      await a.gateway.next('voice.peer_left', ({ d }) => d.voice_session_id === b.id)
      expect(passed()).toBeLessThan(GONE_MS_MAX)
      for (const each of [one, two]) {
        await until(async () => Bun.deepEquals(await presentIn(by(each, alice), channel_id), [alice.id]))
        await until(async () => Bun.deepEquals(await presentIn(by(each, alice), other), [carol.id]))
      }
      expect(b.gateway.of('voice.disconnected')).toEqual([])
      b.gateway.close()
    }
    closeAll(a, c)
  })

  test('a member who left a call that another node owns is not notified later that the seat was lost', async () => {
    const [alice, bob] = await people('alice', 'bob')
    const { channel_id } = await voiceServer(alice, bob)
    const [a, b] = [await inCallBy(one, alice, channel_id), await inCallBy(two, bob, channel_id)]
    await b.gateway.command('voice.leave')
    // The owner lists its seats every second.
    await Bun.sleep(2_200)
    expect(b.gateway.of('voice.disconnected')).toEqual([])
    expect((await joinVoice(b.gateway, channel_id)).peers.map((peer) => peer.voice_session_id)).toEqual([a.id])
    closeAll(a, b)
  })

  test('a seat is resumed on another node, and signalling sent meanwhile follows the answer', async () => {
    const [alice, bob] = await people('alice', 'bob')
    const { channel_id } = await voiceServer(alice, bob)
    const a = await inCallBy(one, alice, channel_id)
    const b = await inCallBy(one, bob, channel_id)
    let socket = b.gateway
    for (const node of [two, one, two]) {
      socket.close()
      await a.gateway.next('voice.peer_updated', ({ d }) => d.voice_session_id === b.id && d.reconnecting)
      for (const text of ['x', 'y']) await a.gateway.command('voice.candidate', candidate(b.id, text))
      a.gateway.frames.length = 0
      socket = await connect(by(node, bob))
      const all = recorded(socket)
      const resumed = await socket.command('voice.resume', { voice_session_id: b.id, epoch: 1 })
      expect(resumed.d).toMatchObject({ voice_session_id: b.id, peers: [{ voice_session_id: a.id }] })
      await a.gateway.command('voice.candidate', candidate(b.id, 'z'))
      await socket.next('voice.candidate', ({ d }) => d.candidate.candidate === 'z')
      const sequence = all.flatMap((frame) => ('re' in frame ? ['answer'] : (frame.d.candidate?.candidate ?? [])))
      expect(sequence).toEqual(['answer', 'x', 'y', 'z'])
    }
    expect(a.gateway.of('voice.peer_left')).toEqual([])
    expect(await refusedWith(a.gateway, 'voice.resume', { voice_session_id: b.id, epoch: 1 })).toBe('not_found')
    closeAll(a, { gateway: socket })
  })

  test('others see a socket of another node that falls silent reconnecting within seconds', async () => {
    const [alice, bob] = await people('alice', 'bob')
    const { channel_id } = await voiceServer(alice, bob)
    const a = await inCallBy(one, alice, channel_id)
    const mute = new RawSocket(two, `token=${bob.token}`)
    await mute.next('synced')
    mute.send(1, JSON.stringify({ op: 'voice.join', id: 1, d: { channel_id, ...MIC } }))
    await a.gateway.next('voice.peer_joined')
    await a.gateway.next('voice.peer_updated', ({ d }) => d.reconnecting)
    mute.send(1, '{"op":"ping"}')
    await a.gateway.next('voice.peer_updated', ({ d }) => !d.reconnecting)
    mute.destroy()
    a.gateway.close()
  })

  test('a member who loses access or the session on one node loses the seat on the other', async () => {
    const [alice, bob, carol] = await people('alice', 'bob', 'carol')
    const { server_id, channel_id } = await voiceServer(alice, bob, carol)
    const a = await inCallBy(one, alice, channel_id)
    const [b, c] = [await inCallBy(two, bob, channel_id), await inCallBy(two, carol, channel_id)]
    await by(two, alice).delete(`/api/servers/${server_id}/members/${bob.id}`)
    expect((await b.gateway.next('voice.disconnected')).d).toEqual({ voice_session_id: b.id, reason: 'access' })
    expect(await refusedWith(b.gateway, 'voice.join', { channel_id, ...MIC })).toBe('not_found')
    await by(one, carol).post('/api/auth/logout')
    await a.gateway.next('voice.peer_left', ({ d }) => d.voice_session_id === c.id)
    expect(await presentIn(alice, channel_id)).toEqual([alice.id])
    closeAll(a, b, c)
  })
})

describe.if(redisProgram !== undefined)('calls over the SFU of another node', () => {
  let nodes: Parley[] = []
  afterAll(() => Promise.all(nodes.map(stop)))

  test(
    'a producer made through another node is consumed through the owner, and the other way round',
    async () => {
      const redis = await redisServer()
      const owner = await bootCalls({ REDIS_URL: redis.url })
      // This node has no worker: its clients' commands run on the owner.
      const other = await boot({}, owner)
      nodes = [owner, other]
      const [alice, bob] = [await person(owner, 'alice'), await person(owner, 'bob')]
      const { channel_id } = await voiceServer(alice, bob)
      const a = await inCallBy(owner, alice, channel_id, { relay_only: true })
      const b = await inCallBy(other, bob, channel_id)
      expect(b.seat.route).toBe('sfu')
      const produced = await sends(b.gateway, 'microphone')
      expect((await a.gateway.next('voice.sfu.producer_new')).d.producer_id).toBe(produced)
      await receives(a.gateway, produced)
      const consumer_id = await receives(b.gateway, await sends(a.gateway, 'microphone'))
      await done(b.gateway, 'voice.sfu.resume_consumer', { consumer_id })
      await done(b.gateway, 'voice.sfu.pause_producer', { producer_id: produced })
      await a.gateway.next('voice.sfu.producer_paused')
      expect(await refusedWith(b.gateway, 'voice.sfu.produce', { transport_id: 'x' })).toBe('validation_failed')
      closeAll(a, b)
    },
    WORKER_MS,
  )
})
