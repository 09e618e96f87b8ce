import { expect } from 'bun:test'
import type { Joined } from '../../src/voice/model.ts'
import type { Parley } from '../../src/parley.ts'
import { boot, Person } from './harness.ts'
import type { RedisServer } from './redis.ts'
import { connect, type Gateway } from './socket.ts'
import { joinVoice, MIC } from './voice-people.ts'

export { inCommon } from './harness.ts'

/** Two nodes of one installation that know each other. */
export async function nodesOn(redis: RedisServer, variables: Record<string, string> = {}): Promise<[Parley, Parley]> {
  const one = await boot({ REDIS_URL: redis.url, ...variables })
  const two = await boot(variables, one)
  const knows = (node: Parley, other: Parley) => node.parts.nodes.others().includes(other.parts.nodes.id)
  while (!knows(one, two) || !knows(two, one)) await Bun.sleep(10)
  return [one, two]
}

/** The same account, on another node. */
export const by = (parley: Parley, { id, username, email, display_name, token }: Person): Person =>
  new Person(parley, id, username, email, display_name, token)

/** A person's socket on a node, with a seat in the channel. */
export async function inCallBy(parley: Parley, who: Person, channel_id: number, options: object = {}) {
  const gateway = await connect(by(parley, who))
  const seat = await joinVoice(gateway, channel_id, options)
  return { who, gateway, seat, id: seat.voice_session_id }
}

/** Joins as a client does: again and again while the answer is `unavailable`. */
export async function joinAgain(gateway: Gateway, channel_id: number): Promise<Joined> {
  for (;;) {
    const { d, error } = await gateway.command('voice.join', { channel_id, ...MIC })
    if (d) return d
    expect(error.code).toBe('unavailable')
    await Bun.sleep(200)
  }
}
