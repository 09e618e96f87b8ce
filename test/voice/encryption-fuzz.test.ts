import { afterAll, expect, test } from 'bun:test'
import { FRAME_BYTES_MAX } from '../../src/gateway/model.ts'
import type { Parley } from '../../src/parley.ts'
import { VOICE_FRAME_BYTES_MAX } from '../../src/voice/model.ts'
import { boot, person, stop } from '../support/harness.ts'
import { randomFrom } from '../support/sealed-calls.ts'
import { inVoice, voiceServer } from '../support/voice-people.ts'

const parley: Parley = await boot({ CALLS_ENCRYPTION: 'preferred' })
afterAll(() => stop(parley))

/** The rest of a command's frame. */
const ENVELOPE_BYTES = 200
const REFUSALS = ['validation_failed', 'rate_limited', 'not_found']

/** Any value of JSON, small or as large as a frame. */
function anything(random: () => number, depth = 0): unknown {
  const some: (() => unknown)[] = [
    () => null,
    () => random() < 0.5,
    () => (random() - 0.5) * 10 ** Math.floor(random() * 20),
    () => '',
    () => 'A'.repeat(Math.floor(random() * (VOICE_FRAME_BYTES_MAX - 2_000))),
    () => 'a'.repeat(Math.floor(random() * (FRAME_BYTES_MAX - 1_000))),
    () => '\u0000\ud800𝕊=='.repeat(Math.floor(random() * 50)),
    () => Array.from({ length: Math.floor(random() * 300) }, () => 'a'.repeat(32)),
    () => ({ __proto__: 1, constructor: 'x', length: -1 }),
  ]
  const nested = [
    () => [anything(random, depth + 1)],
    () => Object.fromEntries([['user_ids', anything(random, depth + 1)]]),
  ]
  const all = depth < 3 ? [...some, ...nested] : some
  return all[Math.floor(random() * all.length)]!()
}

test('whatever is sent to the commands of encryption is answered, and a refused command changes nothing', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { channel_id } = await voiceServer(ann, ben)
  const a = await inVoice(ann, channel_id, { encrypts: true })
  const b = await inVoice(ben, channel_id, { encrypts: true })
  const group = a.seat.encryption!.group!
  const data = Buffer.from('a message').toString('base64')
  const genuine = {
    'voice.mls': { group, epoch: 0, kind: 'commit', data, welcome: data, added: [b.id] },
    'voice.device_key': { key: 'a'.repeat(64) },
    'voice.device_keys': { user_ids: [ann.id, ben.id] },
    'voice.device_logs': { accounts: [{ user_id: ben.id, after: 0 }] },
  } as const
  const random = randomFrom(42)
  const counts = { refused: 0, accepted: 0 }
  for (let run = 0; run < 25; run++)
    for (const [op, message] of Object.entries(genuine) as [keyof typeof genuine, object][]) {
      const names = Object.keys(message)
      const name = names[Math.floor(random() * names.length)]!
      const changed = random() < 0.8 ? { ...message, [name]: anything(random) } : Object(anything(random))
      // Larger frames end the connection.
      const most = op === 'voice.mls' ? VOICE_FRAME_BYTES_MAX : FRAME_BYTES_MAX
      if (Buffer.byteLength(JSON.stringify(changed)) > most - ENVELOPE_BYTES) continue
      const { error, d } = await a.gateway.command(op, changed)
      if (error) expect([op, REFUSALS.includes(error.code), error.code]).toEqual([op, true, error.code])
      else expect(d).toBeObject()
      counts[error ? 'refused' : 'accepted']++
    }
  expect(counts.refused).toBeGreaterThan(counts.accepted)
  // The call goes on, with the group of before: nobody was a leaf, so no commit counted.
  await b.gateway.settled()
  expect(b.gateway.of('voice.mls')).toEqual([])
  const founder = await b.gateway.command('voice.mls', { group, epoch: 0, kind: 'key_package', data })
  expect(founder.d).toEqual({ accepted: true, founder: true })
  for (const { gateway } of [a, b]) gateway.close()
})

test('a member who was thrown out is no leaf any more, and receives and sends nothing of the group', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { channel_id, server_id } = await voiceServer(ann, ben)
  const a = await inVoice(ann, channel_id, { encrypts: true })
  const b = await inVoice(ben, channel_id, { encrypts: true })
  const group = a.seat.encryption!.group!
  const data = Buffer.from('a message').toString('base64')
  const mls = (one: typeof a, message: object) => one.gateway.command('voice.mls', { group, data, ...message })
  await mls(a, { epoch: 0, kind: 'key_package' })
  await mls(b, { epoch: 0, kind: 'key_package' })
  expect((await mls(a, { epoch: 0, kind: 'commit', welcome: data, added: [b.id] })).d?.accepted).toBe(true)
  await b.gateway.next('voice.mls', ({ d }) => d.kind === 'welcome')
  expect((await ann.delete(`/api/servers/${server_id}/members/${ben.id}`)).status).toBeLessThan(300)
  // The leaves learn of it, and commit the removal: the proposal of the server.
  await a.gateway.next('voice.peer_left', ({ d }) => d.voice_session_id === b.id)
  expect((await mls(b, { epoch: 1, kind: 'commit' })).error?.code).toBe('not_found')
  const before = b.gateway.of('voice.mls').length
  expect((await mls(a, { epoch: 1, kind: 'commit' })).d?.accepted).toBe(true)
  await b.gateway.settled()
  expect(b.gateway.of('voice.mls')).toHaveLength(before)
  for (const { gateway } of [a, b]) gateway.close()
})
