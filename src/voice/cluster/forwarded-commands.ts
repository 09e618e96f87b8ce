import type { Handlers } from '../../core/events.ts'
import { Problem } from '../../core/errors.ts'
import { fieldErrors } from '../../core/validation.ts'
import { voiceCommands } from '../model.ts'
import type { Speaker } from '../seat.ts'
import type { Front } from './forwarding.ts'
import type { Homes } from './room-owner.ts'

export type Commands = Handlers<typeof voiceCommands, Speaker>

/**
 * The commands for this node's own clients: what they say of a call goes to where that lives.
 * @param local the same, as this node runs them itself
 * @param elsewhere where an account's call in a server lives, when that is not this node
 * @param entering those by which a client comes to have a call
 */
export function handedOn(
  local: Commands,
  front: Front,
  elsewhere: (user_id: number, server_id: number) => string | undefined,
  entering: Pick<Commands, 'voice.join' | 'voice.resume'>,
): Commands {
  const all = Object.keys(voiceCommands).map((op) => {
    const name = op as keyof Commands
    const command = (client: Speaker, d: never) => {
      const node = front.homeOf(client)
      return node === undefined ? local[name](client, d) : front.ask(node, client, name, d)
    }
    return [op, command]
  })
  const targeted =
    (name: 'voice.move_member' | 'voice.disconnect_member') =>
    async (client: Speaker, d: { user_id: number; server_id: number }): Promise<Record<string, never>> => {
      const node = elsewhere(d.user_id, d.server_id)
      await (node === undefined ? local[name](client, d as never) : front.ask(node, client, name, d))
      return {}
    }
  return {
    ...(Object.fromEntries(all) as Commands),
    ...entering,
    'voice.mute_member': local['voice.mute_member'],
    'voice.move_member': targeted('voice.move_member'),
    'voice.disconnect_member': targeted('voice.disconnect_member'),
  }
}

/** Runs a command for a client of another node. @throws Problem as the command refuses */
export async function runHere(local: Commands, homes: Homes, client: Speaker, op: string, given: unknown) {
  const name = op as keyof Commands
  const parsed = voiceCommands[name].d.safeParse(given)
  if (!parsed.success) throw new Problem('validation_failed', undefined, { errors: fieldErrors(parsed.error, 'd') })
  const work = (): Promise<unknown> => local[name](client, parsed.data as never)
  if (name !== 'voice.join') return work()
  // The room may have gone elsewhere meanwhile.
  const elsewhere = () => Promise.reject(new Problem('unavailable'))
  return homes.at((parsed.data as { channel_id: number }).channel_id, work, elsewhere)
}
