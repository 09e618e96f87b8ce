import { signal } from '@preact/signals'
import type { Events } from '../../../core/events.ts'

/** What the account was told by a bot, or waits for. */
export interface ShownAnswer {
  /** Of this page alone. */
  key: number
  interaction_id: number
  channel_id: number
  bot: string
  state: 'waiting' | 'silent' | 'said'
  content: string
  components: Events['interaction.answered']['components']
}

/** They are kept nowhere: another page, and a reloaded one, has none. */
export const answersShown = signal<ShownAnswer[]>([])
