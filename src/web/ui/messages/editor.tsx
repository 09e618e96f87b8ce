import type { TargetedKeyboardEvent } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { expectMessage } from '../../state/expected.ts'
import { isComposingKey, isEnter } from '../../state/keyboard.ts'
import { type Composition, compositionOf, contentOf } from '../../state/mentions.ts'
import { knownNameOf, tokenNameOf } from '../../state/names.ts'
import { call, state } from '../../state/session.ts'
import type { Entry } from '../../state/timeline.ts'
import { halfEditedOf, keepHalfEdited } from '../../state/unsent.ts'
import { actionWords } from '../../words/actions.ts'
import { words } from '../../words/words.ts'
import { namesFor, withEmoji } from '../emoji/written-names.ts'
import { askToConfirm } from '../kit/ask.tsx'
import { tellRefusal } from '../kit/dialogs.tsx'
import { editing } from './current-message.ts'
import { breaksLine, isTouched, MentionField } from './mention-field.tsx'

/** Edits a message: Enter saves, Escape cancels. */
export const Editor = ({ entry }: { entry: Entry }) => {
  const [value, setValue] = useState(
    () => halfEditedOf(entry.id) ?? compositionOf(entry.content, knownNameOf, tokenNameOf),
  )
  const change = (next: Composition) => {
    setValue(next)
    keepHalfEdited(entry.id, next)
  }
  const close = () => {
    keepHalfEdited(entry.id, undefined)
    editing.value = undefined
  }
  const box = useRef<HTMLTextAreaElement>(null)
  // Before the next key: a keystroke may follow at once.
  useLayoutEffect(() => {
    const opener = document.activeElement
    const isWriting = opener instanceof HTMLTextAreaElement && opener.value !== ''
    // The editor reopens by itself after a refusal or a reload: do not take the focus from another field.
    if (isWriting && halfEditedOf(entry.id)) return
    box.current?.focus()
    box.current?.setSelectionRange(value.text.length, value.text.length)
    // Return the focus to a text field. If a button opened the editor, it is gone, and keepFocus focuses the row.
    return () => void (opener instanceof HTMLTextAreaElement && opener.focus())
  }, [])
  const isUnchanged = contentOf(value) === entry.content
  const save = async () => {
    if (isUnchanged) return close()
    await namesFor(value.text)
    const content = withEmoji(contentOf(value), state.channels.get(entry.channel_id))
    editing.value = undefined
    const save = expectMessage(entry, { content, edited_at: new Date().toISOString() }, () =>
      call('PUT /api/messages/:message_id', { message_id: entry.id }, { content }),
    )
    // Reopen the editor with a text that the server refused.
    save.then(
      () => keepHalfEdited(entry.id, undefined),
      () => (editing.value ??= entry.id),
    )
    tellRefusal(save)
  }
  const cancel = () => {
    if (isUnchanged) return close()
    askToConfirm({
      title: actionWords.message.discard,
      text: actionWords.message.discardText,
      action: actionWords.message.discardEdit,
      work: async () => close(),
    })
  }
  const key = (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposingKey(event)) return
    if (event.key === 'Escape') {
      // The same key must not close the question that it opens.
      event.preventDefault()
      cancel()
    }
    if (!isEnter(event) || breaksLine(event)) return
    event.preventDefault()
    void save()
  }
  return (
    <div class="body editor">
      <MentionField
        box={box}
        channel={state.channels.get(entry.channel_id)}
        label={actionWords.message.edit}
        value={value}
        onChange={change}
        onKeyDown={key}
      />
      <small class="quiet">{actionWords.message.editHint}</small>
      {isTouched ? (
        <span class="choices">
          <button type="button" onClick={cancel}>
            {words.cancel}
          </button>
          <button type="button" class="primary" onClick={save}>
            {words.save}
          </button>
        </span>
      ) : null}
    </div>
  )
}
