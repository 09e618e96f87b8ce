import { hangUp, toggleScreen, touchCall } from '../../voice/current-call.ts'
import type { VoiceCall } from '../../voice/call.ts'
import { state } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'

/** The buttons of the current call: the microphone, the sound, the screen, and leaving. */
export const CallControls = ({ call }: { call: VoiceCall }) => {
  const channel = state.channels.get(call.channel_id)
  const mayShare = channel !== undefined && state.mayIn(channel, 'share_screen')
  return (
    <div class="controls">
      <IconButton
        icon={call.self_mute ? 'micOff' : 'mic'}
        label={call.self_mute ? words.voice.unmute : words.voice.mute}
        pressed={call.self_mute}
        onClick={() => void call.setMute(!call.self_mute).then(touchCall)}
      />
      <IconButton
        icon={call.self_deaf ? 'deaf' : 'undeaf'}
        label={call.self_deaf ? words.voice.undeafen : words.voice.deafen}
        pressed={call.self_deaf}
        onClick={() => void call.setDeaf(!call.self_deaf).then(touchCall)}
      />
      {mayShare ? (
        <IconButton
          icon="screen"
          class="sharing"
          label={call.sharing_screen ? words.voice.unshare : words.voice.share}
          pressed={call.sharing_screen}
          onClick={() => void toggleScreen()}
        />
      ) : null}
      <IconButton icon="hangUp" class="hang-up" label={words.voice.leave} onClick={() => void hangUp()} />
    </div>
  )
}
