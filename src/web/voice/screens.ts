import type { VoiceCall } from './call.ts'
import { callError, touchCall } from './current-call.ts'
import type { ScreenKind } from './screen-share.ts'

const failed = (error: Error): void => {
  // NotAllowedError: the person has cancelled the browser's dialog.
  if (error.name !== 'NotAllowedError') callError.value = error.message
}

/** Shares the screen, with its sound if the browser offers it. */
export async function shareScreen(call: VoiceCall, kind: ScreenKind): Promise<void> {
  await call.shareScreen(kind).catch(failed)
  touchCall()
}

export async function stopSharing(call: VoiceCall): Promise<void> {
  await call.stopSharing().catch(failed)
  touchCall()
}
