import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { words } from '../../words/words.ts'
import { Dialog, Refusal, useAttempt } from './controls.tsx'

/** The open dialog. */
export const openDialog = signal<(() => ComponentChildren) | undefined>(undefined)

export const showDialog = (dialog: () => ComponentChildren): void => {
  openDialog.value = dialog
}
export const closeDialog = (): void => {
  openDialog.value = undefined
}

interface Question {
  title: string
  text: string
  action: string
  /** The request; its error is shown in the dialog. */
  work: () => Promise<unknown>
  /** A word that has to be typed to confirm. */
  typed?: string
}

/** Asks for confirmation of a request that cannot be undone. */
export const askToConfirm = (question: Question): void => showDialog(() => <Confirm {...question} />)

const Confirm = ({ title, text, action, work, typed }: Question) => {
  const [word, setWord] = useState('')
  const { attempt, busy, error } = useAttempt()
  const submit = async (event: Event) => {
    event.preventDefault()
    const done = await attempt(async () => {
      await work()
      return true
    })
    if (done) closeDialog()
  }
  return (
    <Dialog title={title} onClose={closeDialog} class="small">
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
          <button type="button" onClick={closeDialog}>
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

/** A short note that disappears by itself. */
export const note = signal('')
let clearing: ReturnType<typeof setTimeout> | undefined
export function showNote(text: string): void {
  clearTimeout(clearing)
  note.value = text
  clearing = setTimeout(() => (note.value = ''), 4000)
}
export const Note = () => (
  <div class={`note ${note.value ? 'shown' : ''}`} role="status">
    {note.value}
  </div>
)
