import { hangUp, toggleScreen, touchCall } from '../../voice/current-call.ts'
import type { VoiceCall } from '../../voice/call.ts'
import { state } from '../../state/session.ts'
import { callWords } from '../../words/call.ts'
import { IconButton } from '../kit/controls.tsx'

/** The buttons of the current call: the microphone, the sound, the screen, and leaving. */
export const CallControls = ({ call }: { call: VoiceCall }) => {
  const channel = state.channels.get(call.channel_id)
  const mayShare = channel !== undefined && state.mayIn(channel, 'share_screen')
  return (
    <div class="controls">
      <IconButton
        icon={call.self_mute ? 'micOff' : 'mic'}
        label={call.self_mute ? callWords.unmute : callWords.mute}
        pressed={call.self_mute}
        onClick={() => void call.setMute(!call.self_mute).then(touchCall)}
      />
      <IconButton
        icon={call.self_deaf ? 'deaf' : 'undeaf'}
        label={call.self_deaf ? callWords.undeafen : callWords.deafen}
        pressed={call.self_deaf}
        onClick={() => void call.setDeaf(!call.self_deaf).then(touchCall)}
      />
      {mayShare ? (
        <IconButton
          icon="screen"
          class="sharing"
          label={call.sharing_screen ? callWords.unshare : callWords.share}
          pressed={call.sharing_screen}
          onClick={() => void toggleScreen()}
        />
      ) : null}
      <IconButton icon="hangUp" class="hang-up" label={callWords.leave} onClick={() => void hangUp()} />
    </div>
  )
}
