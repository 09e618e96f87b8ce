import type { Joined, VoicePeer } from '../../voice/model.ts'

/** The part of a call that sends. */
interface Sending {
  self_mute: boolean
  setMute(isOn: boolean): Promise<unknown>
  setMicrophone(): Promise<unknown>
  setCamera(): Promise<unknown>
  stopSharing(): Promise<unknown>
}

/** True for a listener of a stage, who sends nothing. */
export const listens = ({ stage }: { stage?: Joined['stage'] }): boolean => stage?.speaks === false

/** Stops everything that a listener of a stage sends; the microphone closes too. */
export function sendNothing(call: Sending, onFault?: (error: unknown) => void): void {
  const muting = call.self_mute ? undefined : call.setMute(true)
  for (const end of [muting, call.setMicrophone(), call.setCamera(), call.stopSharing()]) end?.catch(onFault)
}

/** The rights of a member in its call, as moderators and the stage have set them. */
export const standingOf = ({
  silenced,
  server_deaf,
  camera_stopped,
  stage,
}: Pick<VoicePeer, 'silenced' | 'server_deaf' | 'camera_stopped' | 'stage'>) => ({
  silenced,
  server_deaf,
  camera_stopped,
  stage,
})
