import { listenInWindows } from './floating.ts'
import { talkSettings } from './talk-settings.ts'
import { isComposingKey } from '../state/keyboard.ts'

/** Shortcuts during a call. */
export const CALL_ACTS = ['mute', 'deafen', 'camera', 'leave'] as const
export type CallAct = (typeof CALL_ACTS)[number]

const MODIFIERS = ['Control', 'Alt', 'Shift'] as const

/** A key with its modifiers, by its position on the keyboard: `Control+Shift+KeyM`; empty for only a modifier. */
export function chordOf(event: KeyboardEvent): string {
  const isHeld = { Control: event.ctrlKey, Alt: event.altKey, Shift: event.shiftKey }
  const isAlone = /^(Control|Alt|Shift|Meta|OS)/.test(event.code)
  if (isAlone || event.metaKey || event.code === '' || isComposingKey(event)) return ''
  return [...MODIFIERS.filter((name) => isHeld[name]), event.code].join('+')
}

/** The visible parts of a chord. */
export const partsOfChord = (chord: string): string[] =>
  chord.split('+').map((part) => part.replace(/^(Key|Digit)(?=.)/, '').replace(/^Control$/, 'Ctrl'))

/** True if the key types a character, which belongs to the focused field. */
export const isWriting = ({ key, target, ctrlKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 &&
  !ctrlKey &&
  !altKey &&
  target instanceof HTMLElement &&
  target.matches('input, textarea, [contenteditable]')

/** Runs the actions of the shortcuts. @returns a function that stops this */
export function listenForCallKeys(acts: Record<CallAct, () => unknown>): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const chord = chordOf(event)
    if (chord === '' || event.repeat || event.defaultPrevented || isWriting(event)) return
    const act = CALL_ACTS.find((name) => talkSettings.peek().keys[name] === chord)
    if (!act) return
    event.preventDefault()
    void acts[act]()
  }
  return listenInWindows((to) => {
    to.addEventListener('keydown', onKeyDown)
    return () => to.removeEventListener('keydown', onKeyDown)
  })
}
