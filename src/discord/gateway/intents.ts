/** Discord's gateway intents, by their bits. */
export const INTENT = {
  guilds: 1 << 0,
  members: 1 << 1,
  moderation: 1 << 2,
  expressions: 1 << 3,
  integrations: 1 << 4,
  webhooks: 1 << 5,
  invites: 1 << 6,
  voiceStates: 1 << 7,
  presences: 1 << 8,
  messages: 1 << 9,
  reactions: 1 << 10,
  typing: 1 << 11,
  dmMessages: 1 << 12,
  dmReactions: 1 << 13,
  dmTyping: 1 << 14,
  content: 1 << 15,
  scheduledEvents: 1 << 16,
  automodRules: 1 << 20,
  automodActs: 1 << 21,
  polls: 1 << 24,
  dmPolls: 1 << 25,
} as const

/** The largest sum of intents that Discord has; later bits are ignored. */
export const INTENTS_MAX = 2 ** 26 - 1
