import { signal } from '@preact/signals'
import { useLayoutEffect, useState } from 'preact/hooks'
import { isComposingKey, keyOf } from '../../state/keyboard.ts'
import { onDevice } from '../../state/stored.ts'
import { openDialogs } from '../kit/dialogs.tsx'
import { openMenu } from '../kit/menu.tsx'

const KEY = 'parley.report-keys'

/** True unless the keys of the list of reports are switched off in this browser. */
export const areKeysOn = signal(onDevice.getItem(KEY) !== 'off')

export function switchKeys(isOn: boolean): void {
  areKeysOn.value = isOn
  onDevice.setItem(KEY, isOn ? 'on' : 'off')
}

/** True if the focus is in something that takes letters. */
const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))

/**
 * Handles single keys while no field has the focus, no modifier is pressed, and no dialog or menu is above the page.
 * @param act called with the letter; returns true if it did something
 */
export function useReportKeys(act: (key: string) => boolean): void {
  // That of the first rendering: later ones also happen while a dialog asks.
  const [depth] = useState(() => openDialogs.value.length)
  // Before the next key, which belongs to the rows that are drawn now.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const hasModifier = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey
      if (!areKeysOn.value || hasModifier || event.repeat || isComposingKey(event) || event.defaultPrevented) return
      if (isField(event.target) || openDialogs.value.length > depth || openMenu.value) return
      if (act(keyOf(event))) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  })
}
