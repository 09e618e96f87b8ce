import { nameOf } from '../../state/names.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { state } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'
import { answer, answeredIn } from './current-message.ts'

/** The message that is replied to, and whether its author is mentioned: in a dm, everything is said to them. */
export const ReplyingTo = ({ place }: { place: ChannelPlace }) => {
  const reply = answeredIn(place)
  if (!reply) return null
  const isMentionable = state.channels.get(place.channel_id)?.type !== 'dm' && reply.author_id !== state.me()
  const isQuiet = reply.isQuiet === true
  return (
    <div class="replying">
      {reply.isGone ? (
        <span role="status">{words.messages.gone}</span>
      ) : (
        <span>
          {words.messages.replyTo} <bdi>{nameOf(reply.author_id)}</bdi>
        </span>
      )}
      {isMentionable && !reply.isGone ? (
        <button
          type="button"
          class="bare calls"
          aria-pressed={!isQuiet}
          aria-label={words.composer.replyMention(nameOf(reply.author_id))}
          title={words.composer.replyMention(nameOf(reply.author_id))}
          onClick={() => answer(place, { ...reply, isQuiet: !isQuiet })}
        >
          {isQuiet ? words.composer.mentionOff : words.composer.mentionOn}
        </button>
      ) : null}
      <IconButton icon="close" size={16} label={words.cancel} onClick={() => answer(place, undefined)} />
    </div>
  )
}
