import { expect } from 'bun:test'
import type { Joined } from '../../src/voice/model.ts'
import type { Parley } from '../../src/parley.ts'
import { boot, Person } from './harness.ts'
import type { RedisServer } from './redis.ts'
import { connect, type Gateway } from './socket.ts'
import { joinVoice, MIC } from './voice-people.ts'

/** Nodes of one installation that know each other. */
export async function nodesOn(redis: RedisServer, variables: Record<string, string> = {}): Promise<[Parley, Parley]> {
  const one = await boot({ REDIS_URL: redis.url, ...variables })
  const two = await boot(variables, one)
  const knows = (node: Parley, other: Parley) => node.parts.nodes.others().includes(other.parts.nodes.id)
  while (!knows(one, two) || !knows(two, one)) await Bun.sleep(10)
  return [one, two]
}

/** The same account by way of another node. */
export const by = (parley: Parley, { id, username, email, display_name, token }: Person): Person =>
  new Person(parley, id, username, email, display_name, token)

/** What another process of the installation is started with. */
export const inCommon = ({ parts: { environment } }: Parley): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) => /^(DATABASE_URL$|REDIS_|S3_)/.test(name)),
  ) as Record<string, string>

/** A person's socket on a node, with a seat in the channel. */
export async function inCallBy(parley: Parley, who: Person, channel_id: number, wish: object = {}) {
  const gateway = await connect(by(parley, who))
  const seat = await joinVoice(gateway, channel_id, wish)
  return { who, gateway, seat, id: seat.voice_session_id }
}

/** As a client does: joins, and again when that is refused for now. */
export async function joinAgain(gateway: Gateway, channel_id: number): Promise<Joined> {
  for (;;) {
    const { d, error } = await gateway.command('voice.join', { channel_id, ...MIC })
    if (d) return d
    expect(error.code).toBe('unavailable')
    await Bun.sleep(200)
  }
}
