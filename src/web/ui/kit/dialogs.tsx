import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Fragment } from 'preact'
import { reasonOf } from '../../state/reason.ts'
import { words } from '../../words/words.ts'

/** The open dialogs, the topmost one last. */
export const openDialogs = signal<(() => ComponentChildren)[]>([])

export const showDialog = (dialog: () => ComponentChildren): void => {
  openDialogs.value = [...openDialogs.value, dialog]
}
/** The newest wish for a dialog that has to be loaded. */
let newestWish = 0
/** Shows a dialog whose code is loaded on first use; a second click, or another page, cancels the first. */
export async function showLater(load: () => Promise<() => ComponentChildren>): Promise<void> {
  const wish = ++newestWish
  try {
    const dialog = await load()
    if (wish === newestWish) showDialog(dialog)
  } catch {
    tellNotLoaded()
  }
}
/** Shows a note that code could not be loaded. */
export const tellNotLoaded = (): void => showNote(words.notLoaded)
/** Returns a function that closes the dialog that is topmost now. Once a request has ended, another may be above it. */
export const topDialogCloser = (): (() => void) => {
  const own = openDialogs.peek().at(-1)
  return () => {
    openDialogs.value = openDialogs.peek().filter((dialog) => dialog !== own)
  }
}
/** Closes the topmost dialog. */
export const closeDialog = (): void => topDialogCloser()()
export const closeDialogs = (): void => {
  newestWish++
  openDialogs.value = []
}

/** Questions are shown above their dialog, whose input stays. */
export const Dialogs = () => (
  <>
    {openDialogs.value.map((dialog) => (
      <Fragment key={dialog}>{dialog()}</Fragment>
    ))}
  </>
)

/** A short note that disappears by itself. An open dialog shows it too, because it covers the page. */
export const note = signal('')
let clearing: ReturnType<typeof setTimeout> | undefined
export function showNote(text: string, ms = 4000): void {
  clearTimeout(clearing)
  note.value = text
  clearing = setTimeout(() => (note.value = ''), ms)
}
/** Shows the reason why a change, which was shown at once, is undone. */
export const tellRefusal = (work: Promise<unknown>): void =>
  void work.catch((error: unknown) => showNote(words.failed(reasonOf(error))))

export const Note = () => (
  <div class={`note ${note.value ? 'shown' : ''}`} role="status">
    {note.value}
  </div>
)
