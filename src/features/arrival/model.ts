import { z } from 'zod'
import { Emoji, Id, line, shownText, text, Time } from '../../core/schema.ts'
import { RulesVersion } from '../access/model.ts'

const LINES_MAX = 16
const RULES_MAX = 4000
const QUESTIONS_MAX = 8
const OPTIONS_MAX = 25
const ROLES_PER_OPTION_MAX = 10
const CHANNELS_PER_OPTION_MAX = 50

export const ServerRules = z
  .object({
    server_id: Id,
    content: z.string().describe('Markdown'),
    version: RulesVersion.nullable().describe('null: there are no rules'),
    updated_at: Time.nullable(),
  })
  .meta({ title: 'ServerRules' })
export type ServerRules = z.infer<typeof ServerRules>

export const RulesDraft = z.strictObject({
  content: shownText(RULES_MAX)
    .refine((content) => content.split('\n').length <= LINES_MAX, `Must have at most ${LINES_MAX} lines`)
    .describe(`Markdown of at most ${LINES_MAX} lines; empty: no rules`)
    .meta({ example: 'Be kind.' }),
})

/** Ids of options of a server. */
const OptionIds = z
  .array(Id)
  .max(QUESTIONS_MAX * OPTIONS_MAX)
  .describe('options that the member chooses, of all questions')

export const Acceptance = z.strictObject({
  version: RulesVersion.nullable().describe('of the rules that were read; null if the server has none'),
  option_ids: OptionIds.optional().describe('answers to the questions; a pending member must answer required ones'),
})

const ids = (max: number) =>
  z
    .array(Id)
    .max(max)
    .refine((list) => new Set(list).size === list.length, 'Must not repeat an id')

const QuestionFields = {
  title: line(100),
  description: text(0, 300),
  multiple: z.boolean().describe('several options may be chosen'),
  required: z.boolean().describe('new members choose at least one option'),
}
const OptionFields = {
  label: line(50),
  emoji: Emoji.nullable(),
  description: text(0, 100),
  role_ids: ids(ROLES_PER_OPTION_MAX).describe('self-assignable roles that it gives'),
  channel_ids: ids(CHANNELS_PER_OPTION_MAX).describe('channels with `opt_in_since` that it lists'),
}

const Option = z.object({ id: Id, ...OptionFields, emoji: z.string().nullable() })
const Question = z.object({ id: Id, ...QuestionFields, options: z.array(Option) })
export type Question = z.infer<typeof Question>

export const Onboarding = z
  .object({
    server_id: Id,
    questions: z.array(Question),
    option_ids: z.array(Id).describe('that the caller has chosen'),
  })
  .meta({ title: 'Onboarding' })
export type Onboarding = z.infer<typeof Onboarding>

const KeptId = Id.optional().describe('of one that stays; absent for a new one')
export const OnboardingDraft = z.strictObject({
  questions: z
    .array(
      z.strictObject({
        id: KeptId,
        ...QuestionFields,
        description: QuestionFields.description.default(''),
        multiple: QuestionFields.multiple.default(false),
        required: QuestionFields.required.default(false),
        options: z
          .array(
            z.strictObject({
              id: KeptId,
              ...OptionFields,
              emoji: OptionFields.emoji.default(null),
              description: OptionFields.description.default(''),
              role_ids: OptionFields.role_ids.default([]),
              channel_ids: OptionFields.channel_ids.default([]),
            }),
          )
          .min(1)
          .max(OPTIONS_MAX),
      }),
    )
    .max(QUESTIONS_MAX),
})
export type OnboardingDraft = z.infer<typeof OnboardingDraft>

export const Choice = z.strictObject({ option_ids: OptionIds })

const WELCOME_MAX = 500
const WELCOME_CHANNELS_MAX = 5

const WelcomeChannel = {
  channel_id: Id,
  emoji: Emoji.nullable(),
  line: text(0, 100).describe('what the channel is for'),
}

export const Welcome = z
  .object({
    server_id: Id,
    content: z.string(),
    channels: z
      .array(z.object({ ...WelcomeChannel, emoji: z.string().nullable() }))
      .describe('those that the caller sees'),
  })
  .meta({ title: 'Welcome' })
export type Welcome = z.infer<typeof Welcome>

export const WelcomeDraft = z.strictObject({
  content: shownText(WELCOME_MAX).describe('empty, without channels: no welcome').meta({ example: 'Hello!' }),
  channels: z
    .array(
      z.strictObject({
        ...WelcomeChannel,
        emoji: WelcomeChannel.emoji.default(null),
        line: WelcomeChannel.line.default(''),
      }),
    )
    .max(WELCOME_CHANNELS_MAX)
    .refine((list) => new Set(list.map(({ channel_id }) => channel_id)).size === list.length, 'Must not repeat an id')
    .default([]),
})
export type WelcomeDraft = z.infer<typeof WelcomeDraft>
