import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

/** Shows the events that are on at a voice channel; set once its code is loaded. */
export const eventsAt = signal<((channelId: number) => ComponentChildren) | undefined>(undefined)
