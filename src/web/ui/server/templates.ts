import type { TemplateName } from '../../words/first-steps.ts'
import type { IconName } from '../kit/icons.tsx'

export const TEMPLATE_ICONS: Record<TemplateName, IconName> = {
  friends: 'smile',
  community: 'friends',
  team: 'select',
  gaming: 'voice',
  study: 'edit',
  project: 'grid',
}

/** The invite page for an entered link or code; invalid input gets the code 0, which no invite has. */
export const invitePathIn = (text: string): string =>
  `/invite/${/([0-9a-z]{1,64})\/?$/.exec(text.trim().toLowerCase())?.[1] ?? '0'}`
