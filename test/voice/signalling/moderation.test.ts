import { expect, test } from 'bun:test'
import { person, standard } from '../../support/harness.ts'
import { promote } from '../../support/ranks.ts'
import { connect } from '../../support/socket.ts'
import { inVoice, MIC, presentIn, refusedWith, voiceChannel, voiceServer } from '../../support/voice-people.ts'

const parley = await standard()

/** Alice's server: bob moderates it, carol is a plain member in a call. */
async function stage() {
  const [alice, bob, carol] = [
    await person(parley, 'alice'),
    await person(parley, 'bob'),
    await person(parley, 'carol'),
  ]
  const place = await voiceServer(alice, bob, carol)
  await promote(bob, place.server_id, {
    position: 5,
    bits: ['mute_members', 'deafen_members', 'move_members', 'view_audit_log'],
  })
  const [moderator, caller] = [await connect(bob), await inVoice(carol, place.channel_id)]
  return { alice, bob, carol, moderator, caller, ...place }
}

/** The audit log's actions, newest first. */
const audited = async (who: { get: (path: string) => Promise<{ body: any }> }, server_id: number) =>
  (await who.get(`/api/servers/${server_id}/audit-log?limit=5`)).body.map((entry: any) => entry.action)

test('a muted member leaves a mesh, which cannot silence a member, and stays muted until unmuted', async () => {
  const { bob, carol, moderator, caller, server_id, channel_id } = await stage()
  const target = { server_id, user_id: carol.id }
  expect((await moderator.command('voice.mute_member', { ...target, mute: true })).d).toEqual({})
  expect((await caller.gateway.next('voice.disconnected')).d.reason).toBe('media_unavailable')
  expect(await refusedWith(caller.gateway, 'voice.join', { channel_id, ...MIC })).toBe('media_unavailable')
  expect(await refusedWith(await connect(carol), 'voice.join', { channel_id, ...MIC })).toBe('media_unavailable')
  await moderator.command('voice.mute_member', { ...target, mute: true })
  await moderator.command('voice.mute_member', { ...target, mute: false })
  expect((await caller.gateway.command('voice.join', { channel_id, ...MIC })).error).toBeUndefined()
  expect((await audited(bob, server_id)).filter((action: string) => action.startsWith('member.voice'))).toEqual([
    'member.voice_muted',
    'member.voice_muted',
  ])
  for (const live of [moderator, caller.gateway]) live.close()
})

test('a stopped camera goes off and stays off until it is allowed again', async () => {
  const { bob, carol, moderator, caller, server_id, channel_id } = await stage()
  const target = { server_id, user_id: carol.id }
  const stop = (isStopped: boolean) => moderator.command('voice.stop_camera', { ...target, stop: isStopped })
  const expected = (hasCamera: boolean, isCameraStopped: boolean) =>
    caller.gateway.next('voice.peer_updated', ({ d }) => d.camera === hasCamera && d.camera_stopped === isCameraStopped)
  const camera = async (isOn: boolean) => refusedWith(caller.gateway, 'voice.update', { camera: isOn })
  expect(await camera(true)).toBeUndefined()
  await expected(true, false)
  expect((await stop(true)).d).toEqual({})
  await expected(false, true)
  expect(await camera(true)).toBe('forbidden')
  const again = (await caller.gateway.command('voice.join', { channel_id, ...MIC })).d
  expect(again).toMatchObject({ camera_stopped: true, silenced: false })
  expect(await camera(true)).toBe('forbidden')
  await stop(true)
  expect((await stop(false)).d).toEqual({})
  await expected(false, false)
  expect(await camera(true)).toBeUndefined()
  const [state] = (await bob.get(`/api/channels/${channel_id}/voice-states`)).body
  expect(state).toMatchObject({ camera: true, camera_stopped: false })
  const ours = (action: string) => action === 'member.camera_stopped'
  expect((await audited(bob, server_id)).filter(ours)).toHaveLength(2)
  for (const live of [moderator, caller.gateway]) live.close()
})

test('only who may deafen, and ranks higher, deafens a member, who leaves a mesh and stays deafened', async () => {
  const { alice, bob, carol, moderator, caller, server_id, channel_id } = await stage()
  const target = { server_id, user_id: carol.id }
  const deafen = (isOn: boolean) => moderator.command('voice.deafen_member', { ...target, deafen: isOn })
  for (const [live, user_id, code] of [
    [caller.gateway, bob.id, 'missing_permission'],
    [caller.gateway, carol.id, 'missing_permission'],
    [moderator, alice.id, 'forbidden'],
    [moderator, bob.id, 'cannot_target_self'],
    [moderator, 2 ** 40, 'not_found'],
  ] as const)
    expect([user_id, await refusedWith(live, 'voice.deafen_member', { server_id, user_id, deafen: true })]).toEqual([
      user_id,
      code,
    ])
  expect((await deafen(true)).d).toEqual({})
  expect((await caller.gateway.next('voice.disconnected')).d.reason).toBe('media_unavailable')
  expect(await refusedWith(caller.gateway, 'voice.join', { channel_id, ...MIC })).toBe('media_unavailable')
  await deafen(true)
  expect((await deafen(false)).d).toEqual({})
  const again = (await caller.gateway.command('voice.join', { channel_id, ...MIC })).d
  expect(again).toMatchObject({ server_deaf: false })
  expect((await audited(bob, server_id)).filter((action: string) => action.startsWith('member.voice'))).toEqual([
    'member.voice_deafened',
    'member.voice_deafened',
  ])
  for (const live of [moderator, caller.gateway]) live.close()
})

test('a moved member has a seat in the other channel, and receives voice.moved', async () => {
  const { alice, bob, carol, moderator, caller, server_id, channel_id } = await stage()
  const elsewhere = await voiceChannel(alice, server_id, 'dusk')
  const peer = await inVoice(bob, channel_id)
  const move = { server_id, user_id: carol.id, channel_id: elsewhere }
  expect((await moderator.command('voice.move_member', move)).d).toEqual({})
  const moved = (await caller.gateway.next('voice.moved')).d
  expect(moved).toMatchObject({ channel_id: elsewhere, epoch: 1, peers: [] })
  expect((await peer.gateway.next('voice.peer_left')).d).toEqual({ voice_session_id: caller.id })
  expect([await presentIn(bob, channel_id), await presentIn(bob, elsewhere)]).toEqual([[bob.id], [carol.id]])
  expect((await caller.gateway.command('voice.update', { self_mute: true })).d).toEqual({})
  expect((await moderator.command('voice.move_member', move)).d).toEqual({})
  expect(caller.gateway.of('voice.moved')).toHaveLength(1)
  expect((await audited(bob, server_id))[0]).toBe('member.voice_moved')
  for (const live of [moderator, caller.gateway, peer.gateway]) live.close()
})

test('a member can be moved only to channels where member and moderator may connect', async () => {
  const { alice, carol, moderator, caller, server_id, channel_id } = await stage()
  const hidden = await voiceChannel(alice, server_id, 'attic')
  const [everyone] = (await alice.get(`/api/servers/${server_id}/roles`)).body
  const move = (to: number) =>
    refusedWith(moderator, 'voice.move_member', { server_id, user_id: carol.id, channel_id: to })
  await alice.put(`/api/channels/${hidden}/permissions/${everyone.id}`, { deny: 1024 })
  expect(await move(hidden)).toBe('not_found')
  const closed = await voiceChannel(alice, server_id, 'cellar')
  await alice.put(`/api/channels/${closed}/permissions/${everyone.id}`, { deny: 2 ** 20 })
  expect(await move(closed)).toBe('missing_permission')
  const { channel_id: foreign } = await voiceServer(alice, carol)
  expect(await move(foreign)).toBe('not_found')
  expect(await presentIn(carol, channel_id)).toEqual([carol.id])
  for (const live of [moderator, caller.gateway]) live.close()
})

test('a disconnected member has left, and may join again', async () => {
  const { bob, carol, moderator, caller, server_id, channel_id } = await stage()
  const target = { server_id, user_id: carol.id }
  expect((await moderator.command('voice.disconnect_member', target)).d).toEqual({})
  expect((await caller.gateway.next('voice.disconnected')).d.reason).toBe('disconnected')
  expect(await presentIn(bob, channel_id)).toEqual([])
  expect(await refusedWith(moderator, 'voice.disconnect_member', target)).toBe('not_found')
  expect((await audited(bob, server_id))[0]).toBe('member.voice_disconnected')
  expect((await caller.gateway.command('voice.join', { channel_id, ...MIC })).error).toBeUndefined()
  for (const live of [moderator, caller.gateway]) live.close()
})

test('moderation needs the permission and a higher rank; a stranger learns nothing', async () => {
  const { alice, bob, carol, moderator, caller, server_id, channel_id } = await stage()
  const [dave, mallory] = [await person(parley, 'dave'), await person(parley, 'mallory')]
  const invite = (await alice.post('/api/invites', { server_id })).body
  await dave.post(`/api/invites/${invite.code}/join`)
  await promote(dave, server_id, { position: 1 })
  const boss = await inVoice(alice, channel_id)
  const [plain, stranger] = [await connect(dave), await connect(mallory)]
  const acts = (user_id: number) =>
    [
      ['voice.mute_member', { server_id, user_id, mute: true }],
      ['voice.stop_camera', { server_id, user_id, stop: true }],
      ['voice.move_member', { server_id, user_id, channel_id }],
      ['voice.disconnect_member', { server_id, user_id }],
    ] as const
  for (const [op, d] of acts(carol.id)) {
    expect([op, await refusedWith(plain, op, d)]).toEqual([op, 'missing_permission'])
    expect([op, await refusedWith(stranger, op, d)]).toEqual([op, 'not_found'])
  }
  for (const [op, d] of acts(alice.id)) expect([op, await refusedWith(moderator, op, d)]).toEqual([op, 'forbidden'])
  for (const [op, d] of acts(bob.id))
    expect([op, await refusedWith(moderator, op, d)]).toEqual([op, 'cannot_target_self'])
  for (const [op, d] of acts(mallory.id)) expect([op, await refusedWith(moderator, op, d)]).toEqual([op, 'not_found'])
  expect(await presentIn(alice, channel_id)).toEqual([carol.id, alice.id])
  for (const live of [moderator, caller.gateway, boss.gateway, plain, stranger]) live.close()
})
