import { expect, test } from 'bun:test'
import { type Permission, permissions } from '../../src/core/permissions.ts'
import { type Person, person, standard } from '../support/harness.ts'
import { forbidEveryone } from '../support/ranks.ts'
import { connect } from '../support/socket.ts'
import { inVoice, joinVoice, MIC, presentIn, refusedWith, voiceChannel, voiceServer } from '../support/voice-people.ts'

const parley = await standard()

/** Alice's server with bob, both in its voice channel. */
async function call() {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const place = await voiceServer(alice, bob)
  const [a, b] = [await inVoice(alice, place.channel_id), await inVoice(bob, place.channel_id)]
  return { alice, bob, a, b, ...place }
}

const everyone = async (owner: Person, server_id: number): Promise<{ id: number; permissions: number }> =>
  (await owner.get(`/api/servers/${server_id}/roles`)).body[0]

/** Denies a bit to everyone in the channel. */
async function deny(
  owner: Person,
  { server_id, channel_id }: { server_id: number; channel_id: number },
  bit: Permission,
) {
  const role = await everyone(owner, server_id)
  const path = `/api/channels/${channel_id}/permissions/${role.id}`
  expect((await owner.put(path, { deny: permissions(bit) })).status).toBe(200)
}

/** The ways that bob is removed from the call. */
const ends: Record<string, (parties: Awaited<ReturnType<typeof call>>) => Promise<unknown>> = {
  'a kicked member': ({ alice, bob, server_id }) => alice.delete(`/api/servers/${server_id}/members/${bob.id}`),
  'a banned member': ({ alice, bob, server_id }) => alice.put(`/api/servers/${server_id}/bans/${bob.id}`, {}),
  'a member who leaves the server': ({ bob, server_id }) => bob.delete(`/api/servers/${server_id}/members/@me`),
  'a member denied connect': ({ alice, ...place }) => deny(alice, place, 'connect'),
  'a member denied view_channel': ({ alice, ...place }) => deny(alice, place, 'view_channel'),
  'a member whose role loses connect': async ({ alice, server_id }) => {
    const role = await everyone(alice, server_id)
    return alice.put(`/api/roles/${role.id}`, { permissions: role.permissions - permissions('connect') })
  },
}

for (const [who, end] of Object.entries(ends))
  test(`${who} is out of the call before the request is answered, and cannot send anything into it`, async () => {
    const parties = await call()
    const { alice, a, b, channel_id } = parties
    await end(parties)
    expect(await presentIn(alice, channel_id)).toEqual([alice.id])
    expect((await a.gateway.next('voice.peer_left')).d).toEqual({ voice_session_id: b.id })
    expect((await b.gateway.next('voice.disconnected')).d).toEqual({ voice_session_id: b.id, reason: 'access' })
    const offer = { to: a.id, epoch: 1, description: { type: 'offer', sdp: 'v=0' } }
    expect(await refusedWith(b.gateway, 'voice.description', offer)).toBe('not_found')
    expect(await refusedWith(b.gateway, 'voice.join', { channel_id, ...MIC })).toBeOneOf([
      'not_found',
      'missing_permission',
    ])
    await joinVoice(a.gateway, channel_id)
    await b.gateway.settled()
    expect(b.gateway.of('voice.peer_joined')).toEqual([])
    for (const { gateway } of [a, b]) gateway.close()
  })

test('a deleted channel and a deleted server end their calls', async () => {
  const { alice, a, b, channel_id, server_id } = await call()
  const other = await voiceChannel(alice, server_id, 'dusk')
  await alice.delete(`/api/channels/${channel_id}`)
  expect((await b.gateway.next('voice.disconnected')).d.reason).toBe('access')
  await joinVoice(a.gateway, other)
  await alice.delete(`/api/servers/${server_id}`)
  const [, second] = a.gateway.of('voice.disconnected')
  expect(
    (second ?? (await a.gateway.next('voice.disconnected', ({ d }) => d.voice_session_id !== a.id))).d.reason,
  ).toBe('access')
  expect(await refusedWith(a.gateway, 'voice.leave', {})).toBe('not_found')
  for (const { gateway } of [a, b]) gateway.close()
})

test('a session that is revoked leaves no seat, not even for 30 s', async () => {
  const { alice, bob, a, b, channel_id } = await call()
  await bob.post('/api/auth/logout')
  expect(await presentIn(alice, channel_id)).toEqual([alice.id])
  expect((await a.gateway.next('voice.peer_left')).d).toEqual({ voice_session_id: b.id })
  expect(await b.gateway.closed).toMatchObject({ code: 4003 })
  a.gateway.close()
})

test('a member whose joins race with a kick is not in the call afterwards', async () => {
  const alice = await person(parley, 'alice')
  for (let round = 0; round < 12; round++) {
    const mallory = await person(parley, 'mallory')
    const { server_id, channel_id } = await voiceServer(alice, mallory)
    const live = await connect(mallory)
    const joins = Array.from({ length: 6 }, async (_, at) => {
      await Bun.sleep(at * 2)
      return live.command('voice.join', { channel_id, ...MIC })
    })
    await Promise.all([
      Bun.sleep(round).then(() => alice.delete(`/api/servers/${server_id}/members/${mallory.id}`)),
      ...joins,
    ])
    expect(await presentIn(alice, channel_id)).toEqual([])
    live.close()
  }
})

test('a member without speak cannot join a mesh, and a member who loses speak leaves it', async () => {
  const { alice, bob, b, channel_id, server_id, a } = await call()
  await deny(alice, { server_id, channel_id }, 'speak')
  expect((await b.gateway.next('voice.disconnected')).d.reason).toBe('media_unavailable')
  const refused = await b.gateway.command('voice.join', { channel_id, ...MIC })
  expect(refused.error).toMatchObject({ code: 'media_unavailable', status: 503 })
  expect(await presentIn(bob, channel_id)).toEqual([alice.id])
  for (const { gateway } of [a, b]) gateway.close()
})

test('connect is needed to join', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await voiceServer(alice, bob)
  await forbidEveryone(alice, server_id, 'connect')
  const live = await connect(bob)
  expect(await refusedWith(live, 'voice.join', { channel_id, ...MIC })).toBe('missing_permission')
  expect(await presentIn(bob, channel_id)).toEqual([])
  live.close()
})

test('share_screen is needed to share a screen or a camera and to offer video; losing it ends both', async () => {
  const { alice, bob, a, b, channel_id, server_id } = await call()
  const pictures = {
    to: a.id,
    epoch: 1,
    description: { type: 'offer', sdp: 'v=0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\n' },
  }
  expect((await b.gateway.command('voice.update', { sharing_screen: true, camera: true })).d).toEqual({})
  expect((await b.gateway.command('voice.description', pictures)).d).toEqual({})
  await a.gateway.next('voice.peer_updated', ({ d }) => d.sharing_screen && d.camera)
  await deny(alice, { server_id, channel_id }, 'share_screen')
  await a.gateway.next('voice.peer_updated', ({ d }) => !d.sharing_screen && !d.camera && d.voice_session_id === b.id)
  expect(await refusedWith(b.gateway, 'voice.update', { sharing_screen: true })).toBe('missing_permission')
  expect(await refusedWith(b.gateway, 'voice.update', { camera: true })).toBe('missing_permission')
  expect(await refusedWith(b.gateway, 'voice.description', pictures)).toBe('missing_permission')
  const received = { ...pictures.description, sdp: `${pictures.description.sdp}a=recvonly\r\n` }
  expect((await b.gateway.command('voice.description', { ...pictures, description: received })).d).toEqual({})
  expect(await presentIn(bob, channel_id)).toEqual([alice.id, bob.id])
  for (const { gateway } of [a, b]) gateway.close()
})

test('members who do not see a channel receive nothing of its calls', async () => {
  const [alice, bob, carol] = await Promise.all(['alice', 'bob', 'carol'].map((name) => person(parley, name)))
  const { server_id, channel_id } = await voiceServer(alice!, bob!, carol!)
  await deny(alice!, { server_id, channel_id }, 'view_channel')
  const role = (await alice!.post(`/api/servers/${server_id}/roles`, { name: 'Owls', permissions: 0 })).body
  await alice!.put(`/api/channels/${channel_id}/permissions/${role.id}`, { allow: permissions('view_channel') })
  await alice!.post(`/api/servers/${server_id}/members/${bob!.id}/roles/${role.id}`)
  const [watcher, outsider] = [await connect(bob!), await connect(carol!)]
  const a = await inVoice(alice!, channel_id)
  await watcher.next('voice.state_updated', ({ d }) => d.channel_id === channel_id)
  expect((await connect(carol!)).frames[0]?.d.voice_states).toEqual([])
  await outsider.settled()
  expect(outsider.of('voice.state_updated')).toEqual([])
  expect(await refusedWith(outsider, 'voice.join', { channel_id, ...MIC })).toBe('not_found')
  for (const live of [watcher, outsider, a.gateway]) live.close()
})
