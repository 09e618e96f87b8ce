import { afterAll, expect, test } from 'bun:test'
import { boot, person, standard, stop } from '../support/harness.ts'
import { inVoice, MIC, presentIn, refusedWith, voiceServer } from '../support/voice-people.ts'
import { connect } from '../support/socket.ts'

const parley = await boot({ CALLS_ENCRYPTION: 'preferred' })
afterAll(() => stop(parley))
const ENCRYPTS = { encrypts: true }

/** A server with a voice channel, whose owner is the first of these people. */
async function place(...names: string[]) {
  const people = await Promise.all(names.map((name) => person(parley, name)))
  const [owner, ...others] = people
  const { server_id, channel_id } = await voiceServer(owner!, ...others)
  const set = async (calls_encryption: unknown) => owner!.put(`/api/servers/${server_id}`, { calls_encryption })
  return { people, owner: owner!, server_id, channel_id, set }
}

test('if encryption is required, a member who cannot encrypt is refused, and nobody notices', async () => {
  const { people, channel_id, set } = await place('ann', 'ben', 'pat')
  expect((await set('required')).body.calls_encryption).toBe('required')
  const ann = await inVoice(people[0]!, channel_id, ENCRYPTS)
  expect(ann.seat.encryption?.state).toBe('sealed')
  const pat = await connect(people[2]!)
  for (const options of [{}, { encrypts: false }])
    expect(await refusedWith(pat, 'voice.join', { channel_id, ...MIC, ...options })).toBe('encryption_required')
  const ben = await inVoice(people[1]!, channel_id, ENCRYPTS)
  expect(ben.seat.encryption).toEqual(ann.seat.encryption)
  await ann.gateway.next('voice.peer_joined', ({ d }) => d.voice_session_id === ben.id)
  expect(ann.gateway.of('voice.peer_joined')).toHaveLength(1)
  expect(ann.gateway.of('voice.encryption')).toEqual([])
  expect((await presentIn(people[0]!, channel_id)).toSorted()).toEqual([people[0]!.id, people[1]!.id].toSorted())
  for (const gateway of [ann.gateway, ben.gateway, pat]) gateway.close()
})

test('when encryption becomes required, members who cannot do it leave, and the call is encrypted', async () => {
  const { people, channel_id, set } = await place('ann', 'pat')
  const ann = await inVoice(people[0]!, channel_id, ENCRYPTS)
  const pat = await inVoice(people[1]!, channel_id)
  expect(pat.seat.encryption).toEqual({ state: 'open', group: null, reason: 'member' })
  expect((await set('required')).status).toBe(200)
  const { d } = await pat.gateway.next('voice.disconnected')
  expect(d).toEqual({ voice_session_id: pat.id, reason: 'encryption' })
  const sealed = await ann.gateway.next('voice.encryption', (frame) => frame.d.state === 'sealed')
  expect(sealed.d).toEqual({ channel_id, state: 'sealed', group: expect.stringMatching(/^[0-9a-f]{32}$/) })
  expect(await presentIn(people[0]!, channel_id)).toEqual([people[0]!.id])
  for (const { gateway } of [ann, pat]) gateway.close()
})

test('a server that turns encryption off says so in a running call, and can turn it on again', async () => {
  const { people, channel_id, set } = await place('ann', 'ben')
  const ann = await inVoice(people[0]!, channel_id, ENCRYPTS)
  const { group } = ann.seat.encryption!
  expect((await set('off')).status).toBe(200)
  const open = await ann.gateway.next('voice.encryption')
  expect(open.d).toEqual({ channel_id, state: 'open', group: null, reason: 'server' })
  const ben = await inVoice(people[1]!, channel_id, ENCRYPTS)
  expect(ben.seat.encryption).toEqual({ state: 'open', group: null, reason: 'server' })
  expect((await set('preferred')).status).toBe(200)
  const { d } = await ann.gateway.next('voice.encryption', (frame) => frame.d.state === 'sealed')
  expect(d.group).not.toBe(group)
  expect((await ben.gateway.next('voice.encryption')).d).toEqual(d)
  for (const { gateway } of [ann, ben]) gateway.close()
})

test('only who manages the server changes it, and not to what the installation cannot do', async () => {
  const { people, owner, server_id, set } = await place('ann', 'ben')
  for (const wrong of ['on', '', null, true, 1]) expect((await set(wrong)).status).toBe(422)
  const refused = await people[1]!.put(`/api/servers/${server_id}`, { calls_encryption: 'off' })
  expect([refused.status, refused.body.code]).toEqual([403, 'missing_permission'])
  expect((await owner.get(`/api/servers/${server_id}`)).body.calls_encryption).toBe('preferred')
  const plain = await standard()
  const dan = await person(plain, 'dan')
  const other = await voiceServer(dan)
  const path = `/api/servers/${other.server_id}`
  const unavailable = await dan.put(path, { calls_encryption: 'required', name: 'Renamed' })
  expect([unavailable.status, unavailable.body.code]).toEqual([409, 'encryption_unavailable'])
  const { body } = await dan.get(path)
  expect([body.calls_encryption, body.name]).toEqual(['preferred', 'Birdwatchers'])
  const dans = await inVoice(dan, other.channel_id)
  expect(dans.seat.encryption).toEqual({ state: 'off', group: null })
  dans.gateway.close()
})
