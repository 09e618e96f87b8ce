/**
 * True if an input method handles the key. Safari fires the confirming Enter after the composition has ended, and marks
 * it only by its key code.
 */
export const isComposingKey = ({ isComposing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  isComposing || keyCode === 229

type Modifier = 'Control' | 'Alt' | 'Shift' | 'Meta'
type Pressed = Pick<KeyboardEvent, 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey'>

/** True if exactly these modifiers are pressed. */
const hasOnly = ({ ctrlKey, altKey, shiftKey, metaKey }: Pressed, modifier?: Modifier): boolean =>
  ctrlKey === (modifier === 'Control') &&
  altKey === (modifier === 'Alt') &&
  shiftKey === (modifier === 'Shift') &&
  metaKey === (modifier === 'Meta')

/** -1 for arrow up, 1 for arrow down, with this modifier or without any; undefined for every other key. */
export function stepOf(event: KeyboardEvent, modifier?: Modifier): -1 | 1 | undefined {
  if (isComposingKey(event) || !hasOnly(event, modifier)) return undefined
  return event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
}

/**
 * The key of a shortcut, regardless of CapsLock. On a layout without Latin letters, such as Cyrillic, it is the letter
 * at this position of a Latin keyboard.
 */
export function keyOf({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  if (key.length !== 1) return key
  const isForeign = /^\p{L}$/u.test(key) && !/\p{Script=Latin}/u.test(key)
  return (isForeign && /^Key([A-Z])$/.exec(code)?.[1] ? code.slice(3) : key).toLowerCase()
}

/** True if a key sends, saves or picks: Enter without Shift, outside an input method. */
export const isEnter = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' && !event.shiftKey && !isComposingKey(event)
