import { nameOf } from '../../state/names.ts'
import { placePath } from '../../state/route.ts'
import { follow, state } from '../../state/session.ts'
import type { Entry } from '../../state/timeline.ts'
import { words } from '../../words/words.ts'
import { Icon } from '../kit/icons.tsx'
import { RichText } from './rich-text.tsx'
import { StickerLater } from './sticker-later.tsx'

interface ForwardedProps {
  forwarded: NonNullable<Entry['forwarded']>
  /** The message that forwards. */
  entry: Pick<Entry, 'channel_id' | 'author'>
}

/** A forward: its text, and for readers of the original, its author and a link to it. */
export const Forwarded = ({ forwarded, entry }: ForwardedProps) => {
  follow('members')
  const { author, content, channel_id, message_id, sticker } = forwarded
  const isSeen = channel_id !== null && message_id !== null && state.channels.get(channel_id) !== undefined
  return (
    <blockquote class="forwarded">
      <small class="quiet">
        <Icon name="forward" size={14} /> {words.forward.forwarded}
        {author ? (
          <>
            {' · '}
            <bdi>{nameOf(author.id, author.display_name)}</bdi>
          </>
        ) : null}
        {isSeen ? (
          <>
            {' · '}
            <a href={placePath(channel_id, message_id)}>{words.forward.original}</a>
          </>
        ) : null}
      </small>
      {content === null ? <p class="quiet">{words.messages.gone}</p> : content ? <RichText text={content} /> : null}
      {sticker === undefined ? null : <StickerLater sticker={sticker} entry={entry} />}
    </blockquote>
  )
}
