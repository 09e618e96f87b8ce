import { beforeAll, expect, setSystemTime, test } from 'bun:test'
import { bitOf } from '../../src/core/permissions.ts'
import type { Parley } from '../../src/parley.ts'
import { boot, type Person, person, stop } from '../support/harness.ts'
import { WORKER_MS } from '../support/media-worker.ts'
import { bootCalls } from '../support/browser/voice.ts'
import type { Gateway } from '../support/socket.ts'
import { inVoice, MIC, presentIn, refusedWith, voiceChannel, voiceServer } from '../support/voice-people.ts'

let parley: Parley
// On a new machine the media worker is built first, which takes longer than a test may.
beforeAll(async () => void (parley = await bootCalls()), WORKER_MS)

/** Less than the silence after which the heartbeat closes a socket. */
const STEP_MS = 20_000

/** Runs a test at a later time of the server. These sockets stay open: each sends on the way there. */
async function later(minutes: number, open: { gateway: Gateway }[], work: () => Promise<void>): Promise<void> {
  let now = Date.now()
  const end = now + minutes * 60_000
  try {
    while (now < end) {
      now = Math.min(now + STEP_MS, end)
      setSystemTime(new Date(now))
      for (const { gateway } of open) await gateway.settled()
    }
    await work()
  } finally {
    setSystemTime()
  }
}

/** Alice's server with an AFK channel after a minute; alice and bob are in a call. */
async function call(on = parley) {
  const [alice, bob] = [await person(on, 'alice'), await person(on, 'bob')]
  const { server_id, channel_id } = await voiceServer(alice, bob)
  const afk_channel_id = await voiceChannel(alice, server_id, 'asleep')
  const set = await alice.put(`/api/servers/${server_id}`, { afk_channel_id, afk_minutes: 1 })
  expect([set.status, set.body.afk_channel_id, set.body.afk_minutes]).toEqual([200, afk_channel_id, 1])
  const [a, b] = [await inVoice(alice, channel_id), await inVoice(bob, channel_id)]
  const end = () => [a, b].forEach(({ gateway }) => gateway.close())
  return { alice, bob, a, b, server_id, channel_id, afk_channel_id, end }
}

/** Carol, who has joined alice's server and its call. */
async function joined(alice: Person, channel_id: number) {
  const carol = await person(alice.parley, 'carol')
  const { server_id } = (await alice.get(`/api/channels/${channel_id}`)).body
  const { code } = (await alice.post('/api/invites', { server_id })).body
  expect((await carol.post(`/api/invites/${code}/join`)).status).toBe(201)
  return inVoice(carol, channel_id)
}

test('an idle member is moved to the AFK channel and silenced there; one who never reported stays', async () => {
  const { alice, bob, a, b, channel_id, afk_channel_id, end } = await call()
  expect((await b.gateway.command('voice.active')).d).toEqual({})
  await later(1.1, [a, b], async () => {
    expect((await b.gateway.next('voice.moved')).d).toMatchObject({ channel_id: afk_channel_id, silenced: true })
    expect(await presentIn(alice, afk_channel_id)).toEqual([bob.id])
    expect(await presentIn(alice, channel_id)).toEqual([alice.id])
  })
  // Outside of that channel the member speaks again.
  expect((await b.gateway.command('voice.join', { channel_id, ...MIC })).d.silenced).toBe(false)
  end()
})

test('activity and shared pictures keep a member in its call', async () => {
  const { alice, bob, a, b, channel_id, afk_channel_id, end } = await call()
  const carol = await joined(alice, channel_id)
  for (const { gateway } of [a, b, carol]) await gateway.command('voice.active')
  expect((await a.gateway.command('voice.update', { camera: true })).d).toEqual({})
  await later(0.9, [a, b, carol], async () => void (await b.gateway.command('voice.active')))
  await later(1.1, [a, b, carol], async () => {
    // The server has looked at everybody once carol is moved.
    expect((await carol.gateway.next('voice.moved')).d.channel_id).toBe(afk_channel_id)
    expect(await presentIn(alice, channel_id)).toEqual([alice.id, bob.id])
  })
  carol.gateway.close()
  end()
})

test('a member who may not join the AFK channel stays where it is', async () => {
  const { alice, bob, a, b, channel_id, afk_channel_id, end } = await call()
  const path = `/api/channels/${afk_channel_id}/permissions/members/${bob.id}`
  expect((await alice.put(path, { allow: 0, deny: bitOf('connect') })).status).toBe(200)
  const carol = await joined(alice, channel_id)
  for (const { gateway } of [b, carol]) await gateway.command('voice.active')
  await later(1.1, [a, b, carol], async () => {
    expect((await carol.gateway.next('voice.moved')).d.channel_id).toBe(afk_channel_id)
    expect(await presentIn(alice, channel_id)).toEqual([alice.id, bob.id])
  })
  carol.gateway.close()
  end()
})

test('without an SFU, which silences, an idle member leaves the call', async () => {
  const own = await boot()
  try {
    const { alice, a, b, channel_id, end } = await call(own)
    await b.gateway.command('voice.active')
    await later(1.1, [a, b], async () => {
      expect((await b.gateway.next('voice.disconnected')).d.reason).toBe('idle')
      expect(await presentIn(alice, channel_id)).toEqual([alice.id])
    })
    expect(await refusedWith(b.gateway, 'voice.active', {})).toBe('not_found')
    a.gateway.close()
    end()
  } finally {
    await stop(own)
  }
})

test('an AFK channel is a voice channel of the server; deleting it leaves none', async () => {
  const { alice, bob, server_id, channel_id, afk_channel_id, end } = await call()
  const mallory = await person(parley, 'mallory')
  const foreign = await voiceServer(mallory)
  const channels = (await alice.get(`/api/servers/${server_id}/channels`)).body
  const text = channels.find(({ type }: { type: string }) => type === 'text').id
  const put = (body: object) => alice.put(`/api/servers/${server_id}`, body)
  for (const wrong of [foreign.channel_id, text, 2 ** 40])
    expect((await put({ afk_channel_id: wrong })).body.errors).toMatchObject([{ path: 'body.afk_channel_id' }])
  for (const wrong of [0, 2, 61, null]) expect((await put({ afk_minutes: wrong })).status).toBe(422)
  expect((await bob.put(`/api/servers/${server_id}`, { afk_channel_id: channel_id })).body.code).toBe(
    'missing_permission',
  )
  expect((await alice.delete(`/api/channels/${afk_channel_id}`)).status).toBe(204)
  expect((await alice.get(`/api/servers/${server_id}`)).body).toMatchObject({ afk_channel_id: null, afk_minutes: 1 })
  end()
})

test('members in a channel when it becomes the AFK channel are silenced there', async () => {
  const { alice, b, server_id, channel_id, end } = await call()
  await alice.put(`/api/servers/${server_id}`, { afk_channel_id: channel_id })
  await b.gateway.next('voice.peer_updated', ({ d }) => d.voice_session_id === b.id && d.silenced)
  await alice.put(`/api/servers/${server_id}`, { afk_channel_id: null })
  await b.gateway.next('voice.peer_updated', ({ d }) => d.voice_session_id === b.id && !d.silenced)
  end()
})
