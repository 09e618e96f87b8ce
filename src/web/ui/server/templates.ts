import type { firstWords } from '../../words/first-steps.ts'
import type { IconName } from '../kit/icons.tsx'

/** A kind of server. Its words are those of its first channels besides `general`, too. */
export type TemplateName = keyof typeof firstWords.templates

export const TEMPLATE_ICONS: Record<TemplateName, IconName> = {
  friends: 'smile',
  community: 'friends',
  team: 'select',
}

/** Types of a template’s channels, in the order of their words. */
export const CHANNEL_TYPES: Record<TemplateName, readonly ('text' | 'voice')[]> = {
  friends: ['text', 'text', 'voice'],
  community: ['text', 'text', 'text', 'voice'],
  team: ['text', 'text', 'text', 'voice'],
}

/** Read-only channels of a template, for news from those who run the server. */
export const READ_ONLY: Record<TemplateName, readonly number[]> = { friends: [], community: [0], team: [] }

/** The invite page for an entered link or code; invalid input gets the code 0, which no invite has. */
export const invitePathIn = (text: string): string =>
  `/invite/${/([0-9a-z]{1,64})\/?$/.exec(text.trim().toLowerCase())?.[1] ?? '0'}`
