import { signal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { words } from '../../words/words.ts'
import { IconButton } from './controls.tsx'
import { Field, Refusal, useAttempt } from './forms.tsx'

/** The open dialog. */
export const openDialog = signal<(() => ComponentChildren) | undefined>(undefined)

export const showDialog = (dialog: () => ComponentChildren): void => {
  openDialog.value = dialog
}
export const closeDialog = (): void => {
  openDialog.value = undefined
}

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
  class?: string
}

/** A modal dialog. Escape, the close button, or a click beside it close it. */
export const Dialog = ({ title, onClose, children, class: style = '' }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = element.current
    if (dialog && !dialog.open) dialog.showModal()
    return () => dialog?.close()
  }, [])
  const closeBeside = (event: MouseEvent) => event.target === element.current && onClose()
  const cancel = (event: Event) => {
    event.preventDefault()
    onClose()
  }
  return (
    <dialog ref={element} class={style} aria-label={title} onCancel={cancel} onMouseDown={closeBeside}>
      <header>
        <h2>{title}</h2>
        <IconButton icon="close" label={words.close} onClick={onClose} />
      </header>
      {children}
      <Note />
    </dialog>
  )
}

/** The title of a tab, and its content. */
export type Tab = [title: string, content: () => VNode]

/** A dialog of settings with tabs. */
export const TabbedDialog = ({ title, tabs, onClose }: { title: string; tabs: Tab[]; onClose: () => void }) => {
  const [chosen, setChosen] = useState(tabs[0])
  // The tab that has a title now: its content is newer than that of the tab that was clicked.
  const current = tabs.find(([name]) => name === chosen?.[0]) ?? chosen
  return (
    <Dialog title={title} onClose={onClose} class="settings">
      <nav class="tabs" aria-label={words.sections}>
        {tabs.map((tab) => (
          <button
            type="button"
            key={tab[0]}
            aria-current={tab === current ? 'page' : undefined}
            onClick={() => setChosen(tab)}
          >
            {tab[0]}
          </button>
        ))}
      </nav>
      <div class="scroll" tabIndex={0}>
        {current?.[1]()}
      </div>
    </Dialog>
  )
}

interface DangerDialogProps {
  title: string
  text: string
  action: string
  /** The request; its error is shown in the dialog. */
  work: () => Promise<unknown>
  disabled?: boolean
  children?: ComponentChildren
}

/** A dialog before a request that cannot be undone, with the fields that the request needs. */
export const DangerDialog = ({ title, text, action, work, disabled, children }: DangerDialogProps) => {
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
        {children}
        <Refusal error={error} />
        <footer>
          <button type="button" onClick={closeDialog}>
            {words.cancel}
          </button>
          <button class="danger" disabled={busy || disabled}>
            {action}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

/** A request to confirm; `typed` is a word that has to be typed first. */
type Question = Pick<DangerDialogProps, 'title' | 'text' | 'action' | 'work'> & { typed?: string }

/** Asks for confirmation of a request that cannot be undone. */
export const askToConfirm = (question: Question): void => showDialog(() => <Confirm {...question} />)

const Confirm = ({ typed, ...question }: Question) => {
  const [word, setWord] = useState('')
  return (
    <DangerDialog {...question} disabled={typed !== undefined && word !== typed}>
      {typed === undefined ? null : <Field label={words.typeToConfirm(typed)} value={word} onInput={setWord} />}
    </DangerDialog>
  )
}

/** A short note that disappears by itself. An open dialog, which lies above the page, shows it too. */
export const note = signal('')
let clearing: ReturnType<typeof setTimeout> | undefined
export function showNote(text: string, ms = 4000): void {
  clearTimeout(clearing)
  note.value = text
  clearing = setTimeout(() => (note.value = ''), ms)
}
export const Note = () => (
  <div class={`note ${note.value ? 'shown' : ''}`} role="status">
    {note.value}
  </div>
)
