import { useMemo } from 'preact/hooks'
import type { Channel } from '../../../features/access/model.ts'
import type { VoiceState } from '../../../voice/model.ts'
import { nameOf } from '../../state/names.ts'
import { follow, state } from '../../state/session.ts'
import type { VoiceCall } from '../../voice/call.ts'
import { watchedScreen } from '../../voice/current-call.ts'
import { followCall, remoteOf, speaksNow } from '../../voice/shown-call.ts'
import type { Quality } from '../../voice/quality.ts'
import { chosenPerson, showLarge, stageView } from '../../voice/stage-view.ts'
import { callWords } from '../../words/call.ts'
import { Avatar, groundOf, IconButton } from '../kit/controls.tsx'
import { Icon } from '../kit/icons.tsx'
import { ParticipantMenu } from './participant-menu.tsx'
import { QualitySign } from './quality-sign.tsx'
import { Picture } from './picture.tsx'
import { VoiceIndicators } from './voice-indicators.tsx'

interface TileProps {
  voice: VoiceState
  channel: Channel
  /** The account's call, if the stage shows it. */
  call: VoiceCall | undefined
  quality: Quality | undefined
}

/** Tile of a member: the video or picture, whether the member speaks or is muted, and a menu. */
export const ParticipantTile = ({ voice, channel, call, quality }: TileProps) => {
  follow('members')
  followCall()
  const { id } = voice.user
  const name = nameOf(id, voice.user.display_name)
  const isLarge = stageView.value === 'speaker' && chosenPerson.value === id
  return (
    <li
      class={`participant ${speaksNow(id) ? 'speaking' : ''}`}
      style={{ '--picture': groundOf(id) }}
      data-menu={`person ${id} ${channel.server_id ?? 0}`}
    >
      <Avatar id={id} size={64} />
      {call ? <Camera voice={voice} call={call} /> : null}
      <NameTag voice={voice} quality={quality} />
      {voice.reconnecting ? <small class="reconnecting">{callWords.states.reconnecting}</small> : null}
      <WatchButton id={id} />
      {call && !isLarge ? (
        <IconButton icon="expand" class="enlarge" label={callWords.showLarge(name)} onClick={() => showLarge(id)} />
      ) : null}
      <ParticipantMenu voice={voice} channel={channel} />
    </li>
  )
}

/** Opens the screen that a member shares. */
const WatchButton = ({ id }: { id: number }) => {
  followCall()
  const remote = remoteOf(id)
  if (!remote?.streams.has('screen') || watchedScreen.value === remote.info.voice_session_id) return null
  return (
    <button type="button" class="watch" onClick={() => (watchedScreen.value = remote.info.voice_session_id)}>
      <Icon name="screen" size={16} />
      {callWords.watchScreen}
    </button>
  )
}

interface LargeProps extends TileProps {
  call: VoiceCall
}

/** The member who fills the stage, while the others are in the strip. */
export const LargePerson = ({ voice, channel, call, quality }: LargeProps) => {
  followCall()
  const { id } = voice.user
  const isSpeaking = speaksNow(id)
  return (
    <div
      class={`screen person ${isSpeaking ? 'speaking' : ''}`}
      style={{ '--picture': groundOf(id) }}
      data-menu={`person ${id} ${channel.server_id ?? 0}`}
    >
      <Avatar id={id} size={96} />
      <Camera key={id} voice={voice} call={call} />
      <NameTag voice={voice} quality={quality} />
      <WatchButton id={id} />
      <ParticipantMenu key={id} voice={voice} channel={channel} />
    </div>
  )
}

const NameTag = ({ voice, quality }: { voice: VoiceState; quality: Quality | undefined }) => (
  <span class="tag">
    <VoiceIndicators voice={voice} />
    <bdi>{nameOf(voice.user.id, voice.user.display_name)}</bdi>
    {voice.user.id === state.me() ? <small>{callWords.you}</small> : null}
    {quality ? <QualitySign quality={quality} isOwn={voice.user.id === state.me()} /> : null}
  </span>
)

/** The video of a member's camera, if it is on. The account's own is mirrored. */
const Camera = ({ voice, call }: { voice: VoiceState; call: VoiceCall }) => {
  followCall()
  const { id } = voice.user
  const isOwn = id === state.me()
  const track = isOwn ? call.camera : undefined
  const ownStream = useMemo(() => track && new MediaStream([track]), [track])
  const remote = remoteOf(id)
  const stream = isOwn ? ownStream : remote?.streams.get('camera')
  if (!stream) return null
  const label = callWords.cameraOf(nameOf(id, voice.user.display_name))
  return (
    <Picture
      call={call}
      {...(remote ? { from: remote.info.voice_session_id } : {})}
      source="camera"
      stream={stream}
      label={label}
      class={isOwn ? 'camera own' : 'camera'}
    />
  )
}
