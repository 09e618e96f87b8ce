import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { words } from '../../words/words.ts'
import { Dialog, Refusal, useAttempt } from './controls.tsx'

/** The window that is open over the page, if one is. */
export const openDialog = signal<(() => ComponentChildren) | undefined>(undefined)

export const show = (dialog: () => ComponentChildren): void => {
  openDialog.value = dialog
}
export const dismiss = (): void => {
  openDialog.value = undefined
}

interface Question {
  title: string
  text: string
  action: string
  /** What is asked to be done; its refusal is shown. */
  work: () => Promise<unknown>
  /** A word that has to be typed first. */
  typed?: string
}

/** Asks before something that cannot be undone. */
export const confirmed = (question: Question): void => show(() => <Confirm {...question} />)

const Confirm = ({ title, text, action, work, typed }: Question) => {
  const [word, setWord] = useState('')
  const { attempt, busy, error } = useAttempt()
  const submit = async (event: Event) => {
    event.preventDefault()
    const done = await attempt(async () => {
      await work()
      return true
    })
    if (done) dismiss()
  }
  return (
    <Dialog title={title} onClose={dismiss} class="small">
      <form onSubmit={submit}>
        <p>{text}</p>
        {typed === undefined ? null : (
          <label class="field">
            <span>{words.typeToConfirm(typed)}</span>
            <input value={word} onInput={(event) => setWord(event.currentTarget.value)} />
          </label>
        )}
        <Refusal error={error} />
        <footer>
          <button type="button" onClick={dismiss}>
            {words.cancel}
          </button>
          <button class="danger" disabled={busy || (typed !== undefined && word !== typed)}>
            {action}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

/** A short note that goes by itself. */
export const note = signal('')
let clearing: ReturnType<typeof setTimeout> | undefined
export function tell(text: string): void {
  clearTimeout(clearing)
  note.value = text
  clearing = setTimeout(() => (note.value = ''), 4000)
}
export const Note = () => (
  <div class={`note ${note.value ? 'shown' : ''}`} role="status">
    {note.value}
  </div>
)
