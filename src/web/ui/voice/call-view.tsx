import { useEffect, useRef } from 'preact/hooks'
import type { Channel } from '../../../features/channels/model.ts'
import { isServerChannel, type ServerChannel } from '../../state/state.ts'
import type { VoiceState } from '../../../voice/model.ts'
import {
  followCall,
  join,
  joining,
  remoteOf,
  setVolume,
  voicesIn,
  volumeOf,
  watchedScreen,
} from '../../voice/current-call.ts'
import { nameOf } from '../../state/names.ts'
import { follow, gateway, state } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { Avatar, IconButton } from '../kit/controls.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { Icon } from '../kit/icons.tsx'

/** The call of a channel: its members, their shared screens, and the button to join. */
export const CallView = ({ channel }: { channel: Channel }) => {
  follow('voices', 'members', 'shell')
  const now = followCall()
  const isHere = now?.channel_id === channel.id
  const voices = voicesIn(channel.id)
  const isDirect = !isServerChannel(channel)
  const shown = isHere && watchedScreen.value ? now.peers.get(watchedScreen.value)?.streams.get('screen') : undefined
  return (
    <section class="voice" aria-label={words.voice.members}>
      {shown ? <SharedScreen stream={shown} /> : null}
      <ul class="participants">
        {voices.map((voice) => (
          <ParticipantTile key={voice.user.id} voice={voice} channel={channel} />
        ))}
      </ul>
      {voices.length === 0 ? <p class="empty">{words.voice.nobody}</p> : null}
      {isDirect && isHere && voices.length === 1 ? <p class="quiet">{words.voice.waiting}</p> : null}
      {/* A call that rings is accepted or declined beside this. */}
      {isHere || state.ringing.has(channel.id) ? null : (
        <button
          type="button"
          class="primary"
          disabled={joining.value || !state.mayIn(channel, 'connect')}
          onClick={() => void join(channel.id)}
        >
          <Icon name={isDirect ? 'phone' : 'voice'} />
          {isDirect ? words.voice.joinCall : words.voice.join}
        </button>
      )}
    </section>
  )
}

/** The shared screen that is watched. */
const SharedScreen = ({ stream }: { stream: MediaStream }) => {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (video.current) video.current.srcObject = stream
  }, [stream])
  return (
    <div class="screen">
      <video ref={video} autoplay playsInline muted aria-label={words.voice.screen} />
      <span class="choices">
        <IconButton
          icon="screen"
          label={words.voice.fullScreen}
          onClick={() => void video.current?.requestFullscreen()}
        />
        <IconButton icon="close" label={words.voice.closeScreen} onClick={() => (watchedScreen.value = undefined)} />
      </span>
    </div>
  )
}

/** A member of the call: speaking or not, mute state, shared screen, volume. */
const ParticipantTile = ({ voice, channel }: { voice: VoiceState; channel: Channel }) => {
  follow('members')
  followCall()
  const { id } = voice.user
  const remote = remoteOf(id)
  const volume = volumeOf(id)
  return (
    <li class={`participant ${remote?.speaking ? 'speaking' : ''}`}>
      <Avatar id={id} size={64} />
      <span class="row">
        <bdi>{nameOf(id, voice.user.display_name)}</bdi>
        <VoiceIndicators voice={voice} />
      </span>
      {voice.reconnecting ? <small>{words.voice.states.reconnecting}</small> : null}
      {remote?.streams.has('screen') && watchedScreen.value !== remote.info.voice_session_id ? (
        <button type="button" onClick={() => (watchedScreen.value = remote.info.voice_session_id)}>
          {words.voice.watchScreen}
        </button>
      ) : null}
      {remote ? (
        <input
          type="range"
          min={0}
          max={1}
          step={0.05}
          value={volume}
          aria-label={words.voice.volume(nameOf(id))}
          onInput={(event) => setVolume(id, Number(event.currentTarget.value))}
        />
      ) : null}
      {id === state.me() || !isServerChannel(channel) ? null : <Moderation voice={voice} channel={channel} />}
    </li>
  )
}

/** Icons for a member who is muted, deafened or shares a screen. */
export const VoiceIndicators = ({ voice }: { voice: VoiceState }) => (
  <span class="marks">
    {voice.self_mute || voice.server_mute ? (
      <span class={voice.server_mute ? 'warned' : ''} role="img" aria-label={words.voice.muted}>
        <Icon name="micOff" size={16} />
      </span>
    ) : null}
    {voice.self_deaf ? (
      <span role="img" aria-label={words.voice.deafened}>
        <Icon name="deaf" size={16} />
      </span>
    ) : null}
    {voice.sharing_screen ? (
      <span role="img" aria-label={words.voice.sharing}>
        <Icon name="screen" size={16} />
      </span>
    ) : null}
  </span>
)

/** The moderator's buttons for a member of the call. */
const Moderation = ({ voice, channel }: { voice: VoiceState; channel: ServerChannel }) => {
  const { attempt, error } = useAttempt()
  const target = { server_id: channel.server_id, user_id: voice.user.id }
  return (
    <span class="choices">
      {state.may(channel.server_id, 'mute_members') ? (
        <IconButton
          icon={voice.server_mute ? 'mic' : 'micOff'}
          size={16}
          label={voice.server_mute ? words.voice.unmuteMember : words.voice.muteMember}
          onClick={() =>
            void attempt(() => gateway.command('voice.mute_member', { ...target, mute: !voice.server_mute }))
          }
        />
      ) : null}
      {state.may(channel.server_id, 'move_members') ? (
        <IconButton
          icon="hangUp"
          size={16}
          label={words.voice.disconnectMember}
          onClick={() => void attempt(() => gateway.command('voice.disconnect_member', target))}
        />
      ) : null}
      <Refusal error={error} />
    </span>
  )
}
