import { useEffect } from 'preact/hooks'
import { store } from '../../state/session.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { placeKey } from '../../client/outbox.ts'
import { forgetBefore, oldestToKeep, type Timeline } from '../../state/timeline.ts'
import { selectedIn } from './selection.tsx'

/** Interval at which a list at its end checks for distant messages to unload. */
const LOOKS_MS = 3_000

/** True if an element above this message is in use: focused, selected, or playing. */
function isUsed({ channel_id }: ChannelPlace, before_id: number): boolean {
  const isAbove = (element: Element | null) =>
    Number(element?.closest<HTMLElement>('.entries > [data-id]')?.dataset['id'] ?? Infinity) < before_id
  const playing = [...document.querySelectorAll<HTMLMediaElement>('.entries :is(audio, video)')]
  return (
    selectedIn(channel_id) !== undefined ||
    getSelection()?.isCollapsed === false ||
    isAbove(document.activeElement) ||
    playing.some((media) => !media.paused && isAbove(media))
  )
}

/**
 * Forgets the messages far above once one rests at the end of a place: whatever changes in the page, the browser
 * styles, measures and paints by the number of rows.
 * @param line_id the message above the "new" line
 */
export function useResting(place: ChannelPlace, timeline: Timeline | undefined, line_id: number, atBottom: boolean) {
  const key = placeKey(place)
  useEffect(() => {
    if (!timeline || !atBottom) return
    const look = () => {
      const oldest = timeline.atNewest ? oldestToKeep(timeline, line_id) : undefined
      if (oldest === undefined || isUsed(place, oldest)) return
      forgetBefore(timeline, oldest)
      store.touch(`timeline ${key}`)
      store.notify()
    }
    const timer = setInterval(look, LOOKS_MS)
    return () => clearInterval(timer)
  }, [key, timeline, line_id, atBottom])
}
