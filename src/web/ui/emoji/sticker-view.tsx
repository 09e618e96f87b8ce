import type { ShownSticker } from '../../../features/stickers/model.ts'
import { follow, state } from '../../state/session.ts'
import { stickerWords } from '../../words/stickers.ts'

/** The picture of a sticker; for who wants less motion, still-emoji.ts says when it moves. */
export const StickerPicture = ({ sticker: { url, alt, name } }: { sticker: ShownSticker }) => (
  <picture>
    <source srcset={`${url}?still`} media="(prefers-reduced-motion)" />
    <img src={url} alt={alt} title={name} draggable={false} loading="lazy" decoding="async" />
  </picture>
)

/** A sticker in a message, with its newest name and description; null if it is gone. */
export const StickerView = ({ sticker }: { sticker: ShownSticker | null }) => {
  follow('shell')
  if (!sticker) return <p class="quiet">{stickerWords.gone}</p>
  return (
    <p class="sticker">
      <StickerPicture sticker={state.stickers.get(sticker.id) ?? sticker} />
    </p>
  )
}
