import { expect } from 'bun:test'
import type { CommandName } from '../../src/gateway/model.ts'
import type { Joined } from '../../src/voice/model.ts'
import type { Parley } from '../../src/parley.ts'
import { type Person, person, newServer } from './harness.ts'
import { connect, type Gateway } from './socket.ts'

/** The owner's server with a voice channel and these members. */
export async function voiceServer(owner: Person, ...others: Person[]) {
  const { server_id } = await newServer(owner, ...others)
  return { server_id, channel_id: await voiceChannel(owner, server_id, 'dawn-chorus') }
}

/** Two people, and the path of a voice channel that both see. */
export async function voicePair(parley: Parley) {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id } = await newServer(ann, ben)
  const voice_id = await voiceChannel(ann, server_id, 'Hide')
  return { ann, ben, server_id, voice_id, path: `/app/servers/${server_id}/channels/${voice_id}` }
}

export async function voiceChannel(owner: Person, server_id: number, name: string): Promise<number> {
  const { status, body } = await owner.post(`/api/servers/${server_id}/channels`, { name, type: 'voice' })
  expect(status).toBe(201)
  return body.id
}

export const MIC = { self_mute: false, self_deaf: false }

/** Joins on a socket, and expects that to succeed. */
export async function joinVoice(gateway: Gateway, channel_id: number, options: object = {}): Promise<Joined> {
  const answer = await gateway.command('voice.join', { channel_id, ...MIC, ...options })
  expect(answer.error).toBeUndefined()
  return answer.d
}

/** A person's socket with a seat in the channel. */
export async function inVoice(who: Person, channel_id: number, options: object = {}) {
  const gateway = await connect(who)
  const seat = await joinVoice(gateway, channel_id, options)
  return { who, gateway, seat, id: seat.voice_session_id }
}

/** The code with which a command is refused. */
export async function refusedWith(gateway: Gateway, op: CommandName, d: object): Promise<string | undefined> {
  return (await gateway.command(op, d)).error?.code
}

/** The ids of who is present, by REST. */
export async function presentIn(who: Person, channel_id: number): Promise<number[]> {
  const { status, body } = await who.get(`/api/channels/${channel_id}/voice-states`)
  expect(status).toBe(200)
  return body.map((state: { user: { id: number } }) => state.user.id)
}
