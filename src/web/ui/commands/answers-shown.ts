import { signal } from '@preact/signals'
import type { Events } from '../../../core/events.ts'

/** An answer of a bot to the account, or a pending one. */
export interface ShownAnswer {
  /** Id that is unique within this page. */
  key: number
  interaction_id: number
  /** The interactions and numbers by which bots name it; the last one has its components. */
  places: { interaction_id: number; answer: number }[]
  channel_id: number
  bot: string
  /** An answer that the account has dismissed stays dismissed if the bot edits it. */
  state: 'waiting' | 'silent' | 'said' | 'dismissed'
  content: string
  components: Events['interaction.answered']['components']
  embeds: Events['interaction.answered']['embeds']
}

/** Not stored: other pages and a reloaded one have none. */
export const answersShown = signal<ShownAnswer[]>([])
