import { type Composition, joinTexts } from '../../state/mentions.ts'
import { isPruned } from '../../state/prune-events.ts'
import { gateway } from '../../state/session.ts'
import { halfEditedOf, keepHalfEdited, keepUnsent, unsentOf } from '../../state/unsent.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { showNote } from '../kit/dialogs.tsx'
import { answer, answeredIn, editing, rewritten } from './current-message.ts'

const NOTE_MS = 8_000

/** Puts the text of a message that was deleted while it was being edited into the field of its channel. */
function giveBack({ id, channel_id }: { id: number; channel_id: number }, text: Composition): void {
  const { value, reply } = unsentOf({ channel_id })
  keepUnsent({ channel_id }, { value: joinTexts(value, text), reply })
  rewritten.value = { channel_id }
  keepHalfEdited(id, undefined)
  if (editing.value === id) editing.value = undefined
  showNote(dialogWords.writing.editGone, NOTE_MS)
}

/** Keeps the edit of a message, or the reply to it, if the message is deleted meanwhile. */
export function listenForDeletions(): void {
  gateway.listen(({ t, d }) => {
    if (t === 'channel.pruned_by') {
      const target = answeredIn(d)
      const author = { id: target?.author_id ?? 0 }
      if (target && isPruned(d, { id: target.id, author })) answer(d, { ...target, isGone: true })
    }
    if (t !== 'message.deleted') return
    const target = answeredIn(d)
    if (target?.id === d.id) answer(d, { ...target, isGone: true })
    const text = halfEditedOf(d.id)
    if (text) giveBack(d, text)
  })
}
