import { useId, useRef } from 'preact/hooks'
import type { Channel } from '../../../features/access/model.ts'
import type { VoiceState } from '../../../voice/model.ts'
import { nameOf } from '../../state/names.ts'
import { gateway, state } from '../../state/session.ts'
import { isServerChannel, type ServerChannel } from '../../state/state.ts'
import { isMutedHere, muteHere, setVolume, volumeOf } from '../../voice/current-call.ts'
import { followCall, remoteOf } from '../../voice/shown-call.ts'
import { VOLUME_MAX } from '../../voice/loudness.ts'
import { callWords } from '../../words/call.ts'
import { stageWords } from '../../words/stages.ts'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { Icon } from '../kit/icons.tsx'
import { placeBeside } from '../kit/open-menu.tsx'
import { moderatesStage } from './stage-head.tsx'
import { showVerification } from './show-verification.tsx'

interface ParticipantProps {
  voice: VoiceState
  channel: Channel
}

/** Volume of a member of the call, and the moderators' actions; absent for the account itself. */
export const ParticipantMenu = ({ voice, channel }: ParticipantProps) => {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const { id: user_id, display_name } = voice.user
  const name = nameOf(user_id, display_name)
  const serverChannel = isServerChannel(channel) && moderates(channel) ? channel : undefined
  const isHeard = remoteOf(user_id) !== undefined
  if (user_id === state.me() || !(isHeard || serverChannel)) return null
  const place = () => panel.current && opener.current && placeBeside(panel.current, opener.current)
  return (
    <>
      <button
        ref={opener}
        type="button"
        class="bare person-more"
        aria-label={callWords.options(name)}
        title={callWords.options(name)}
        popovertarget={id}
      >
        <Icon name="more" />
      </button>
      <div
        ref={panel}
        id={id}
        class="menu person-panel"
        role="dialog"
        aria-label={callWords.options(name)}
        popover="auto"
        onToggle={place}
      >
        <p>
          <bdi>{name}</bdi>
        </p>
        {isHeard ? <Volume user_id={user_id} /> : null}
        {isHeard ? <MuteHere user_id={user_id} /> : null}
        {isHeard ? <Verify user_id={user_id} /> : null}
        {serverChannel ? <Moderation voice={voice} channel={serverChannel} /> : null}
      </div>
    </>
  )
}

const moderates = ({ server_id }: ServerChannel): boolean =>
  (['mute_members', 'deafen_members', 'move_members'] as const).some((bit) => state.may(server_id, bit))

const Volume = ({ user_id }: { user_id: number }) => {
  followCall()
  return (
    <label class="volume">
      <Icon name="voice" size={18} />
      <input
        type="range"
        min={0}
        max={VOLUME_MAX}
        step={0.05}
        value={volumeOf(user_id)}
        aria-valuetext={`${Math.round(volumeOf(user_id) * 100)} %`}
        aria-label={callWords.volume(nameOf(user_id))}
        onInput={(event) => setVolume(user_id, Number(event.currentTarget.value))}
      />
    </label>
  )
}

/** Mutes a member only in this browser; nobody is notified. */
const MuteHere = ({ user_id }: { user_id: number }) => {
  followCall()
  const isMuted = isMutedHere(user_id)
  return (
    <button type="button" aria-pressed={isMuted} onClick={() => muteHere(user_id, !isMuted)}>
      <Icon name={isMuted ? 'voice' : 'deaf'} size={18} />
      <span>{isMuted ? callWords.unmuteHere : callWords.muteHere}</span>
    </button>
  )
}

/** Opens the numbers to compare with a member of an encrypted call. */
const Verify = ({ user_id }: { user_id: number }) => {
  if (followCall()?.sealing.state !== 'sealed') return null
  return (
    <button type="button" onClick={() => void showVerification(user_id)}>
      <Icon name="lock" size={18} />
      <span>{callWords.verification.compare}</span>
    </button>
  )
}

/** The moderator's buttons for a member of the call. */
const Moderation = ({ voice, channel }: { voice: VoiceState; channel: ServerChannel }) => {
  const { attempt, error } = useAttempt()
  const target = { server_id: channel.server_id, user_id: voice.user.id }
  const mute = () => attempt(() => gateway.command('voice.mute_member', { ...target, mute: !voice.server_mute }))
  const deafen = () => attempt(() => gateway.command('voice.deafen_member', { ...target, deafen: !voice.server_deaf }))
  const stopCamera = () =>
    attempt(() => gateway.command('voice.stop_camera', { ...target, stop: !voice.camera_stopped }))
  return (
    <>
      {state.may(channel.server_id, 'mute_members') ? (
        <button type="button" onClick={() => void mute()}>
          <Icon name={voice.server_mute ? 'mic' : 'micOff'} size={18} />
          <span>{voice.server_mute ? callWords.unmuteMember : callWords.muteMember}</span>
        </button>
      ) : null}
      {state.may(channel.server_id, 'deafen_members') ? (
        <button type="button" onClick={() => void deafen()}>
          <Icon name={voice.server_deaf ? 'undeaf' : 'deaf'} size={18} />
          <span>{voice.server_deaf ? callWords.undeafenMember : callWords.deafenMember}</span>
        </button>
      ) : null}
      {state.may(channel.server_id, 'mute_members') ? (
        <button type="button" onClick={() => void stopCamera()}>
          <Icon name={voice.camera_stopped ? 'camera' : 'cameraOff'} size={18} />
          <span>{voice.camera_stopped ? callWords.allowCamera : callWords.stopCamera}</span>
        </button>
      ) : null}
      {state.may(channel.server_id, 'move_members') ? (
        <button
          type="button"
          class="dangerous"
          onClick={() => void attempt(() => gateway.command('voice.disconnect_member', target))}
        >
          <Icon name="hangUp" size={18} />
          <span>{callWords.disconnectMember}</span>
        </button>
      ) : null}
      {voice.stage?.speaks && moderatesStage(channel) ? (
        <button type="button" onClick={() => void attempt(() => gateway.command('voice.send_down', target))}>
          <Icon name="stage" size={18} />
          <span>{stageWords.sendDown(nameOf(voice.user.id, voice.user.display_name))}</span>
        </button>
      ) : null}
      <Refusal error={error} />
    </>
  )
}
