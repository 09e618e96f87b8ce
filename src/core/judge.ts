import type { Permission } from './permissions.ts'

/** A message, edit or name that somebody is about to write in a server. */
export interface Saying {
  author_id: number
  place: { channel_id: number } | { server_id: number }
  /** Everything that others would read: text, embeds, components, names. */
  texts: string[]
  /** Files that would be attached, whose names are read too; those of the account by their ids. */
  files?: { filename: string; content_type: string }[]
  file_ids?: number[]
  /** The permission that the writer needs; by default that for messages in a channel, and none in a server. */
  bit?: Permission
  /** True for the name of a member, which rules about profiles judge, and no others. */
  isName?: boolean
  /** True for a new message, which counts for rules about spam. */
  isNew?: boolean
  /** The message that would be forwarded with it. */
  forward_message_id?: number | null
  /** The sticker that would be sent, whose name and description are read too. */
  sticker_id?: number | null
  nonce?: string | null | undefined
}

/** Does what the rules say about a text that they do not block; call it once the text is written. Does not throw. */
export type Settle = () => Promise<void>

/** A rule that would act on a text. */
export interface Match {
  rule_id: number
  name: string
  /** The word, pattern, host or number that the rule found. */
  found: string
  /** The begin and end of the words that match, in UTF-16 units. */
  start: number
  end: number
}

/** Judges what is about to be written by the rules of its server. */
export interface Judge {
  /** True while no server of the installation has a rule: nothing needs to be asked. */
  isIdle(): boolean
  /** @throws Problem `automod_blocked`, with the message of the rule, once its other actions are done */
  demand(saying: Saying): Promise<Settle>
  /** Does what the rules say, except blocking. @returns true if a rule is broken */
  breaks(saying: Saying): Promise<boolean>
  /** The rules of a server that would act on a text, and where. Does nothing else. */
  matchesIn(serverId: number, content: string): Promise<Match[]>
}

/** Fields of cards and components that nobody reads. */
const UNREAD = new Set(['type', 'style', 'of', 'custom_id', 'timestamp'])

/** Every text in a value of JSON that others would read. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => (UNREAD.has(name) ? [] : textsIn(part)))
}
