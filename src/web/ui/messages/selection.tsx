import { signal } from '@preact/signals'
import type { Entry } from '../../state/timeline.ts'
import { words } from '../../words/words.ts'

/** Messages that one request deletes. */
const DELETED_AT_ONCE_MAX = 100

/** The selected messages of one channel; undefined outside selection mode. */
const selection = signal<{ channel_id: number; ids: ReadonlySet<number> } | undefined>(undefined)

/** Begins to select, with this message. */
export const select = ({ channel_id, id }: Entry): void => void (selection.value = { channel_id, ids: new Set([id]) })

/** Selected messages of a channel; undefined outside selection mode. */
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

/** Ends selecting. */
export const endSelecting = (): void => void (selection.value = undefined)
