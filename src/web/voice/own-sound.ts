import { codeOf, type VoiceGateway } from './voice-gateway.ts'

/** Mute and deafen state of a member. Undeafening unmutes only if deafening had muted the member. */
export interface OwnSound {
  self_mute: boolean
  self_deaf: boolean
  isMutedByDeaf: boolean
}

/** Mutes or unmutes. Unmuting also undeafens: nobody speaks without hearing the others. */
export const mute = (isOn: boolean, { self_deaf }: OwnSound): OwnSound => ({
  self_mute: isOn,
  self_deaf: self_deaf && isOn,
  isMutedByDeaf: false,
})

/** Deafens and mutes, or undoes both: a member who was muted before stays muted. */
export function deafen(isOn: boolean, { self_mute, isMutedByDeaf }: OwnSound): OwnSound {
  const wasMuted = self_mute && !isMutedByDeaf
  return { self_mute: isOn || wasMuted, self_deaf: isOn, isMutedByDeaf: isOn && !wasMuted }
}

/** Silences the members of a call, or lets them be heard, as this member and the moderators have decided. */
export function deafenPeers(call: {
  peers: ReadonlyMap<string, { deafen(isDeaf: boolean): void }>
  self_deaf: boolean
  server_deaf: boolean
}): void {
  for (const peer of call.peers.values()) peer.deafen(call.self_deaf || call.server_deaf)
}

/** Reports the state to the others. Ignores an offline gateway: reconnecting reports it again. */
export const tell = (gateway: VoiceGateway, { self_mute, self_deaf }: OwnSound): Promise<unknown> =>
  gateway.command('voice.update', { self_mute, self_deaf }).catch((error: unknown) => {
    if (codeOf(error) !== undefined) throw error
  })
