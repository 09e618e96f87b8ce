import { useEffect } from 'preact/hooks'
import { store } from '../../state/session.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { placeKey } from '../../client/outbox.ts'
import { forgetBefore, oldestToKeep, type Timeline } from '../../state/timeline.ts'
import { selectedIn } from './selection.tsx'

/** Interval at which a list at its end checks for messages to unload. */
const LOOKS_MS = 3_000

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
 * Unloads messages far above while the list rests at its end, because the browser's work for any change of the page
 * grows with the number of rows.
 * @param lineId the message above the "new" line
 */
export function useResting(place: ChannelPlace, timeline: Timeline | undefined, lineId: number, isAtBottom: boolean) {
  const key = placeKey(place)
  useEffect(() => {
    if (!timeline || !isAtBottom) return
    const look = () => {
      const oldest = timeline.atNewest ? oldestToKeep(timeline, lineId) : undefined
      if (oldest === undefined || isUsed(place, oldest)) return
      forgetBefore(timeline, oldest)
      store.touch(`timeline ${key}`)
      store.notify()
    }
    const timer = setInterval(look, LOOKS_MS)
    return () => clearInterval(timer)
  }, [key, timeline, lineId, isAtBottom])
}
