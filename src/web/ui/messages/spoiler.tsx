import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { words } from '../../words/words.ts'
import { isComposingKey } from '../../state/keyboard.ts'

/** Text that is hidden until a click or a key reveals it. */
export const Spoiler = ({ children }: { children: ComponentChildren }) => {
  const [isShown, show] = useState(false)
  if (isShown) return <span class="spoiler">{children}</span>
  return (
    <span
      class="spoiler covered"
      role="button"
      tabIndex={0}
      aria-label={words.messages.spoiler}
      onClick={() => show(true)}
      onKeyDown={(event) => {
        if ((event.key !== 'Enter' && event.key !== ' ') || isComposingKey(event)) return
        event.preventDefault()
        show(true)
      }}
    >
      <span inert aria-hidden="true">
        {children}
      </span>
    </span>
  )
}
