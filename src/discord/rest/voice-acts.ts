import { z } from 'zod'
import { demand, membership } from '../../features/access/guard.ts'
import { newSocketData } from '../../gateway/socket.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Call } from './call.ts'

// Acts of a bot on members of calls: the commands of Parley's gateway, with the same guards.

/** The burst is what a socket of our own gateway may send in a minute. */
const ACTS: BucketPolicy = { name: 'discord-voice-acts', burst: 60, refillPerS: 1 }

export const VoiceFields = z.object({
  mute: z.boolean().nullish(),
  deaf: z.boolean().nullish(),
  /** Null puts the member out of its call. */
  channel_id: z.string().nullish(),
})
export type VoiceFields = z.infer<typeof VoiceFields>

/**
 * Mutes, deafens, moves or disconnects a member; absent fields change nothing.
 * @throws Problem `missing_permission`, `not_found` for who is in no call of the server, `rate_limited`
 */
export async function actInVoice(
  call: Call,
  target: { server_id: number; user_id: number },
  { mute, deaf, channel_id }: VoiceFields,
): Promise<void> {
  if (typeof mute !== 'boolean' && typeof deaf !== 'boolean' && channel_id === undefined) return
  const { parts, voice } = call.tools
  await parts.limits.take(call.caller, ACTS, `user:${call.me.id}`)
  // A client without a socket: these commands need only the account.
  const client = newSocketData(call.me, undefined, call.caller.base)
  // The first refusal stops the rest. Acts on calls come first, because they can fail for more reasons.
  const { permissions } = await membership(parts.sql, target.server_id, call.me.id)
  if (typeof mute === 'boolean') demand(permissions, 'mute_members')
  if (typeof deaf === 'boolean') demand(permissions, 'deafen_members')
  if (channel_id === null) await voice['voice.disconnect_member'](client, target)
  else if (channel_id !== undefined) {
    const channel = await call.find('channel', channel_id)
    await voice['voice.move_member'](client, { ...target, channel_id: channel })
  }
  if (typeof mute === 'boolean') await voice['voice.mute_member'](client, { ...target, mute })
  if (typeof deaf === 'boolean') await voice['voice.deafen_member'](client, { ...target, deafen: deaf })
}
