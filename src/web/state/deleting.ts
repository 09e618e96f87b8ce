import { signal } from '@preact/signals'
import { state, store } from './session.ts'
import { change, remove } from './timeline.ts'

/** Messages with a pending delete of the account, which are hidden. */
const leaving = signal<ReadonlySet<number>>(new Set())

/** True while a request to delete the message is pending. */
export const isLeaving = (id: number): boolean => leaving.value.has(id)

/** Hides messages while a request deletes them; a refusal shows them again. @throws what the request throws */
export async function hideWhileDeleted(channelId: number, ids: ReadonlySet<number>, work: () => Promise<unknown>) {
  leaving.value = leaving.value.union(ids)
  try {
    await work()
    // Their events may come later.
    const timeline = state.timelines.get(`c${channelId}`)
    if (timeline) change(timeline, (row) => ids.forEach((id) => remove(row, id)))
    store.touch(`timeline c${channelId}`)
    store.notify()
  } finally {
    leaving.value = leaving.value.difference(ids)
  }
}
