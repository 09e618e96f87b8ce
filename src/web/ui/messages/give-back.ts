import { type Composition, joined } from '../../state/mentions.ts'
import { keepHalfEdited, keepUnsent, unsentOf } from '../../state/unsent.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { showNote } from '../kit/dialogs.tsx'
import { editing, rewritten } from './current-message.ts'

const NOTE_MS = 8_000

/** Puts the text of a message that was deleted while it was being edited into the field of its channel. */
export function giveBack({ id, channel_id }: { id: number; channel_id: number }, text: Composition): void {
  const { value, reply } = unsentOf({ channel_id })
  keepUnsent({ channel_id }, { value: joined(value, text), reply })
  rewritten.value = { channel_id }
  keepHalfEdited(id, undefined)
  if (editing.value === id) editing.value = undefined
  showNote(dialogWords.writing.editGone, NOTE_MS)
}
