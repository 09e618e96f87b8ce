import { useEffect, useState } from 'preact/hooks'
import { nameOf } from '../../state/names.ts'
import { follow, state } from '../../state/session.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { placeKey } from '../../client/outbox.ts'
import { words } from '../../words/words.ts'

/** Above this many people, the line names nobody. */
const NAMES_MAX = 3

const typingText = (names: string[]): string =>
  names.length > NAMES_MAX ? words.typingMany : words.typing({ names, n: names.length })

/** The names of those who are typing. */
export const TypingLine = ({ place }: { place: ChannelPlace }) => {
  const key = placeKey(place)
  follow('members', `typing ${key}`, `timeline ${key}`)
  const [, rerender] = useState(0)
  const now = Date.now()
  const typing = [...(state.typing.get(key) ?? [])].filter(([id, until]) => until > now && id !== state.me())
  useEffect(() => {
    if (typing.length === 0) return
    const timer = setTimeout(() => rerender(now), Math.min(...typing.map(([, until]) => until)) - now + 50)
    return () => clearTimeout(timer)
  })
  return (
    <p class="typing" aria-live="polite">
      {typing.length > 0 ? typingText(typing.map(([id]) => nameOf(id))) : null}
    </p>
  )
}
