export type Modifier = 'Mod' | 'Ctrl' | 'Alt' | 'Shift'

export interface Shortcut {
  /** Modifiers, then `key` of the event; `Mod` is Ctrl, or ⌘ on a Mac; `Ctrl` is Ctrl everywhere. */
  keys: [...Modifier[], string]
  label: string
  /** What it does anywhere on the page; absent where the focused part takes the key itself. */
  run?: () => unknown
}

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform)
