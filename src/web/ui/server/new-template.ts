import { EVERYONE_PERMISSIONS, permissionNames, holds, permissions, without } from '../../../core/permissions.ts'
import type { z } from 'zod'
import type { Template } from '../../../features/templates/model.ts'
import { firstWords } from '../../words/first-steps.ts'
import { settingsWords } from '../../words/settings.ts'
import { CHANNEL_TYPES, type TemplateName } from './templates.ts'

/** A template as it is sent. */
export type ServerTemplate = z.input<typeof Template>

/** A channel that may be created. */
export interface Suggestion {
  type: 'text' | 'voice'
  name: string
  topic: string
  isWanted: boolean
  /** Only moderators write in it, for news from those who run the server. */
  isReadOnly: boolean
}

const { setup, templates } = firstWords

/** The channels of a template; one that is not for friends begins with news. */
export function suggestionsOf(name: TemplateName): Suggestion[] {
  const own: readonly { name: string; topic?: string }[] = templates[name].channels
  const channels = own.map((channel, at) => ({ ...channel, type: CHANNEL_TYPES[name][at] ?? 'text' }))
  const news = { ...templates.community.channels[0], type: 'text' as const }
  return [...(name === 'team' ? [news] : []), ...channels].map(({ type, name: channelName, topic = '' }, at) => ({
    type,
    name: channelName,
    topic,
    isWanted: true,
    isReadOnly: at === 0 && name !== 'friends',
  }))
}

const WRITES = permissions('send_messages', 'create_threads')
const MODERATES = permissions(
  'kick_members',
  'ban_members',
  'moderate_members',
  'manage_messages',
  'manage_threads',
  'manage_nicknames',
  'mute_members',
  'deafen_members',
  'move_members',
  'pin_messages',
)

/** The template of the wanted channels, with general first and a role of moderators. */
export function templateOf(suggestions: Suggestion[]): ServerTemplate {
  const chosenOnes = suggestions.filter(({ isWanted }) => isWanted)
  const readOnly = [
    { role: null, deny: WRITES },
    { role: 0, allow: WRITES },
  ]
  return {
    roles: [{ name: setup.moderators, permissions: MODERATES, hoist: true }],
    channels: [
      { name: 'general', type: 'text' },
      ...chosenOnes.map(({ type, name, topic, isReadOnly }) => ({
        type,
        name,
        topic,
        overwrites: isReadOnly ? readOnly : [],
      })),
    ],
  }
}

/** The roles of a template that may do more than everyone does at first, with what they may. */
export function powersIn({ roles = [], channels }: ServerTemplate): [name: string, powers: string[]][] {
  return roles.flatMap(({ name, permissions: own = 0 }, at) => {
    const ofRole = channels.flatMap(({ overwrites = [] }) => overwrites.filter(({ role }) => role === at))
    const sums = [own, ...ofRole.map(({ allow = 0 }) => allow)].map((sum) => without(sum, EVERYONE_PERMISSIONS))
    const powers = permissionNames.filter((bit) => sums.some((sum) => holds(sum, bit)))
    return powers.length === 0 ? [] : [[name, powers.map((bit) => settingsWords.permissions[bit][0])]]
  })
}

/** Larger bodies are refused by the server. */
const FILE_BYTES_MAX = 256 * 1024

const isList = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null)
const isNumber = (value: unknown): boolean => value === undefined || typeof value === 'number'

/** True for what the dialog can show: the server judges the rest. */
function isTemplate(value: unknown): value is ServerTemplate {
  if (!isList([value])) return false
  const { channels, roles = [] } = value as Record<string, unknown>
  return (
    isList(channels) &&
    isList(roles) &&
    channels.every(({ name, type }) => typeof name === 'string' && typeof type === 'string') &&
    channels.every(({ overwrites = [] }) => isList(overwrites) && overwrites.every(({ allow }) => isNumber(allow))) &&
    roles.every((role) => typeof role['name'] === 'string' && isNumber(role['permissions']))
  )
}

/** A template in a saved file; undefined for another file. */
export async function templateIn(file: File): Promise<ServerTemplate | undefined> {
  if (file.size > FILE_BYTES_MAX) return undefined
  try {
    const value: unknown = JSON.parse(await file.text())
    return isTemplate(value) ? value : undefined
  } catch {
    return undefined
  }
}
