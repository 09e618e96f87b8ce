import { computed, type Signal, signal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'
import { showNote } from '../kit/dialogs.tsx'
import { closeSearch, searchShown, showSearch } from './search-shown.ts'
import { keyOf } from '../../state/keyboard.ts'

/** The panel, once it is loaded. */
const panel: Signal<FunctionComponent | undefined> = signal(undefined)
/** True if the search is open next to the main part. */
export const isSearching = computed(() => searchShown.value && panel.value !== undefined)

/** Opens the search, and loads its code on first use. */
function openSearch(): void {
  showSearch()
  if (panel.value) return
  import('./search-panel.tsx').then(
    ({ SearchPanel }) => (panel.value = SearchPanel),
    () => {
      searchShown.value = false
      showNote(words.failed(words.problems.offline))
    },
  )
}

/** Ctrl+F searches messages; from the search itself, the browser searches the page. */
function takeKey(event: KeyboardEvent): void {
  const isFind = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && keyOf(event) === 'f'
  const target = event.target instanceof Element ? event.target : undefined
  if (!isFind || target?.closest('.search, dialog')) return
  event.preventDefault()
  openSearch()
}

/** The search next to the main part, if it is open. */
export const Search = () => {
  useLayoutEffect(() => {
    window.addEventListener('keydown', takeKey)
    return () => window.removeEventListener('keydown', takeKey)
  }, [])
  const Panel = panel.value
  return searchShown.value && Panel ? <Panel /> : null
}

/** The button in the header of a place. */
export const SearchButton = () => (
  <IconButton
    icon="search"
    label={words.search.open}
    pressed={searchShown.value}
    onClick={() => (searchShown.value ? closeSearch() : openSearch())}
  />
)
