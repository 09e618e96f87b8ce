import { useLayoutEffect } from 'preact/hooks'
import { compositionOf, joinTexts } from '../../state/mentions.ts'
import { nameOf } from '../../state/names.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { reasonOf } from '../../state/reason.ts'
import { type BlockedDraft, outbox } from '../../state/session.ts'
import { keepUnsent, unsentOf } from '../../state/unsent.ts'
import { rewritten } from './current-message.ts'

/** Puts the text of a message that a rule blocked back into its field, and says why. */
export const BlockedLine = ({ place, blocked: { draft, error } }: { place: ChannelPlace; blocked: BlockedDraft }) => {
  useLayoutEffect(() => {
    const { value, reply } = unsentOf(place)
    const text = compositionOf(draft.content, nameOf)
    keepUnsent(place, { value: value.text === '' ? text : joinTexts(text, value), reply })
    rewritten.value = { channel_id: place.channel_id }
    outbox.drop(draft.nonce)
  }, [])
  return (
    <p class="refusal too-long" role="alert">
      {reasonOf(error)}
    </p>
  )
}
