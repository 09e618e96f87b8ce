import { useEffect, useState } from 'preact/hooks'
import { newNonce } from '../../client/nonce.ts'
import { call, follow, loader, state } from '../../state/session.ts'
import type { Entry } from '../../state/timeline.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { actionWords } from '../../words/actions.ts'
import { words } from '../../words/words.ts'
import { Dialog } from '../kit/dialog.tsx'
import { showNote, topDialogCloser } from '../kit/dialogs.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsavedDialog } from '../kit/unsaved.ts'
import { channelFor, PlaceChoice, type Target } from './place-choice.tsx'

/** The dialog that forwards a message, to show. */
export const forwardOf = (entry: Entry) => () => <ForwardMessage entry={entry} />

/** The dialog that forwards a message: a place, and an optional comment. */
const ForwardMessage = ({ entry }: { entry: Entry }) => {
  follow('shell', 'members')
  const [comment, setComment] = useState('')
  const [chosen, setChosen] = useState<Target>()
  const [nonce] = useState(newNonce)
  const { attempt, busy, error } = useAttempt()
  const { close } = useUnsavedDialog(comment, busy)
  useEffect(() => {
    // Load the threads of the message's channel. Followed threads are loaded already.
    const home = state.channels.get(entry.channel_id)
    const parentId = home?.type === 'thread' ? home.parent_id : home?.id
    if (home?.server_id && parentId) void loader.threads(parentId, { archived: 'false' }).catch(() => {})
  }, [])
  const submit = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    if (chosen === undefined) return
    const answer = await attempt(async () => {
      const channel_id = await channelFor(chosen)
      const draft = {
        content: comment.trim(),
        forward_message_id: entry.id,
        nonce: `${nonce.slice(0, 24)}${channel_id}`,
      }
      return call('POST /api/channels/:channel_id/messages', { channel_id }, draft)
    })
    if (!answer) return
    closeThis()
    showNote(dialogWords.forward.done)
  }
  return (
    <Dialog title={actionWords.message.forward} onClose={close} class="small">
      <form onSubmit={submit}>
        <PlaceChoice target={chosen} onChoose={setChosen} />
        <Field label={dialogWords.forward.comment} value={comment} onInput={setComment} maxLength={4000} />
        <Refusal error={error} says={{ cannot_contact: words.direct.cannot }} />
        <FormFooter submit={dialogWords.forward.send} busy={busy || chosen === undefined} />
      </form>
    </Dialog>
  )
}
