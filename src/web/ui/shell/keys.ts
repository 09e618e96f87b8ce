export type Modifier = 'Mod' | 'Ctrl' | 'Alt' | 'Shift'

export interface Shortcut {
  /** Modifiers, then `key` of the event; `Mod` is Ctrl, or ⌘ on a Mac; `Ctrl` is Ctrl everywhere. */
  keys: [...Modifier[], string]
  label: string
  /** The shortcut's action anywhere on the page; absent if the focused element handles the key. */
  run?: () => unknown
}

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform)
