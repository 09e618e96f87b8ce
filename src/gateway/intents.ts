/** What a client may ask for by `&intents=`. */
export const INTENTS = ['servers', 'members', 'messages', 'content', 'reactions', 'voice', 'typing'] as const
export type Intent = (typeof INTENTS)[number]

/** The intents of a socket, in their order, joined by commas. */
export type Intents = string

/** The intents that a query names. @returns undefined when it names something else */
export function parseIntents(query: string): Intents | undefined {
  const named = query === '' ? [] : query.split(',')
  if (named.length > INTENTS.length || !named.every((name) => INTENTS.some((intent) => intent === name)))
    return undefined
  return INTENTS.filter((intent) => named.includes(intent)).join(',')
}

const BY_TYPE: Record<string, Intent> = {
  'message.reactions': 'reactions',
  'reaction.mine': 'reactions',
  'typing.started': 'typing',
  'user.updated': 'members',
}
const BY_FAMILY: Record<string, Intent> = {
  server: 'servers',
  channel: 'servers',
  thread: 'servers',
  role: 'servers',
  emoji: 'servers',
  invite: 'servers',
  member: 'members',
  presence: 'members',
  message: 'messages',
  voice: 'voice',
  call: 'voice',
}

/** Whether sockets with these intents receive events of a type; those of no intent they all do. */
export function isWanted(intents: Intents, type: string): boolean {
  const intent = BY_TYPE[type] ?? BY_FAMILY[type.split('.')[0] ?? '']
  return intent === undefined || intents.split(',').includes(intent)
}

/** Whether sockets with these intents receive an event of this type without what was written. */
export const isBlanked = (intents: Intents, type: string): boolean =>
  (type === 'message.created' || type === 'message.updated') && !intents.split(',').includes('content')

/** The body of a message's event, without what was written. @param body JSON */
export function blankBody(body: string): string {
  const message: object = JSON.parse(body)
  const blank = { content: '', embeds: [], files: [], forwarded: null, data: null }
  return JSON.stringify({ ...message, ...blank })
}

/** The topic to which sockets with these intents are subscribed in place of a topic. */
export const narrowTopic = (topic: string, intents: Intents): string => `${topic} ${intents}`
