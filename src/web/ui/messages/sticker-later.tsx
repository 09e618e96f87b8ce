import type { ShownSticker } from '../../../features/stickers/model.ts'
import { Later } from '../kit/later.tsx'

const viewOf = async (sticker: ShownSticker | null) => {
  const { StickerView } = await import('../emoji/sticker-view.tsx')
  return () => <StickerView sticker={sticker} />
}

/** The sticker of a message; null if it is gone. Its place is kept while the code loads. */
export const StickerLater = ({ sticker }: { sticker: ShownSticker | null }) => (
  <Later key={sticker?.id} load={() => viewOf(sticker)} meanwhile={<p class="sticker" />} />
)
