export type Modifier = 'Mod' | 'Alt' | 'Shift'

export interface Shortcut {
  /** Modifiers, then `key` of the event; `Mod` is Ctrl, or ⌘ on a Mac. */
  keys: [...Modifier[], string]
  label: string
  /** What it does anywhere on the page; absent where the focused part takes the key itself. */
  run?: () => unknown
}

export interface ShortcutGroup {
  title: string
  list: Shortcut[]
}

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform)
