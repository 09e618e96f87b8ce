import { pathOf } from '../../state/channel-walk.ts'
import { go, route } from '../../state/route.ts'
import { account, loader, state } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { showLater, showNote } from '../kit/dialogs.tsx'
import { openMenu } from '../kit/menu.tsx'
import { isMac, type Modifier, type Shortcut } from './keys.ts'
import { isComposingKey, keyOf } from '../../state/keyboard.ts'
import { showSwitcher } from './show-switcher.tsx'

const showHelp = () =>
  showLater(async () => {
    const { ShortcutHelp } = await import('./shortcut-help.tsx')
    return () => <ShortcutHelp anywhere={anywhere()} />
  })

const walk = (step: -1 | 1, isUnread: boolean): Promise<void> =>
  import('../../state/channel-beside.ts').then(
    async ({ channelBeside }) => {
      // The next unread channel may be in any server.
      if (isUnread) await loader.openAll()
      const channel = channelBeside(state, route.value, step, isUnread)
      if (channel) go(pathOf(channel))
    },
    () => showNote(words.notLoaded),
  )

/** Computed on each call, because the language is loaded after this code. */
const anywhere = (): Shortcut[] => [
  { keys: ['Mod', 'k'], label: words.switcher.title, run: showSwitcher },
  { keys: ['Mod', '/'], label: words.shortcuts.title, run: showHelp },
  { keys: ['Alt', 'ArrowUp'], label: words.shortcuts.channelAbove, run: () => walk(-1, false) },
  { keys: ['Alt', 'ArrowDown'], label: words.shortcuts.channelBelow, run: () => walk(1, false) },
  { keys: ['Alt', 'Shift', 'ArrowUp'], label: words.shortcuts.unreadAbove, run: () => walk(-1, true) },
  { keys: ['Alt', 'Shift', 'ArrowDown'], label: words.shortcuts.unreadBelow, run: () => walk(1, true) },
]

function isPressed(event: KeyboardEvent, { keys }: Shortcut): boolean {
  const has = (modifier: Modifier) => keys.includes(modifier)
  const [mod, other] = isMac ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey]
  return (
    keyOf(event) === keys.at(-1) &&
    mod === has('Mod') &&
    !other &&
    event.altKey === has('Alt') &&
    // A character may need Shift: / does on many keyboards.
    (event.shiftKey === has('Shift') || keys.at(-1) === '/')
  )
}

/** Runs the shortcut of a key that works anywhere on the page of an account, unless a dialog or menu is open. */
export function runShortcut(event: KeyboardEvent): void {
  if (isComposingKey(event) || account.value !== 'logged_in') return
  const shortcut = anywhere().find((each) => isPressed(event, each))
  if (!shortcut) return
  // Else the browser takes it for something of its own.
  event.preventDefault()
  if (document.querySelector('dialog[open]') || openMenu.value) return
  void shortcut.run?.()
}

/** Runs these shortcuts unless something else has taken the key. */
export const listenForShortcuts = (): void =>
  document.addEventListener('keydown', (event) => event.defaultPrevented || runShortcut(event))
