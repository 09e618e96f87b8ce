import type { SendsPicture } from '../emoji/sends-picture.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { answer, answeredIn } from './current-message.ts'
import { lastSent } from './scroll.ts'
import { draftOf } from './send-unsent.ts'

/** How the picker sends a sticker or picture to a place: it leaves the written text, and answers what that would. */
export const sendsPicture = (place: ChannelPlace): SendsPicture => ({
  draft: () => draftOf({ content: '', file_ids: [], reply: answeredIn(place) }),
  onSent: () => {
    lastSent.value = { ...place, count: lastSent.value.count + 1 }
    answer(place, undefined)
  },
})
