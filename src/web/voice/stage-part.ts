import type { VoiceCall } from './call.ts'

/** True for a listener of a stage, who sends nothing. */
export const listens = ({ stage }: Pick<VoiceCall, 'stage'>): boolean => stage?.speaks === false

/** Stops everything that a listener of a stage sends; the microphone closes too. */
export function sendNothing(call: VoiceCall, onFault?: (error: unknown) => void): void {
  const muting = call.self_mute ? undefined : call.setMute(true)
  for (const end of [muting, call.setMicrophone(), call.setCamera(), call.stopSharing()]) end?.catch(onFault)
}
