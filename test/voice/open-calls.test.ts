import { afterAll, expect, test } from 'bun:test'
import { addBot, botOf } from '../support/bots.ts'
import { boot, newServer, type Person, person, standard, stop } from '../support/harness.ts'
import { befriend, group, write } from '../support/people.ts'
import { connect } from '../support/socket.ts'
import { inVoice, joinVoice, MIC, refusedWith } from '../support/voice-people.ts'

// Calls of dms and groups are encrypted unless somebody cannot do it; then that member has to accept it first.

const parley = await boot({ CALLS_ENCRYPTION: 'preferred' })
afterAll(() => stop(parley))
const ENCRYPTS = { encrypts: true }
const ACCEPTS = { accepts_open: true }
const OPEN = { state: 'open' as const, group: null, reason: 'member' as const }

async function dm() {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  await befriend(ann, ben)
  const { channel_id } = await write(ann, ben, 'Hello')
  return { ann, ben, channel_id }
}

test('in a dm, one who cannot encrypt has to accept that first; a refused call does not ring', async () => {
  const { ann, ben, channel_id } = await dm()
  const [hers, his] = [await connect(ann), await connect(ben)]
  for (const options of [{}, { encrypts: false }, { encrypts: false, accepts_open: false }])
    expect(await refusedWith(hers, 'voice.join', { channel_id, ...MIC, ...options })).toBe('encryption_required')
  const seat = await joinVoice(his, channel_id, ENCRYPTS)
  expect(seat.encryption?.state).toBe('sealed')
  await hers.next('call.ringing')
  // Nothing of hers has arrived before his own call.
  expect(his.of('call.ringing')).toEqual([])
  expect(await refusedWith(hers, 'voice.join', { channel_id, ...MIC })).toBe('encryption_required')
  expect((await joinVoice(hers, channel_id, ACCEPTS)).encryption).toEqual(OPEN)
  expect((await his.next('voice.encryption')).d).toEqual({ channel_id, ...OPEN })
  const kinds = his.frames.map(({ t }) => t)
  expect(kinds.indexOf('voice.encryption')).toBeLessThan(kinds.indexOf('voice.peer_joined'))
  for (const gateway of [hers, his]) gateway.close()
})

test('a group is asked like a dm, and is encrypted again when that member leaves', async () => {
  const [ann, ben, cid] = [await person(parley, 'ann'), await person(parley, 'ben'), await person(parley, 'cid')]
  const channel_id = await group(ann, ben, cid)
  const hers = await inVoice(ann, channel_id, ENCRYPTS)
  const his = await inVoice(ben, channel_id, ENCRYPTS)
  expect([hers.seat.encryption?.state, his.seat.encryption?.state]).toEqual(['sealed', 'sealed'])
  const gateway = await connect(cid)
  expect(await refusedWith(gateway, 'voice.join', { channel_id, ...MIC })).toBe('encryption_required')
  await joinVoice(gateway, channel_id, ACCEPTS)
  for (const { gateway: each } of [hers, his]) expect((await each.next('voice.encryption')).d.state).toBe('open')
  await gateway.command('voice.leave')
  const { d } = await hers.gateway.next('voice.encryption', (frame) => frame.d.state === 'sealed')
  expect(d.group).not.toBe(hers.seat.encryption?.group)
  for (const each of [hers.gateway, his.gateway, gateway]) each.close()
})

test('a bot is in the call of a dm only if its program accepts that it is not encrypted', async () => {
  const ann = await person(parley, 'ann')
  const bot = await botOf(ann, 'Jukebox')
  const { server_id } = await newServer(ann)
  await addBot(ann, server_id, bot)
  const { channel_id } = await write(ann, bot, 'Play')
  const hers = await inVoice(ann, channel_id, ENCRYPTS)
  const gateway = await connect(bot)
  expect(await refusedWith(gateway, 'voice.join', { channel_id, ...MIC })).toBe('encryption_required')
  expect((await joinVoice(gateway, channel_id, ACCEPTS)).encryption).toEqual(OPEN)
  expect((await hers.gateway.next('voice.encryption')).d).toEqual({ channel_id, ...OPEN })
  for (const each of [hers.gateway, gateway]) each.close()
})

test('if no calls are encrypted, nobody has to accept anything', async () => {
  const plain = await standard()
  const [ann, ben] = [await person(plain, 'ann'), await person(plain, 'ben')] as [Person, Person]
  await befriend(ann, ben)
  const { channel_id } = await write(ann, ben, 'Hello')
  const { seat, gateway } = await inVoice(ann, channel_id)
  expect(seat.encryption).toEqual({ state: 'off', group: null })
  gateway.close()
})
