import { expect, setSystemTime, test } from 'bun:test'
import { bitOf } from '../../src/core/permissions.ts'
import { type Person, person, standard } from '../support/harness.ts'
import { sound } from '../support/ogg.ts'
import { connect } from '../support/socket.ts'
import { upload } from '../support/uploads.ts'
import { inVoice, joinVoice, refusedWith, voiceServer } from '../support/voice-people.ts'

const parley = await standard()

async function soundOf(owner: Person, server_id: number, seconds = 4): Promise<number> {
  const { id: file_id } = await upload(owner, 'owl.ogg', 'audio/ogg', sound(seconds))
  const { status, body } = await owner.post(`/api/servers/${server_id}/sounds`, { name: 'Owl', file_id })
  expect(status).toBe(201)
  return body.id
}

/** Five people in a call, and a sound of its server. */
async function call() {
  const people = await Promise.all(['alice', 'bob', 'carol', 'dave', 'erin'].map((name) => person(parley, name)))
  const [alice, ...others] = people as [Person, ...Person[]]
  const place = await voiceServer(alice, ...others)
  const all = await Promise.all(people.map((who) => inVoice(who, place.channel_id)))
  const end = () => all.forEach(({ gateway }) => gateway.close())
  return {
    alice,
    all: all as [(typeof all)[0], ...typeof all],
    ...place,
    end,
    id: await soundOf(alice, place.server_id),
  }
}

/** Runs a test at a later time of the server. */
async function later(seconds: number, work: () => Promise<void>): Promise<void> {
  setSystemTime(new Date(Date.now() + seconds * 1000))
  try {
    await work()
  } finally {
    setSystemTime()
  }
}

test('everybody in the call hears of a sound, nobody else; one in 3 s a person, three at once a room', async () => {
  const { alice, all, server_id, id, end } = await call()
  const [a, b, c, d, e] = all as [any, any, any, any, any]
  const outside = await person(parley, 'fay')
  const { code } = (await alice.post('/api/invites', { server_id })).body
  await outside.post(`/api/invites/${code}/join`)
  const apart = await connect(outside)
  expect((await b.gateway.command('voice.sound', { sound_id: id })).d).toEqual({})
  for (const { gateway } of all) {
    const { d: played } = await gateway.next('voice.sound')
    expect(played).toMatchObject({ voice_session_id: b.id, sound_id: id, name: 'Owl', emoji: null })
    expect(played.url).toMatch(/^\/media\/sounds\/[0-9a-f]{32}$/)
  }
  const again = await b.gateway.command('voice.sound', { sound_id: id })
  expect(again.error).toMatchObject({ code: 'rate_limited', retry_after: expect.any(Number) })
  // Leaving and joining does not help.
  await b.gateway.command('voice.leave')
  await joinVoice(b.gateway, (await a.gateway.settled(), a.seat.channel_id))
  expect(await refusedWith(b.gateway, 'voice.sound', { sound_id: id })).toBe('rate_limited')
  for (const { gateway } of [c, d]) expect((await gateway.command('voice.sound', { sound_id: id })).d).toEqual({})
  // Three play.
  expect(await refusedWith(e.gateway, 'voice.sound', { sound_id: id })).toBe('rate_limited')
  await later(4.5, async () => {
    expect((await e.gateway.command('voice.sound', { sound_id: id })).d).toEqual({})
  })
  await apart.settled()
  expect(apart.of('voice.sound')).toEqual([])
  expect(await refusedWith(apart, 'voice.sound', { sound_id: id })).toBe('not_found')
  apart.close()
  end()
})

test('a sound needs use_soundboard and speak, no mute by a moderator, and a sound of this server', async () => {
  const { alice, all, server_id, channel_id, id, end } = await call()
  const [, b, c] = all as [any, any, any]
  const mallory = await person(parley, 'mallory')
  const elsewhere = await voiceServer(mallory)
  const foreign = await soundOf(mallory, elsewhere.server_id)
  expect(await refusedWith(b.gateway, 'voice.sound', { sound_id: foreign })).toBe('not_found')
  const deny = (bit: 'use_soundboard' | 'speak', userId: number) =>
    alice.put(`/api/channels/${channel_id}/permissions/members/${userId}`, { allow: 0, deny: bitOf(bit) })
  expect((await deny('use_soundboard', c.who.id)).status).toBe(200)
  await c.gateway.settled()
  expect(await refusedWith(c.gateway, 'voice.sound', { sound_id: id })).toBe('missing_permission')
  const group = await inVoice(mallory, elsewhere.channel_id)
  expect(await refusedWith(group.gateway, 'voice.sound', { sound_id: id })).toBe('not_found')
  expect(await refusedWith(group.gateway, 'voice.sound', { sound_id: 0 })).toBe('validation_failed')
  group.gateway.close()
  expect(server_id).toBeGreaterThan(0)
  end()
})
