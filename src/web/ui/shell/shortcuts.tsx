import { channelBeside, pathOf } from '../../state/channel-walk.ts'
import { go, route } from '../../state/route.ts'
import { state } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { showLater } from '../kit/dialogs.tsx'
import { openMenu } from '../kit/menu.tsx'
import { messageKeys } from '../messages/message-actions.ts'
import { isMac, type Modifier, type Shortcut, type ShortcutGroup } from './keys.ts'

export const showSwitcher = () =>
  showLater(async () => {
    const { Switcher } = await import('./switcher.tsx')
    return () => <Switcher />
  })

const showHelp = () =>
  showLater(async () => {
    const { ShortcutHelp } = await import('./shortcut-help.tsx')
    return () => <ShortcutHelp groups={shortcuts()} />
  })

function walk(step: -1 | 1, unread: boolean): void {
  const channel = channelBeside(state, route.value, step, unread)
  if (channel) go(pathOf(channel))
}

/** Every shortcut of the client, by where it works. */
const shortcuts = (): ShortcutGroup[] => [
  { title: words.shortcuts.anywhere, list: ANYWHERE },
  {
    title: words.shortcuts.writing,
    list: [
      { keys: ['Enter'], label: words.composer.send },
      { keys: ['Shift', 'Enter'], label: words.shortcuts.newLine },
      { keys: ['ArrowUp'], label: words.shortcuts.editLast },
      { keys: ['Escape'], label: words.shortcuts.cancel },
    ],
  },
  {
    title: words.shortcuts.onMessage,
    list: [
      { keys: ['ArrowUp'], label: words.shortcuts.messageAbove },
      { keys: ['ArrowDown'], label: words.shortcuts.messageBelow },
      ...messageKeys().map(({ key, label }): Shortcut => ({ keys: [key], label })),
    ],
  },
  {
    title: words.shortcuts.inViewer,
    list: [
      { keys: ['ArrowLeft'], label: words.viewer.previous },
      { keys: ['ArrowRight'], label: words.viewer.next },
      { keys: ['+'], label: words.viewer.larger },
      { keys: ['-'], label: words.viewer.smaller },
      { keys: ['0'], label: words.viewer.whole },
    ],
  },
  {
    title: words.shortcuts.inChannels,
    list: [
      { keys: ['Alt', 'ArrowUp'], label: words.shortcuts.moveUp },
      { keys: ['Alt', 'ArrowDown'], label: words.shortcuts.moveDown },
    ],
  },
]

const ANYWHERE: Shortcut[] = [
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
    event.key === keys.at(-1) &&
    mod === has('Mod') &&
    !other &&
    event.altKey === has('Alt') &&
    // A character may need Shift: / does on many keyboards.
    (event.shiftKey === has('Shift') || keys.at(-1) === '/')
  )
}

/** Runs the shortcuts that work anywhere, unless a dialog or menu is open. @returns a function that stops this */
export function listenForShortcuts(): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    const shortcut = ANYWHERE.find((each) => isPressed(event, each))
    if (!shortcut) return
    // Else the browser takes it for something of its own.
    event.preventDefault()
    if (document.querySelector('dialog[open]') || openMenu.value) return
    void shortcut.run?.()
  }
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}
