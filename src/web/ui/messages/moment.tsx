import { useEffect, useState } from 'preact/hooks'
import { withTimes } from '../../../core/markup/times.ts'
import { momentIn, momentOf } from '../../state/format.ts'

/** Interval at which a relative time is updated; within a minute of it, every second. */
const FAR_MS = 30_000
const NEAR_S = 60

/** A time in a text, in the reader's language and time zone; hovering shows the full date and time. */
export const Moment = ({ seconds, style }: { seconds: number; style: string }) => {
  const [, redraw] = useState(0)
  useEffect(() => {
    if (style !== 'R') return
    const isNear = Math.abs(Date.now() / 1000 - seconds) <= NEAR_S
    const timer = setTimeout(() => redraw(Date.now()), isNear ? 1000 : FAR_MS)
    return () => clearTimeout(timer)
  })
  const time = new Date(seconds * 1000).toISOString()
  return (
    <time class="moment" dateTime={time} title={momentOf(time)}>
      <bdi>{momentIn(seconds, style)}</bdi>
    </time>
  )
}

/** A text without other marks, with its moments in words. */
export const Timed = ({ text }: { text: string }) => <>{withTimes(text, momentIn)}</>
