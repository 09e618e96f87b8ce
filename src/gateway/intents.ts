/** Intents that a client may request with `&intents=`. */
export const INTENTS = ['servers', 'members', 'messages', 'content', 'reactions', 'voice', 'typing'] as const
export type Intent = (typeof INTENTS)[number]

/** The intents of a socket in canonical order, joined by commas. */
export type Intents = string

/** Parses the intents in a query. @returns undefined if one is unknown */
export function parseIntents(query: string): Intents | undefined {
  const names = query === '' ? [] : query.split(',')
  if (names.length > INTENTS.length || !names.every((name) => INTENTS.some((intent) => intent === name)))
    return undefined
  return INTENTS.filter((intent) => names.includes(intent)).join(',')
}

const BY_TYPE: Record<string, Intent> = {
  'message.reactions': 'reactions',
  'reaction.mine': 'reactions',
  'message.poll': 'reactions',
  'poll.mine': 'reactions',
  'typing.started': 'typing',
  'user.updated': 'members',
}
const BY_FAMILY: Record<string, Intent> = {
  server: 'servers',
  event: 'servers',
  channel: 'servers',
  thread: 'servers',
  role: 'servers',
  emoji: 'servers',
  sticker: 'servers',
  invite: 'servers',
  member: 'members',
  ban: 'members',
  presence: 'members',
  message: 'messages',
  voice: 'voice',
  call: 'voice',
  stage: 'voice',
}

/** True if sockets with these intents receive events of this type. Types without an intent go to all sockets. */
export function isWanted(intents: Intents, type: string): boolean {
  const intent = BY_TYPE[type] ?? BY_FAMILY[type.split('.')[0] ?? '']
  return intent === undefined || intents.split(',').includes(intent)
}

/** True if sockets with these intents receive events of this type without the message's content. */
export const isBlanked = (intents: Intents, type: string): boolean =>
  (type === 'message.created' || type === 'message.updated') && !intents.split(',').includes('content')

/** Removes the content from the body of a message event. @param body JSON */
export function blankBody(body: string): string {
  const message: object = JSON.parse(body)
  const blank = { content: '', embeds: [], files: [], forwarded: null, data: null, poll: undefined }
  return JSON.stringify({ ...message, ...blank })
}
