import { hideWhileDeleted } from '../../state/deleting.ts'
import { call } from '../../state/session.ts'
import { actionWords } from '../../words/actions.ts'
import { words } from '../../words/words.ts'
import { askToConfirm } from '../kit/ask.tsx'
import { tellRefusal } from '../kit/dialogs.tsx'
import { endSelecting, selectedIn } from './selection.tsx'
import { isComposingKey } from '../../state/keyboard.ts'

/** Replaces the composer in selection mode: the number of selected messages, and actions on them. */
export const SelectionBar = ({ channel_id }: { channel_id: number }) => {
  const ids = selectedIn(channel_id)
  if (!ids) return null
  const remove = () =>
    askToConfirm({
      title: actionWords.message.deleteSelected(ids.size),
      text: ids.size > 1 ? actionWords.message.deleteAllText : actionWords.message.deleteText,
      action: actionWords.message.delete,
      work: async () => {
        endSelecting()
        tellRefusal(
          hideWhileDeleted(channel_id, ids, () =>
            call('POST /api/channels/:channel_id/messages/bulk-delete', { channel_id }, { ids: [...ids] }),
          ),
        )
      },
    })
  return (
    <div
      class="composer selecting"
      onKeyDown={(event) => event.key === 'Escape' && !isComposingKey(event) && endSelecting()}
    >
      <p role="status">{actionWords.message.selected(ids.size)}</p>
      <button type="button" onClick={endSelecting}>
        {words.cancel}
      </button>
      <button type="button" class="danger" disabled={ids.size === 0} onClick={remove}>
        {actionWords.message.deleteSelected(ids.size)}
      </button>
    </div>
  )
}
