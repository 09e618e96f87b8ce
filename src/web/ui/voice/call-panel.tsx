import { useLayoutEffect } from 'preact/hooks'
import { titleOf } from '../../state/names.ts'
import { placePath, route } from '../../state/route.ts'
import { follow, state } from '../../state/session.ts'
import { attendCall, microphoneFault } from '../../voice/attend-call.ts'
import { callError, followCall, touchCall } from '../../voice/shown-call.ts'
import { listens } from '../../voice/stage-part.ts'
import { callWords } from '../../words/call.ts'
import { onSmallScreen } from '../kit/pane.tsx'
import { CallControls } from './call-controls.tsx'
import { CallPill } from './full-call.tsx'
import { SealSigns, useSealNotes } from './seal-signs.tsx'
import { WaySign } from './way-sign.tsx'

/** The current call, with its route and its controls unless the stage shows them. */
export const CallPanel = () => {
  const now = followCall()
  const error = callError.value
  useLayoutEffect(() => now && attendCall(now), [now])
  useSealNotes(now)
  follow('shell', 'members')
  const channel = now && state.channels.get(now.channel_id)
  const isBarred = channel !== undefined && !state.mayIn(channel, 'share_screen')
  // Others receive nothing any more.
  useLayoutEffect(() => {
    if (isBarred && now) void Promise.all([now.stopSharing(), now.setCamera()]).then(touchCall)
  }, [now, isBarred])
  if (!now) return null
  const here = route.value
  const isOnStage = 'channel_id' in here && here.channel_id === now.channel_id
  if (onSmallScreen.value && channel)
    return (
      <section class="current-call pill" aria-label={callWords.call}>
        <CallPill channel={channel} state={now.state} />
        {now.silenced && !listens(now) ? <small class="warned">{callWords.silenced}</small> : null}
        <SealSigns call={now} />
        <MicrophoneSign />
        {error ? <small class="warned">{error}</small> : null}
      </section>
    )
  return (
    <section class={`current-call ${isOnStage ? 'on-stage' : ''}`} aria-label={callWords.call}>
      <p role="status">
        <strong>{callWords.states[now.state]}</strong>{' '}
        {channel ? <a href={placePath(channel.id)}>{titleOf(channel)}</a> : null}
      </p>
      {isOnStage ? null : <WaySign call={now} />}
      {now.silenced && !listens(now) ? <small class="warned">{callWords.silenced}</small> : null}
      <SealSigns call={now} />
      <MicrophoneSign />
      {error ? <small class="warned">{error}</small> : null}
      {isOnStage ? null : <CallControls call={now} />}
    </section>
  )
}

/** Warning while others cannot hear the member. */
const MicrophoneSign = () => {
  const fault = microphoneFault.value
  if (!fault) return null
  return (
    <small class="warned" role="status">
      {fault !== 'none' ? callWords.mutedBySystem : isSecureContext ? callWords.noMicrophone : callWords.needsHttps}
    </small>
  )
}
