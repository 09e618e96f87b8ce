import { useRef } from 'preact/hooks'
import type { Channel } from '../../../features/access/model.ts'
import type { VoiceState } from '../../../voice/model.ts'
import { follow, state } from '../../state/session.ts'
import { isServerChannel } from '../../state/state.ts'
import { join, prepareCall } from '../../voice/current-call.ts'
import { canCall, followCall, isCallSmall, joining, remoteOf, speakersIn } from '../../voice/shown-call.ts'
import { shownScreen } from '../../voice/screens.ts'
import { largePerson, stageView, toggleView } from '../../voice/stage-view.ts'
import { callWords } from '../../words/call.ts'
import { stageWords } from '../../words/stages.ts'
import { IconButton } from '../kit/controls.tsx'
import { Icon } from '../kit/icons.tsx'
import { onPhone, onSmallScreen } from '../kit/pane.tsx'
import { CallControls } from './call-controls.tsx'
import { FloatSwitch } from './floating-call.tsx'
import { FullCallHead } from './full-call.tsx'
import { LargePerson, ParticipantTile } from './participant-tile.tsx'
import { useQualities } from './quality-sign.tsx'
import { ScreenChoice, WatchedScreen } from './shared-screens.tsx'
import { SealSigns } from './seal-signs.tsx'
import { WaySign } from './way-sign.tsx'
import { Empty } from '../kit/empty.tsx'
import { StageFoot } from './stage-foot.tsx'
import { StageHead } from './stage-head.tsx'

/** Tiles of the members of a call, all of one shape; the watched screen or the active speaker fills the rest. */
export const CallStage = ({ channel_id }: { channel_id: number }) => {
  follow('voices', 'members', 'shell')
  const now = followCall()
  const large = useRef<number | undefined>(undefined)
  const isHere = now?.channel_id === channel_id
  const qualities = useQualities(isHere ? now : undefined)
  const channel = state.channels.get(channel_id)
  if (!channel) return null
  const isStage = channel.type === 'stage'
  const voices = speakersIn(channel_id)
  const isScreenShown = isHere && shownScreen(now) !== undefined
  const isWithSpeaker = isHere && !isScreenShown && stageView.value === 'speaker'
  const speaker = isWithSpeaker ? largePerson(voices, large.current) : undefined
  large.current = speaker?.user.id
  const otherVoices = voices.filter((voice) => voice !== speaker)
  const isFull = isHere && onSmallScreen.value && !isCallSmall.value
  // An upright phone is narrow.
  const columns = isFull && onPhone.value ? (voices.length > 3 ? 2 : 1) : Math.ceil(Math.sqrt(voices.length))
  const shape = { '--columns': columns, '--rows': Math.ceil(voices.length / Math.max(1, columns)) }
  const isAlone = !isServerChannel(channel) && isHere && voices.length === 1
  const call = isHere ? now : undefined
  const qualityFor = ({ user }: VoiceState) =>
    qualities.get(user.id === state.me() ? '' : (remoteOf(user.id)?.info.voice_session_id ?? '-'))
  return (
    <>
      {isFull ? <FullCallHead channel={channel} /> : null}
      {isStage && isServerChannel(channel) ? <StageHead channel={channel} /> : null}
      {call ? <ScreenChoice call={call} /> : null}
      <div class={`call-room ${isScreenShown || speaker ? 'with-screen' : ''}`}>
        {call ? <WatchedScreen call={call} /> : null}
        {speaker && call ? (
          <LargePerson voice={speaker} channel={channel} call={call} quality={qualityFor(speaker)} />
        ) : null}
        <ul class={`participants ${columns === 1 ? 'tall' : ''}`} style={shape}>
          {otherVoices.map((voice) => (
            <ParticipantTile
              key={voice.user.id}
              voice={voice}
              channel={channel}
              call={call}
              quality={qualityFor(voice)}
            />
          ))}
        </ul>
        {voices.length === 0 ? (
          <Empty icon={isStage ? 'stage' : 'voice'} title={isStage ? stageWords.noSpeakers : callWords.nobody} />
        ) : null}
      </div>
      {isStage && isServerChannel(channel) ? <StageFoot channel={channel} call={call} /> : null}
      {isFull ? <SealSigns call={now} /> : null}
      {isAlone ? <p class="quiet">{callWords.waiting}</p> : null}
      {isHere ? (
        <footer>
          <WaySign call={now} />
          <CallControls call={now} />
          <div class="switches">
            <FloatSwitch />
            <ViewSwitch />
          </div>
        </footer>
      ) : (
        <JoinButton channel={channel} />
      )}
    </>
  )
}

/** The button that joins the call; absent while the call rings, which has its own buttons. */
const JoinButton = ({ channel }: { channel: Channel }) => {
  if (state.ringing.has(channel.id)) return null
  if (!canCall()) return <p class="quiet">{callWords.noCalls}</p>
  const isDirect = !isServerChannel(channel)
  return (
    <button
      type="button"
      class="primary"
      disabled={joining.value || !state.mayIn(channel, 'connect')}
      onPointerEnter={prepareCall}
      onFocus={prepareCall}
      onClick={() => void join(channel.id)}
    >
      <Icon name={isDirect ? 'phone' : 'voice'} />
      {isDirect ? callWords.joinCall : channel.type === 'stage' ? stageWords.listen : callWords.join}
    </button>
  )
}

/** Switches between the grid and the active speaker. */
const ViewSwitch = () => {
  const isSpeaker = stageView.value === 'speaker'
  return (
    <IconButton
      icon={isSpeaker ? 'grid' : 'speaker'}
      label={isSpeaker ? callWords.gridView : callWords.speakerView}
      onClick={toggleView}
    />
  )
}
