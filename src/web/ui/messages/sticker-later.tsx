import type { ShownSticker } from '../../../features/stickers/model.ts'
import { state } from '../../state/session.ts'
import type { Entry } from '../../state/timeline.ts'
import { Later } from '../kit/later.tsx'

const viewOf = async (sticker: ShownSticker | null, isCovered: boolean) => {
  const { StickerView } = await import('../emoji/sticker-view.tsx')
  return () => <StickerView sticker={sticker} isCovered={isCovered} />
}

interface StickerLaterProps {
  /** Null if it is gone. */
  sticker: ShownSticker | null
  entry: Pick<Entry, 'channel_id' | 'author'>
}

/** The sticker of a message, covered in a message request. Its space is kept while the code loads. */
export const StickerLater = ({ sticker, entry: { channel_id, author } }: StickerLaterProps) => {
  const isCovered = state.isRequest(channel_id) && author.id !== state.me()
  return <Later key={`${sticker?.id}`} load={() => viewOf(sticker, isCovered)} meanwhile={<p class="sticker" />} />
}
