import { words } from '../../words/words.ts'
import { showNote } from './dialogs.tsx'

/** Copies a text and says so. */
export async function copyText(text: string, note: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // A page without https has no clipboard.
    if (!copyBySelection(text)) return showNote(words.notCopied)
  }
  showNote(note)
}

/** Copies by the command of older browsers. @returns whether it was copied */
function copyBySelection(text: string): boolean {
  const [field, before] = [document.createElement('textarea'), document.activeElement]
  field.value = text
  field.className = 'hidden'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return isCopied
}
