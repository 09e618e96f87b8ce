import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { isComposingKey } from '../../state/keyboard.ts'
import { words } from '../../words/words.ts'
import { IconButton } from './controls.tsx'
import { closeDialog, Note, topDialogCloser } from './dialogs.tsx'
import { Refusal, useAttempt } from './forms.tsx'
import { placeBeside } from './open-menu.tsx'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
  /** `small` for a form or a few lines; other kinds lay their parts out themselves. */
  class: string
  /** Anchor of the dialog on a wide page, which then is not darkened. */
  beside?: HTMLElement | undefined
  onKeyDown?: (event: KeyboardEvent) => void
}

/** Fades out the veil over the page after a dialog was closed. */
function liftVeil(): void {
  if (matchMedia('(prefers-reduced-motion)').matches) return
  const veil = document.createElement('div')
  veil.className = 'leaving'
  veil.popover = 'manual'
  veil.onanimationend = veil.onanimationcancel = () => veil.remove()
  document.body.append(veil)
  veil.showPopover()
}

/**
 * Drops the caret that a click left inside a dialog, or outside it. For a caret whose text is gone, Chromium searches
 * the whole page at every layout. A selection with a length stays.
 */
function dropCaret(dialog: Element, isInside: boolean): void {
  const selection = getSelection()
  if (selection?.isCollapsed && dialog.contains(selection.anchorNode) === isInside) selection.removeAllRanges()
}

/** A modal dialog. Escape, the close button or a click outside close it. */
export const Dialog = ({ title, onClose, children, class: style, beside, onKeyDown }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null)
  /** The previously focused element, which gets the focus back on close. */
  const opener = useRef(document.activeElement)
  // In the layout effect, because the next key belongs to the dialog.
  useLayoutEffect(() => {
    const dialog = element.current as HTMLDialogElement
    if (!dialog.open) dialog.showModal()
    const place = () => beside && placeBeside(dialog, beside)
    place()
    addEventListener('resize', place)
    dropCaret(dialog, false)
    return () => {
      removeEventListener('resize', place)
      dialog.close()
      dropCaret(dialog, true)
      if (!beside) liftVeil()
      if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
    }
  }, [])
  const closeBeside = (event: MouseEvent) => event.target === element.current && onClose()
  const cancel = (event: Event) => {
    event.preventDefault()
    onClose()
  }
  const key = (event: KeyboardEvent) => {
    onKeyDown?.(event)
    // WebKit's search fields consume Escape, so the dialog gets no cancel event. A field with text is emptied first.
    const { target } = event
    const isEmptySearch = target instanceof HTMLInputElement && target.type === 'search' && target.value === ''
    if (event.key === 'Escape' && isEmptySearch && !event.defaultPrevented && !isComposingKey(event)) cancel(event)
  }
  return (
    <dialog
      ref={element}
      class={`${style} ${beside ? 'beside' : ''}`}
      aria-label={title}
      onCancel={cancel}
      onMouseDown={closeBeside}
      onKeyDown={key}
    >
      <header>
        <h2>{title}</h2>
        <IconButton icon="close" label={words.close} onClick={onClose} />
      </header>
      {children}
      <Note />
    </dialog>
  )
}

export interface DangerDialogProps {
  title: string
  text: string
  action: string
  /** The request; its error is shown in the dialog. A function that it returns runs when the dialog is closed. */
  work: () => Promise<unknown>
  disabled?: boolean
  onClose?: () => void
  children?: ComponentChildren
}

/** A dialog before a request that cannot be undone, with the fields that the request needs. */
export const DangerDialog = ({
  title,
  text,
  action,
  work,
  disabled,
  onClose = closeDialog,
  children,
}: DangerDialogProps) => {
  const { attempt, busy, error } = useAttempt()
  // A person does not leave a request that may still fail.
  const close = () => void (busy || onClose())
  const submit = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    const result = await attempt(async () => ({ next: await work() }))
    if (!result) return
    closeThis()
    if (typeof result.next !== 'function') return
    // Let the dialog go first, so that the focus returns to what opened it.
    await Promise.resolve()
    result.next()
  }
  return (
    <Dialog title={title} onClose={close} class="small">
      <form onSubmit={submit}>
        <p>{text}</p>
        {children}
        <Refusal error={error} />
        <div class="footer">
          <button type="button" onClick={close}>
            {words.cancel}
          </button>
          <button class="danger" disabled={busy || disabled}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
