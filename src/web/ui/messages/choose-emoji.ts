import type { RefObject } from 'preact'
import type { Channel } from '../../../features/access/model.ts'
import type { Composition } from '../../state/mentions.ts'
import { openPicker } from '../emoji/open-picker.tsx'
import { composeEmoji } from '../emoji/written-names.ts'
import type { SendsPicture } from '../emoji/sends-picture.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { answer, answeredIn } from './current-message.ts'
import { lastSent } from './scroll.ts'
import { draftOf } from './send-unsent.ts'

/** How the picker sends a sticker or picture to a place: it leaves the written text, and answers what that would. */
const sendsPicture = (place: ChannelPlace): SendsPicture => ({
  draft: () => draftOf({ content: '', file_ids: [], reply: answeredIn(place) }),
  onSent: () => {
    lastSent.value = { ...place, count: lastSent.value.count + 1 }
    answer(place, undefined)
  },
})

/** Opens the picker: inserts an emoji at the caret, and sends a sticker or picture at once. */
export const chooseEmoji = (
  place: ChannelPlace,
  channel: Channel,
  box: RefObject<HTMLTextAreaElement | null>,
  value: Composition,
  change: (next: Composition) => void,
): void =>
  void openPicker(
    channel,
    (emoji) => {
      const [start, end] = [
        box.current?.selectionStart ?? value.text.length,
        box.current?.selectionEnd ?? value.text.length,
      ]
      const { composition, caret } = composeEmoji(value, start, end, emoji)
      change(composition)
      setTimeout(() => {
        box.current?.focus()
        box.current?.setSelectionRange(caret, caret)
      })
    },
    sendsPicture(place),
  )
