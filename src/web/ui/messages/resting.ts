import { store } from '../../state/session.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { placeKey } from '../../client/outbox.ts'
import { forgetBefore, oldestToKeep } from '../../state/resting.ts'
import type { Timeline } from '../../state/timeline.ts'
import { selectedIn } from './selection.tsx'

/** True if messages must stay: something above this one is focused or playing, or anything on the page is selected. */
function isUsed({ channel_id }: ChannelPlace, beforeId: number): boolean {
  const isAbove = (element: Element | null) =>
    Number(element?.closest<HTMLElement>('.entries > [data-id]')?.dataset['id'] ?? Infinity) < beforeId
  const playing = [...document.querySelectorAll<HTMLMediaElement>('.entries :is(audio, video)')]
  return (
    selectedIn(channel_id) !== undefined ||
    getSelection()?.isCollapsed === false ||
    isAbove(document.activeElement) ||
    playing.some((media) => !media.paused && isAbove(media))
  )
}

/**
 * Unloads messages far above in a list that rests at its end, because the browser's work for any change of the page
 * grows with the number of rows.
 * @param lineId the message above the "new" line
 */
export function unloadAbove(place: ChannelPlace, timeline: Timeline, lineId: number): void {
  const oldest = timeline.atNewest ? oldestToKeep(timeline, lineId) : undefined
  if (oldest === undefined || isUsed(place, oldest)) return
  forgetBefore(timeline, oldest)
  store.touch(`timeline ${placeKey(place)}`)
  store.notify()
}
