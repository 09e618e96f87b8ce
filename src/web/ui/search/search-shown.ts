import { signal } from '@preact/signals'

/** True if the search is open. */
export const searchShown = signal(false)
/** Counts the wishes to type into the field. */
export const searchFocus = signal(0)

/** The element that had the focus before. */
let opener: Element | null = null

export function showSearch(): void {
  if (!searchShown.value) opener = document.activeElement
  searchShown.value = true
  searchFocus.value++
}

export function closeSearch(): void {
  searchShown.value = false
  if (opener instanceof HTMLElement) opener.focus()
}
