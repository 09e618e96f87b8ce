import { signal } from '@preact/signals'
import { call } from '../../state/session.ts'
import type { Entry } from '../../state/timeline.ts'
import { words } from '../../words/words.ts'
import { askToConfirm } from '../kit/dialogs.tsx'

/** Messages that one request deletes. */
const DELETED_AT_ONCE_MAX = 100

/** The messages of one channel that are selected, while one selects. */
const selection = signal<{ channel_id: number; ids: ReadonlySet<number> } | undefined>(undefined)

/** Begins to select, with this message. */
export const select = ({ channel_id, id }: Entry): void => void (selection.value = { channel_id, ids: new Set([id]) })

/** What is selected in a channel; undefined while nothing is being selected there. */
export const selectedIn = (channel_id: number): ReadonlySet<number> | undefined =>
  selection.value?.channel_id === channel_id ? selection.value.ids : undefined

/** The box that selects a message. */
export const SelectBox = ({ entry: { channel_id, id } }: { entry: Entry }) => {
  const ids = selectedIn(channel_id)
  if (!ids) return null
  const toggle = () => (selection.value = { channel_id, ids: ids.symmetricDifference(new Set([id])) })
  return (
    <label class="pick">
      <input
        type="checkbox"
        aria-label={words.messages.selectThis}
        checked={ids.has(id)}
        disabled={!ids.has(id) && ids.size >= DELETED_AT_ONCE_MAX}
        onChange={toggle}
      />
    </label>
  )
}

/** In place of the composer while one selects: how many are selected, and what to do with them. */
export const SelectionBar = ({ channel_id }: { channel_id: number }) => {
  const ids = selectedIn(channel_id)
  if (!ids) return null
  const end = () => (selection.value = undefined)
  const remove = () =>
    askToConfirm({
      title: words.messages.deleteSelected(ids.size),
      text: ids.size > 1 ? words.messages.deleteAllText : words.messages.deleteText,
      action: words.messages.delete,
      work: async () => {
        await call('POST /api/channels/:channel_id/messages/bulk-delete', { channel_id }, { ids: [...ids] })
        end()
      },
    })
  return (
    <div class="composer selecting" onKeyDown={(event) => event.key === 'Escape' && end()}>
      <p role="status">{words.messages.selected(ids.size)}</p>
      <button type="button" onClick={end}>
        {words.cancel}
      </button>
      <button type="button" class="danger" disabled={ids.size === 0} onClick={remove}>
        {words.messages.deleteSelected(ids.size)}
      </button>
    </div>
  )
}
