import { nameOf } from '../../state/names.ts'
import { follow, state } from '../../state/session.ts'
import { isSpoken } from '../../state/spoken.ts'
import type { ServerChannel } from '../../state/state.ts'
import { followCall, speakersIn, speaksNow, voicesIn } from '../../voice/shown-call.ts'
import { stageWords } from '../../words/stages.ts'
import { words } from '../../words/words.ts'
import { eventsAt } from '../calendar/now-slot.ts'
import { Avatar } from '../kit/controls.tsx'
import { Icon } from '../kit/icons.tsx'
import { showProfile } from '../people/show-people.tsx'
import { VoiceIndicators } from '../voice/voice-indicators.tsx'
import { voiceSlot } from './voice-slot.ts'

/** From now on, the list of channels shows who is in voice channels and stages. */
export const showVoices = (): void =>
  void (voiceSlot.value = {
    below: (channel) =>
      isSpoken(channel) ? (
        <>
          {eventsAt.value?.(channel.id)}
          <VoiceMembers key={`in ${channel.id}`} channel={channel} />
        </>
      ) : null,
    beside: ({ id, type, user_limit }) =>
      type === 'stage' ? (
        <Listeners channel_id={id} />
      ) : user_limit ? (
        <Taken channel_id={id} limit={user_limit} />
      ) : null,
  })

/** Members in a voice channel, or speakers of a stage; shows who speaks if the account is in this call. */
const VoiceMembers = ({ channel: { id: channelId, server_id } }: { channel: ServerChannel }) => {
  follow('voices', 'members')
  followCall()
  return (
    <>
      {speakersIn(channelId).map((voice) => (
        <li key={voice.user.id} class={`row inside ${speaksNow(voice.user.id) ? 'speaking' : ''}`}>
          <button
            type="button"
            class="bare"
            data-menu={`person ${voice.user.id} ${server_id}`}
            onClick={() => void showProfile(voice.user.id, server_id)}
          >
            <Avatar id={voice.user.id} size={22} />
            <bdi>{nameOf(voice.user.id, voice.user.display_name)}</bdi>
            <VoiceIndicators voice={voice} />
          </button>
        </li>
      ))}
    </>
  )
}

/** The number of people in a voice channel, and its limit. */
const Taken = ({ channel_id, limit }: { channel_id: number; limit: number }) => {
  follow('voices')
  const n = voicesIn(channel_id).length
  return (
    <small role="img" aria-label={words.channels.taken({ n, limit })}>
      {n}/{limit}
    </small>
  )
}

/** The number of listeners of a stage. */
const Listeners = ({ channel_id }: { channel_id: number }) => {
  follow('voices')
  const n = state.audiences.get(channel_id) ?? 0
  if (n === 0) return null
  return (
    // The number is no text, since the link has a name of its own.
    <small class="listeners" title={stageWords.audience(n)} data-count={n}>
      <Icon name="members" size={14} />
    </small>
  )
}
