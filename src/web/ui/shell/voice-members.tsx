import { nameOf } from '../../state/names.ts'
import { follow } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import { followCall, speaksNow, voicesIn } from '../../voice/shown-call.ts'
import { words } from '../../words/words.ts'
import { Avatar } from '../kit/controls.tsx'
import { showProfile } from '../people/show-people.tsx'
import { VoiceIndicators } from '../voice/voice-indicators.tsx'

/** Members in a voice channel; shows the speakers if the account is in this call. */
export const VoiceMembers = ({ channel: { id: channelId, server_id } }: { channel: ServerChannel }) => {
  follow('voices', 'members')
  followCall()
  return (
    <>
      {voicesIn(channelId).map((voice) => (
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
export const Taken = ({ channel_id, limit }: { channel_id: number; limit: number }) => {
  follow('voices')
  const n = voicesIn(channel_id).length
  return (
    <small role="img" aria-label={words.channels.taken({ n, limit })}>
      {n}/{limit}
    </small>
  )
}
