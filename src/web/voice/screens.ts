import { state } from '../state/session.ts'
import type { VoiceCall } from './call.ts'
import { watchedScreen } from './current-call.ts'
import { callError, touchCall } from './shown-call.ts'
import type { ScreenKind } from './screen-share.ts'

/** Key of this member's own screen, instead of a voice session. */
export const OWN_SCREEN = 'own'

interface SharedScreen {
  /** The voice session that shares it, or OWN_SCREEN. */
  from: string
  user_id: number
  stream: MediaStream
}

/** All shared screens of the call, this member's first. */
export function sharedScreens(call: VoiceCall): SharedScreen[] {
  const ownStream = call.ownScreen()
  const remote = [...call.peers].flatMap(([from, { info, streams }]) => {
    const stream = streams.get('screen')
    return stream ? [{ from, user_id: info.user.id, stream }] : []
  })
  return ownStream ? [{ from: OWN_SCREEN, user_id: state.me(), stream: ownStream }, ...remote] : remote
}

/** The watched screen. */
export const shownScreen = (call: VoiceCall): SharedScreen | undefined =>
  sharedScreens(call).find(({ from }) => from === watchedScreen.value)

const onError = (error: Error): void => {
  // NotAllowedError: the person has cancelled the browser's dialog.
  if (error.name !== 'NotAllowedError') callError.value = error.message
}

/** Shares the screen, with its sound if the browser offers it. */
export async function shareScreen(call: VoiceCall, kind: ScreenKind): Promise<void> {
  // The person has not chosen to watch this screen, as they did the last, and it may show this page.
  if (watchedScreen.value === OWN_SCREEN) watchedScreen.value = undefined
  await call.shareScreen(kind).catch(onError)
  touchCall()
}

export async function stopSharing(call: VoiceCall): Promise<void> {
  await call.stopSharing().catch(onError)
  touchCall()
}
