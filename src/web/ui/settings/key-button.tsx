import { useState } from 'preact/hooks'
import { talkWords } from '../../words/talk.ts'
import { isComposingKey } from '../../state/keyboard.ts'

interface KeyButtonProps {
  label: string
  /** The text for the key. */
  keyText: string
  /** Called with a pressed key. @returns false to wait for another key */
  onKey: (event: KeyboardEvent) => boolean
}

/** A button that shows a key, and takes the next pressed one instead. Escape cancels. */
export const KeyButton = ({ label, keyText, onKey }: KeyButtonProps) => {
  const [asks, setAsks] = useState(false)
  const take = (event: KeyboardEvent) => {
    if (!asks || event.code === '' || isComposingKey(event)) return
    event.preventDefault()
    event.stopPropagation()
    if (event.code === 'Escape' || onKey(event)) setAsks(false)
  }
  return (
    <div class="field">
      <span>{label}</span>
      <button
        type="button"
        aria-label={`${label} ${asks ? talkWords.press : keyText}`}
        onClick={() => setAsks(true)}
        onKeyDown={take}
        onBlur={() => setAsks(false)}
      >
        {asks ? talkWords.press : keyText}
      </button>
    </div>
  )
}
