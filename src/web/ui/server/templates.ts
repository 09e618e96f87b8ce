import type { TemplateName } from '../../words/first-steps.ts'
import type { IconName } from '../kit/icons.tsx'

export const TEMPLATE_ICONS: Record<TemplateName, IconName> = {
  friends: 'smile',
  community: 'friends',
  team: 'select',
}

/** Read-only channels of a template, for news from those who run the server. */
export const READ_ONLY: Record<TemplateName, readonly number[]> = { friends: [], community: [0], team: [] }

/** The invite page for an entered link or code; invalid input gets the code 0, which no invite has. */
export const invitePathIn = (text: string): string =>
  `/invite/${/([0-9a-z]{1,64})\/?$/.exec(text.trim().toLowerCase())?.[1] ?? '0'}`
