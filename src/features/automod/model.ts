import { z } from 'zod'
import { fold } from './fold.ts'
import { Id, line, text, Time } from '../../core/schema.ts'

export const RULES_MAX = 30
const WORDS_MAX = 1000
const WORD_LENGTH_MAX = 60
const ALLOW_MAX = 100
const EXEMPTIONS_MAX = 50
const MESSAGE_MAX = 300

const Word = text(1, WORD_LENGTH_MAX).refine(
  (word) => fold(word.replace(/^\*|\*$/g, '')).trim() !== '',
  'Must contain something to look for',
)
const words = (max: number) => z.array(Word).max(max)

const WordsTrigger = z.strictObject({
  type: z.literal('words'),
  words: words(WORDS_MAX).min(1).describe('`*` at either end of a word stands for more letters'),
  allow: words(ALLOW_MAX).default([]).describe('words in which a match does not count'),
})

const Trigger = z.discriminatedUnion('type', [WordsTrigger])

const BlockAction = z.strictObject({
  type: z.literal('block'),
  message: line(MESSAGE_MAX).nullable().default(null).describe('the reason that the writer reads'),
})

const Action = z.discriminatedUnion('type', [BlockAction])
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
    found: z.string().describe('the word or pattern of the rule'),
    start: z.int().describe('where the words that match begin, in UTF-16 units'),
    end: z.int(),
  })
  .meta({ title: 'AutomodMatch' })
export type TestMatch = z.infer<typeof TestMatch>
