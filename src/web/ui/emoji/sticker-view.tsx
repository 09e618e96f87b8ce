import { useState } from 'preact/hooks'
import type { ShownSticker } from '../../../features/stickers/model.ts'
import { follow, state } from '../../state/session.ts'
import type { Entry } from '../../state/timeline.ts'
import { stickerWords } from '../../words/stickers.ts'
import { words } from '../../words/words.ts'

/** The picture of a sticker; for who wants less motion, still-emoji.ts says when it moves. */
export const StickerPicture = ({ sticker: { url, alt, name } }: { sticker: ShownSticker }) => (
  <picture>
    <source srcset={`${url}?still`} media="(prefers-reduced-motion)" />
    <img src={url} alt={alt} title={name} draggable={false} loading="lazy" decoding="async" />
  </picture>
)

interface StickerViewProps {
  /** Null if it is gone. */
  sticker: ShownSticker | null
  /** The message. In a message request, it is shown only once the account wants to see it. */
  entry: Pick<Entry, 'channel_id' | 'author'>
}

/** A sticker in a message, with its newest name and description. */
export const StickerView = ({ sticker, entry: { channel_id, author } }: StickerViewProps) => {
  follow('shell')
  const [isRevealed, setRevealed] = useState(author.id === state.me() || !state.isRequest(channel_id))
  if (!sticker) return <p class="quiet">{stickerWords.gone}</p>
  if (!isRevealed)
    return (
      <button type="button" class="covered-sticker" onClick={() => setRevealed(true)}>
        {words.files.uncover}
      </button>
    )
  return (
    <p class="sticker">
      <StickerPicture sticker={state.stickers.get(sticker.id) ?? sticker} />
    </p>
  )
}
