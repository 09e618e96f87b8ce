import { z } from 'zod'
import { durable, ephemeral, type Payloads } from '../../core/events.ts'
import { fold } from './fold.ts'
import { Id, line, PublicUser, text, Time } from '../../core/schema.ts'

export const RULES_MAX = 30
/** Patterns in all rules of a server. */
export const PATTERNS_MAX = 20
const WORDS_MAX = 1000
const WORD_LENGTH_MAX = 60
const ALLOW_MAX = 100
const PATTERN_LENGTH_MAX = 260
const HOSTS_MAX = 100
const TYPES_MAX = 50
const MENTIONS_MAX = 50
const COUNT_MAX = 50
const SPAM_SECONDS_MAX = 600
const EXEMPTIONS_MAX = 50
const MESSAGE_MAX = 300
const TIMEOUT_SECONDS_MAX = 28 * 86_400

const Word = text(1, WORD_LENGTH_MAX).refine(
  (word) => fold(word.replace(/^\*|\*$/g, '')).trim() !== '',
  'Must contain something to look for',
)
const words = (max: number) => z.array(Word).max(max)

/** A host as links have it: in lower case and punycode. */
const Host = text(1, 253)
  .refine((host) => URL.canParse(`https://${host}/`) && !/[/?#@:\\]/.test(host), {
    abort: true,
    message: 'Must be the name of a host',
  })
  .overwrite((host) => new URL(`https://${host}/`).hostname.replace(/\.$/, ''))

const FileType = z
  .string()
  .max(127)
  .regex(/^([a-z0-9]{1,16}|[a-z0-9][a-z0-9.+-]*\/([a-z0-9][a-z0-9.+-]*|\*))$/, 'Must be like exe, image/png or image/*')
  .meta({ example: 'exe' })

export const Trigger = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('words'),
    words: words(WORDS_MAX).min(1).describe('`*` at either end of a word stands for more letters'),
    allow: words(ALLOW_MAX).default([]).describe('words in which a match does not count'),
  }),
  z.strictObject({
    type: z.literal('patterns'),
    patterns: z
      .array(text(1, PATTERN_LENGTH_MAX))
      .min(1)
      .max(PATTERNS_MAX)
      .describe('regular expressions of RE2; case does not matter'),
  }),
  z.strictObject({
    type: z.literal('links'),
    mode: z.enum(['deny', 'allow']).describe('deny: these hosts are refused; allow: all others are'),
    hosts: z.array(Host).max(HOSTS_MAX).describe('with their subdomains'),
  }),
  z.strictObject({ type: z.literal('invites') }),
  z.strictObject({
    type: z.literal('mentions'),
    max: z.int().min(1).max(MENTIONS_MAX).describe('people and roles that one message may mention'),
  }),
  z.strictObject({
    type: z.literal('attachments'),
    types: z.array(FileType).min(1).max(TYPES_MAX).describe('endings of names, or content types'),
  }),
  z.strictObject({
    type: z.literal('spam'),
    by: z.enum(['member', 'text']).describe('member: too many messages of one; text: the same text by too many'),
    count: z.int().min(2).max(COUNT_MAX).describe('member: messages that are allowed; text: members that are too many'),
    seconds: z.int().min(1).max(SPAM_SECONDS_MAX),
  }),
  z
    .strictObject({
      type: z.literal('profile'),
      words: words(WORDS_MAX).default([]),
      allow: words(ALLOW_MAX).default([]),
      patterns: z.array(text(1, PATTERN_LENGTH_MAX)).max(PATTERNS_MAX).default([]),
    })
    .refine((trigger) => trigger.words.length + trigger.patterns.length > 0, 'Must look for something')
    .describe('names of members, instead of texts'),
])
export type Trigger = z.infer<typeof Trigger>

const Action = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('block'),
    message: line(MESSAGE_MAX).nullable().default(null).describe('the reason that the writer reads'),
  }),
  z.strictObject({
    type: z.literal('alert'),
    channel_id: Id.describe('a text channel that not every member sees; the alert never has the text'),
  }),
  z.strictObject({ type: z.literal('timeout'), seconds: z.int().min(60).max(TIMEOUT_SECONDS_MAX) }),
  z.strictObject({ type: z.literal('quarantine') }),
])
export type Action = z.infer<typeof Action>

const ids = z
  .array(Id)
  .max(EXEMPTIONS_MAX)
  .refine((list) => new Set(list).size === list.length, 'Must not repeat an id')
  .default([])

export const RuleDraft = z.strictObject({
  name: line(100),
  enabled: z.boolean().default(true),
  trigger: Trigger,
  actions: z
    .array(Action)
    .min(1)
    .refine((actions) => new Set(actions.map(({ type }) => type)).size === actions.length, 'Must not repeat an action'),
  exempt_role_ids: ids,
  exempt_channel_ids: ids.describe('a category stands for its channels, and a channel for its threads'),
  covers_bots: z.boolean().default(false),
  covers_webhooks: z.boolean().default(false),
})
export type RuleDraft = z.infer<typeof RuleDraft>

export const Rule = z
  .object({ id: Id, server_id: Id, ...RuleDraft.shape, created_at: Time, updated_at: Time })
  .meta({ title: 'AutomodRule' })
export type Rule = z.infer<typeof Rule>

export const TestDraft = z.strictObject({ content: text(0, 4000) })

/** A rule that would act on a text. */
export const TestMatch = z
  .object({
    rule_id: Id,
    name: z.string(),
    found: z.string().describe('the word, pattern, host or number that the rule found'),
    start: z.int().describe('where the words that match begin, in UTF-16 units'),
    end: z.int(),
  })
  .meta({ title: 'AutomodMatch' })
export type TestMatch = z.infer<typeof TestMatch>

/** Texts that broke rules are deleted after this time. */
export const HIT_DAYS = 30

/** Texts of one person that broke a rule within a minute. */
export const AutomodHit = z
  .object({
    id: Id,
    server_id: Id,
    rule_id: Id.describe('may be gone'),
    rule_name: z.string(),
    user: PublicUser,
    channel_id: Id.nullable().describe('null for a name'),
    count: z.int(),
    texts: z.array(z.string()).describe('the first ones'),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ title: 'AutomodHit' })
export type AutomodHit = z.infer<typeof AutomodHit>

/** UTF-16 units of a text in `automod.executed`. */
export const EXECUTED_UNITS_MAX = 4000

const key = (d: Rule) => `automod:${d.id}`
const managingBots = 'bots of the server that hold manage_server'

export const automodEvents = {
  'automod.created': durable(Rule, key, managingBots),
  'automod.updated': durable(Rule, key, managingBots),
  'automod.deleted': durable(Rule, key, managingBots),
  'automod.executed': ephemeral(
    z.object({
      rule: Rule.describe('the rule as it was when it acted'),
      user: PublicUser,
      channel_id: Id.nullable().describe('null for a name'),
      alert_id: Id.nullable().describe('the message that alerts moderators'),
      content: z.string().describe(`what broke the rule, at most ${EXECUTED_UNITS_MAX} UTF-16 units`),
      found: z.string().nullable().describe('the word, pattern, host or number that the rule found; null for spam'),
    }),
    'bots of the server that hold manage_server and see the channel',
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof automodEvents> {}
}
