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
  /** One that the account has put away stays so when the bot changes it. */
  state: 'waiting' | 'silent' | 'said' | 'dismissed'
  content: string
  components: Events['interaction.answered']['components']
  embeds: Events['interaction.answered']['embeds']
}

/** They are kept nowhere: another page, and a reloaded one, has none. */
export const answersShown = signal<ShownAnswer[]>([])
