import { describe, expect, test } from 'bun:test'
import type { Parley } from '../../../src/parley.ts'
import { type Person, person, until } from '../../support/harness.ts'
import { by, inCallBy, nodesOn } from '../../support/installation.ts'
import { promote } from '../../support/ranks.ts'
import { redisProgram, redisServer } from '../../support/redis.ts'
import { connect } from '../../support/socket.ts'
import { MIC, presentIn, refusedWith, voiceChannel, voiceServer } from '../../support/voice-people.ts'

describe.if(redisProgram !== undefined)('moderators of calls on other nodes', async () => {
  const redis = await redisServer()
  const [one, two] = await nodesOn(redis, { VOICE_ROOM_PEERS_MAX: '2' })

  /** Alice's server with two channels, bob its moderator on the second node. */
  async function arrange() {
    const [alice, bob, carol] = (await Promise.all(['alice', 'bob', 'carol'].map((name) => person(one, name)))) as [
      Person,
      Person,
      Person,
    ]
    const place = await voiceServer(alice, bob, carol)
    await promote(bob, place.server_id, { position: 5, bits: ['mute_members', 'move_members', 'view_audit_log'] })
    await two.parts.bus.notify({ kind: 'access_changed', user_ids: [bob.id] })
    const moderator = await connect(by(two, bob))
    return { alice, bob, carol, moderator, other: await voiceChannel(alice, place.server_id, 'dusk'), ...place }
  }
  const seenBy = (node: Parley, who: Person, channel_id: number, ...there: Person[]) =>
    until(async () =>
      Bun.deepEquals(
        await presentIn(by(node, who), channel_id),
        there.map(({ id }) => id),
      ),
    )

  for (const [where, socket, before, after] of [
    ['from its own node to another', one, one, two],
    ['from another node to its own', one, two, one],
    ['from another node to where nobody is', one, two, undefined],
    ['on its own node', one, one, one],
    ['within a node that is not its own', two, one, one],
  ] as const)
    test(`a member is moved ${where}, and its commands act there`, async () => {
      const { alice, bob, carol, moderator, server_id, channel_id, other } = await arrange()
      // The node of the first member owns the room.
      const host = await inCallBy(before, alice, channel_id)
      const guest = await inCallBy(socket, carol, channel_id)
      const there = after && (await inCallBy(after, bob, other))
      // A moved member passes the limit of the channel.
      await alice.put(`/api/channels/${other}`, { user_limit: 1 })
      const move = { server_id, user_id: carol.id, channel_id: other }
      await seenBy(two, bob, channel_id, alice, carol)
      expect((await moderator.command('voice.move_member', move)).error).toBeUndefined()
      const moved = (await guest.gateway.next('voice.moved')).d
      expect(moved.channel_id).toBe(other)
      expect(moved.peers.map((peer: any) => peer.voice_session_id)).toEqual(there ? [there.id] : [])
      expect((await host.gateway.next('voice.peer_left')).d).toEqual({ voice_session_id: guest.id })
      expect((await guest.gateway.command('voice.update', { self_mute: true })).d).toEqual({})
      await there?.gateway.next('voice.peer_updated', ({ d }) => d.self_mute)
      for (const node of [one, two]) {
        await seenBy(node, bob, channel_id, alice)
        await seenBy(node, bob, other, ...(there ? [bob] : []), carol)
      }
      expect(guest.gateway.of('voice.disconnected')).toEqual([])
      for (const { gateway } of [host, guest, ...(there ? [there] : []), { gateway: moderator }]) gateway.close()
    })

  test('a member who cannot be moved stays, and the moderator gets the reason', async () => {
    const { alice, bob, carol, moderator, server_id, channel_id, other } = await arrange()
    const guest = await inCallBy(one, carol, channel_id)
    const full = [await inCallBy(two, alice, other), await inCallBy(two, bob, other)]
    await seenBy(two, bob, channel_id, carol)
    const move = { server_id, user_id: carol.id, channel_id: other }
    expect(await refusedWith(moderator, 'voice.move_member', move)).toBe('voice_room_full')
    expect((await guest.gateway.command('voice.update', { self_mute: true })).d).toEqual({})
    expect(guest.gateway.of('voice.moved')).toEqual([])
    for (const { gateway } of [guest, ...full, { gateway: moderator }]) gateway.close()
  })

  test('a member is disconnected, or muted, from another node; a stranger learns nothing', async () => {
    const { alice, bob, carol, moderator, server_id, channel_id } = await arrange()
    const host = await inCallBy(one, alice, channel_id)
    const guest = await inCallBy(one, carol, channel_id)
    const target = { server_id, user_id: carol.id }
    await seenBy(two, bob, channel_id, alice, carol)
    const stranger = await connect(by(two, await person(one, 'mallory')))
    expect(await refusedWith(stranger, 'voice.disconnect_member', target)).toBe('not_found')
    expect(await refusedWith(moderator, 'voice.disconnect_member', { server_id, user_id: alice.id })).toBe('forbidden')
    expect((await moderator.command('voice.disconnect_member', target)).d).toEqual({})
    expect((await guest.gateway.next('voice.disconnected')).d.reason).toBe('disconnected')
    expect((await guest.gateway.command('voice.join', { channel_id, ...MIC })).error).toBeUndefined()
    // Without an SFU a muted member leaves: a mesh cannot silence it.
    expect((await moderator.command('voice.mute_member', { ...target, mute: true })).d).toEqual({})
    await guest.gateway.next('voice.disconnected', ({ d }) => d.reason === 'media_unavailable')
    await seenBy(two, bob, channel_id, alice)
    for (const { gateway } of [host, guest, { gateway: moderator }, { gateway: stranger }]) gateway.close()
  })
})
