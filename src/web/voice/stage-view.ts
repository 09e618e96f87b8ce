import { effect, signal } from '@preact/signals'
import { state } from '../state/session.ts'
import type { VoiceState } from '../../voice/model.ts'
import { watchedScreen } from './current-call.ts'
import { followCall, remoteOf } from './shown-call.ts'

/** Layout of the stage: everyone in a grid, or one person large. */
export const stageView = signal<'grid' | 'speaker'>('grid')
/** The account that is shown large by choice; undefined for the active speaker. */
export const chosenPerson = signal<number | undefined>(undefined)

/** Shows a person large until another one is chosen. */
export function showLarge(userId: number): void {
  chosenPerson.value = userId
  stageView.value = 'speaker'
  watchedScreen.value = undefined
}

/** Switches between the grid and the active speaker. */
export function toggleView(): void {
  chosenPerson.value = undefined
  stageView.value = stageView.value === 'grid' ? 'speaker' : 'grid'
  watchedScreen.value = undefined
}

// The next call begins with the grid.
effect(() => {
  if (followCall()) return
  chosenPerson.value = undefined
  stageView.value = 'grid'
})

/**
 * The member to show large: the chosen one, else the active speaker, else the previous one, else one with a camera.
 * @param before the account that was large before
 */
export function largePerson(voices: VoiceState[], before: number | undefined): VoiceState | undefined {
  const voiceOf = (id: number | undefined) => voices.find(({ user }) => user.id === id)
  const others = voices.filter(({ user }) => user.id !== state.me())
  const speaks = (voice: VoiceState | undefined) => voice !== undefined && remoteOf(voice.user.id)?.speaking === true
  const last = voiceOf(before)
  const chosenVoice = voiceOf(chosenPerson.value)
  if (chosenVoice) return chosenVoice
  if (speaks(last)) return last
  return others.find(speaks) ?? last ?? others.find(({ camera }) => camera) ?? others[0] ?? voices[0]
}
