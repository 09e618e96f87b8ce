import type { ShownSticker } from '../../../features/stickers/model.ts'
import type { Entry } from '../../state/timeline.ts'
import { Later } from '../kit/later.tsx'

interface StickerLaterProps {
  /** Null if it is gone. */
  sticker: ShownSticker | null
  entry: Pick<Entry, 'channel_id' | 'author'>
}

const viewOf = async (props: StickerLaterProps) => {
  const { StickerView } = await import('../emoji/sticker-view.tsx')
  return () => <StickerView {...props} />
}

/** The sticker of a message. Its space is kept while the code loads. */
export const StickerLater = (props: StickerLaterProps) => (
  <Later load={() => viewOf(props)} meanwhile={<p class="sticker" />} />
)
