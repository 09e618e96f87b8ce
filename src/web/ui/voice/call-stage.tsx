import { useEffect, useRef } from 'preact/hooks'
import type { Channel } from '../../../features/channels/model.ts'
import type { VoiceState } from '../../../voice/model.ts'
import { nameOf } from '../../state/names.ts'
import { follow, state } from '../../state/session.ts'
import { isServerChannel } from '../../state/state.ts'
import { followCall, join, joining, remoteOf, voicesIn, watchedScreen } from '../../voice/current-call.ts'
import { callWords } from '../../words/call.ts'
import { words } from '../../words/words.ts'
import { Avatar, groundOf, IconButton } from '../kit/controls.tsx'
import { Icon } from '../kit/icons.tsx'
import { CallControls } from './call-controls.tsx'
import { VoiceIndicators } from './voice-indicators.tsx'
import { ParticipantMenu } from './participant-menu.tsx'
import { WaySign } from './way-sign.tsx'

/** Who is in a call, each in a tile of the same shape; the screen that is watched fills the rest. */
export const CallStage = ({ channel_id }: { channel_id: number }) => {
  follow('voices', 'members', 'shell')
  const now = followCall()
  const channel = state.channels.get(channel_id)
  if (!channel) return null
  const isHere = now?.channel_id === channel_id
  const voices = voicesIn(channel_id)
  const shown = isHere && watchedScreen.value ? now.peers.get(watchedScreen.value) : undefined
  const screen = shown?.streams.get('screen')
  const columns = Math.ceil(Math.sqrt(voices.length))
  const shape = { '--columns': columns, '--rows': Math.ceil(voices.length / Math.max(1, columns)) }
  const isAlone = !isServerChannel(channel) && isHere && voices.length === 1
  return (
    <>
      <div class={`call-room ${screen ? 'with-screen' : ''}`}>
        {screen && shown ? <SharedScreen stream={screen} user_id={shown.info.user.id} /> : null}
        <ul class="participants" style={shape}>
          {voices.map((voice) => (
            <ParticipantTile key={voice.user.id} voice={voice} channel={channel} />
          ))}
        </ul>
        {voices.length === 0 ? <p class="empty">{callWords.nobody}</p> : null}
      </div>
      {isAlone ? <p class="quiet">{callWords.waiting}</p> : null}
      {isHere ? (
        <footer>
          <WaySign call={now} />
          <CallControls call={now} />
        </footer>
      ) : (
        <JoinButton channel={channel} />
      )}
    </>
  )
}

/** A call that rings is accepted or declined beside this. */
const JoinButton = ({ channel }: { channel: Channel }) => {
  if (state.ringing.has(channel.id)) return null
  const isDirect = !isServerChannel(channel)
  return (
    <button
      type="button"
      class="primary"
      disabled={joining.value || !state.mayIn(channel, 'connect')}
      onClick={() => void join(channel.id)}
    >
      <Icon name={isDirect ? 'phone' : 'voice'} />
      {isDirect ? callWords.joinCall : callWords.join}
    </button>
  )
}

/** The shared screen that is watched. */
const SharedScreen = ({ stream, user_id }: { stream: MediaStream; user_id: number }) => {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (video.current) video.current.srcObject = stream
  }, [stream])
  return (
    <div class="screen">
      <video ref={video} autoplay playsInline muted aria-label={callWords.screen} />
      <p class="tag">
        <Avatar id={user_id} size={22} />
        <bdi>{nameOf(user_id)}</bdi> {words.voice.sharing}
      </p>
      <span class="choices">
        <IconButton
          icon="expand"
          label={callWords.fullScreen}
          onClick={() => void video.current?.requestFullscreen()}
        />
        <IconButton icon="close" label={callWords.closeScreen} onClick={() => (watchedScreen.value = undefined)} />
      </span>
    </div>
  )
}

/** A member of the call: speaking or not, muted or not, and what one may do about it. */
const ParticipantTile = ({ voice, channel }: { voice: VoiceState; channel: Channel }) => {
  follow('members')
  followCall()
  const { id } = voice.user
  const remote = remoteOf(id)
  const name = nameOf(id, voice.user.display_name)
  return (
    <li class={`participant ${remote?.speaking ? 'speaking' : ''}`} style={{ '--picture': groundOf(id) }}>
      <Avatar id={id} size={64} />
      <span class="tag">
        <VoiceIndicators voice={voice} />
        <bdi>{name}</bdi>
        {id === state.me() ? <small>{callWords.you}</small> : null}
      </span>
      {voice.reconnecting ? <small class="reconnecting">{callWords.states.reconnecting}</small> : null}
      {remote?.streams.has('screen') && watchedScreen.value !== remote.info.voice_session_id ? (
        <button type="button" class="watch" onClick={() => (watchedScreen.value = remote.info.voice_session_id)}>
          <Icon name="screen" size={16} />
          {callWords.watchScreen}
        </button>
      ) : null}
      <ParticipantMenu voice={voice} channel={channel} />
    </li>
  )
}
