import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { ServerChannel } from '../../state/state.ts'

type Part = (channel: ServerChannel) => ComponentChildren

/** Shows who is in a voice channel or stage, in the list of channels; set once its code is loaded. */
export const voiceSlot = signal<{ beside: Part; below: Part } | undefined>(undefined)
