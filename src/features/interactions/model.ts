import { z } from 'zod'
import { ephemeral, type Payloads } from '../../core/events.ts'
import { Id, line, PublicUser, shownText, text } from '../../core/schema.ts'
import { Components, CustomId, Modal, SelectKind } from '../messages/components.ts'
import { draftFields } from '../messages/model.ts'
import { EmbedDrafts } from '../previews/embed-drafts.ts'
import { Embeds } from '../previews/model.ts'
import { KnownBits, PermissionSum } from '../roles/model.ts'

const COMMANDS_MAX = 100
const OPTIONS_MAX = 25
const CHOICES_MAX = 25
/** Length of one command's options as JSON. */
const OPTIONS_LENGTH_MAX = 32 * 1024
const VALUE_LENGTH_MAX = 4000
/** Seconds within which a bot must answer first, and within which it may add to its answer. */
export const ANSWER_SECONDS = 3
export const FOLLOW_UP_SECONDS = 900

const NAME_RULE = 'Must be 1 to 32 letters, digits, _ or -, without capitals'
const Name = text(1, 32)
  .refine((name) => /^[-_\p{Ll}\p{Lm}\p{Lo}\p{M}\p{N}]+$/u.test(name), NAME_RULE)
  .meta({ example: 'roll' })
const Description = line(100).meta({ example: 'Rolls dice' })

const Value = z.union([z.string().max(VALUE_LENGTH_MAX), z.number(), z.boolean()])
const Locale = z.string().regex(/^[A-Za-z0-9-]{1,35}$/)
const LOCALES_MAX = 40
/** Texts by language, for people who read that. @param schema of each text */
const byLocale = (schema: z.ZodType<string>) =>
  z
    .record(z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$/), schema)
    .refine((texts) => Object.keys(texts).length <= LOCALES_MAX, `Must name at most ${LOCALES_MAX} languages`)
    .optional()
    .describe('by language, such as de or pt-BR')
    .meta({ example: { de: 'wuerfeln' } })
const name_localizations = byLocale(Name)
const description_localizations = byLocale(Description)

const Choice = z.strictObject({
  name: line(100),
  name_localizations: byLocale(line(100)),
  value: z.union([z.string().max(100), z.number()]),
})
const Choices = z.array(Choice).max(CHOICES_MAX)

export const CommandOption = z
  .strictObject({
    name: Name,
    name_localizations,
    description: Description,
    description_localizations,
    type: z.enum(['string', 'integer', 'number', 'boolean', 'user', 'channel', 'role', 'attachment']),
    required: z.boolean().default(false),
    choices: Choices.default([]).describe('the only values, of strings and numbers'),
    min: z.number().nullable().default(null).describe('of numbers; of strings, the least length'),
    max: z.number().nullable().default(null).describe('of numbers; of strings, the greatest length'),
    autocomplete: z.boolean().default(false).describe('the bot is asked for choices while somebody types'),
  })
  .meta({ title: 'CommandOption' })
export type CommandOption = z.infer<typeof CommandOption>

const haveUniqueNames = (items: { name: string }[]) => new Set(items.map(({ name }) => name)).size === items.length
const Options = z
  .array(CommandOption)
  .max(OPTIONS_MAX)
  .refine(haveUniqueNames, 'Must not repeat a name')
  .refine(
    (options) => options.every(({ required }, at) => !required || options[at - 1]?.required !== false),
    'What is required comes first',
  )

const SUBCOMMANDS_MAX = 100
/** Two names and a space between them. */
const SUBCOMMAND_NAME_MAX = 65
const SubcommandName = text(1, SUBCOMMAND_NAME_MAX)
  .refine((name) => {
    const names = name.split(' ')
    return names.length <= 2 && names.every((each) => Name.safeParse(each).success)
  }, `${NAME_RULE}; or two such names with a space between them`)
  .describe('in a group: the name of the group, a space and its own name')
  .meta({ example: 'twice' })
const Subcommand = z
  .strictObject({
    name: SubcommandName,
    name_localizations: byLocale(SubcommandName),
    description: Description,
    description_localizations,
    options: Options.default([]),
  })
  .meta({ title: 'Subcommand' })
export type Subcommand = z.infer<typeof Subcommand>

const commandFields = {
  kind: z.enum(['chat', 'message', 'user']).default('chat').describe('message, user: in their context menus'),
  name: text(1, 32).meta({ example: 'roll' }),
  name_localizations: byLocale(text(1, 32)),
  description: z
    .union([z.literal(''), Description])
    .default('')
    .describe('of a chat command; others have none'),
  description_localizations,
  contexts: z
    .array(z.enum(['server', 'dm']))
    .min(1)
    .max(2)
    .optional()
    .describe('where it is offered: in channels of servers, in the dm with the bot; absent: everywhere'),
  options: Options.default([]),
  subcommands: z.array(Subcommand).max(SUBCOMMANDS_MAX).default([]).describe('instead of options'),
  default_permissions: KnownBits.default(0).describe('what a member needs in the channel, besides use_commands'),
}
const CommandDraft = z
  .strictObject(commandFields)
  .refine(({ kind, name }) => kind !== 'chat' || Name.safeParse(name).success, { path: ['name'], message: NAME_RULE })
  .refine(({ kind, name }) => kind === 'chat' || line(32).safeParse(name).success, {
    path: ['name'],
    message: 'Must be 1 to 32 characters long',
  })
  .refine(
    ({ kind, name_localizations: names = {} }) =>
      Object.values(names).every((name) => (kind === 'chat' ? Name : line(32)).safeParse(name).success),
    { path: ['name_localizations'], message: NAME_RULE },
  )
  .refine(({ kind, description_localizations: texts }) => kind === 'chat' || texts === undefined, {
    path: ['description_localizations'],
    message: 'Only allowed for a chat command',
  })
  .refine(({ kind, description }) => (kind === 'chat') === (description !== ''), {
    path: ['description'],
    message: 'Required for a chat command, not allowed for others',
  })
  .refine(({ options, subcommands }) => options.length === 0 || subcommands.length === 0, {
    path: ['options'],
    message: 'A command cannot have both options and subcommands',
  })
  .refine(({ options, subcommands }) => JSON.stringify([options, subcommands]).length <= OPTIONS_LENGTH_MAX, {
    path: ['options'],
    message: `Must be at most ${OPTIONS_LENGTH_MAX} characters of JSON, subcommands and choices included`,
  })
  .refine(({ subcommands }) => haveUniqueNames(subcommands), {
    path: ['subcommands'],
    message: 'Must not repeat a name',
  })
  .refine(({ kind, options, subcommands }) => kind === 'chat' || options.length + subcommands.length === 0, {
    path: ['options'],
    message: 'Only allowed for a chat command',
  })
export type CommandDraft = z.output<typeof CommandDraft>
export const CommandDrafts = z
  .array(CommandDraft)
  .max(COMMANDS_MAX)
  .refine((drafts) => new Set(drafts.map(({ kind, name }) => `${kind} ${name}`)).size === drafts.length, {
    message: 'Must not repeat a name',
  })

export const BotCommand = z
  .object({ id: Id, application_id: Id, server_id: Id.nullable(), ...commandFields })
  .meta({ title: 'BotCommand' })
export type BotCommand = z.infer<typeof BotCommand>
/** The language of a list of commands. */
export const CommandsQuery = z.object({
  locale: Locale.optional().describe('answers only the texts in this language, and no other localisations'),
})
export const OfferedCommand = BotCommand.extend({ bot: PublicUser }).meta({ title: 'OfferedCommand' })
export type OfferedCommand = z.infer<typeof OfferedCommand>

const OptionValues = z.record(z.string().max(32), Value).default({})
const usageFields = {
  command_id: Id,
  subcommand: z.string().max(SUBCOMMAND_NAME_MAX).nullable().default(null).meta({ example: 'twice' }),
  options: OptionValues.describe('by their names'),
}
/** The number of an ephemeral answer: 0 is the first answer of its interaction. */
const AnswerNumber = z.int().min(0).max(1_000_000)
const locale = Locale.default('en').describe('the language that the person reads').meta({ example: 'de' })
export const InteractionDraft = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('command'),
    channel_id: Id,
    ...usageFields,
    target_id: Id.nullable().default(null).describe('the message or account of a context command'),
    locale,
  }),
  z.strictObject({
    kind: z.literal('autocomplete'),
    channel_id: Id,
    ...usageFields,
    focused: z.string().max(32).describe('the option that is being typed'),
    locale,
  }),
  z.strictObject({
    kind: z.literal('component'),
    message_id: Id.nullable().default(null).describe('the message that has the component'),
    interaction_id: Id.nullable().default(null).describe('or the interaction whose ephemeral answer has it'),
    answer: AnswerNumber.nullable()
      .default(null)
      .describe('of these answers the one; the newest that has it if absent'),
    custom_id: CustomId,
    values: z.array(z.string().max(100)).max(25).default([]).describe('what was chosen in a select'),
    locale,
  }),
  z.strictObject({
    kind: z.literal('modal'),
    interaction_id: Id.describe('the one that was answered with the modal'),
    custom_id: CustomId,
    values: z.record(z.string().max(100), z.string().max(VALUE_LENGTH_MAX)).describe('by the inputs’ custom ids'),
    choices: z
      .record(z.string().max(100), z.array(z.string().max(100)).max(25))
      .default({})
      .describe('what was chosen in selects, by their custom ids'),
    locale,
  }),
])
export type InteractionDraft = z.infer<typeof InteractionDraft>
export const Begun = z.object({ id: Id }).meta({ title: 'Begun' })

const Token = z.string().max(64).describe('of the interaction').meta({ example: 'mW1o0mZkqv3hJ8pYb2x9c4dE5fG6hI7j' })
const ephemeralField = z.boolean().default(false).describe('only for the person; it is not stored')
const content = shownText(4000).default('').meta({ example: 'You rolled a 5' })
const { allowed_mentions } = draftFields
const contentFields = {
  content,
  components: Components.default([]),
  embeds: EmbedDrafts.default([]),
  allowed_mentions,
}
const file_ids = draftFields.file_ids.describe(
  'that the bot has uploaded; not of what is ephemeral. A change adds them to those of the message',
)
const messageFields = { ephemeral: ephemeralField, ...contentFields, file_ids }
/** The first answer of a bot. */
export const AnswerDraft = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('message'), token: Token, ...messageFields }),
  z.strictObject({
    kind: z.literal('deferred'),
    token: Token,
    ephemeral: ephemeralField,
    update: z.boolean().default(false).describe('what follows changes what the component stands on'),
  }),
  z.strictObject({ kind: z.literal('update'), token: Token, ...contentFields, file_ids }),
  z.strictObject({ kind: z.literal('modal'), token: Token, modal: Modal }),
  z.strictObject({ kind: z.literal('choices'), token: Token, choices: Choices }),
])
export type AnswerDraft = z.infer<typeof AnswerDraft>
export const FollowUpDraft = z.strictObject({ token: Token, ...messageFields })
export type FollowUpDraft = z.infer<typeof FollowUpDraft>
export const AnswerPatch = z.strictObject({ token: Token, ...contentFields, file_ids })
export type AnswerPatch = z.infer<typeof AnswerPatch>
/** The result of an answer. */
export const Answered = z
  .object({ message_id: Id.nullable().describe('the message; null for what no channel has') })
  .meta({ title: 'Answered' })

const Attachment = z.object({
  id: Id,
  filename: z.string(),
  content_type: z.string(),
  size: z.int(),
  download_url: z.string(),
})

export const interactionEvents = {
  'interaction.created': ephemeral(
    z.object({
      id: Id,
      token: z.string(),
      kind: z.enum(['command', 'component', 'modal', 'autocomplete']),
      channel_id: Id,
      server_id: Id.nullable(),
      user: PublicUser,
      permissions: PermissionSum.describe('of the person in the channel'),
      locale: z.string(),
      command: z
        .object({ id: Id, kind: z.enum(['chat', 'message', 'user']), name: z.string() })
        .nullable()
        .describe('of a command or autocomplete'),
      subcommand: z.string().nullable(),
      options: z.record(z.string(), Value).describe('by their names'),
      attachments: z.array(Attachment).describe('the files among the options'),
      focused: z.string().nullable().describe('of autocomplete: the option that is being typed'),
      target_id: Id.nullable().describe('of a context command: the message or account'),
      message_id: Id.nullable().describe(
        'of a component, or a modal that it asked for: the message that has it; null for an ephemeral one',
      ),
      custom_id: z.string().nullable().describe('of a component or modal'),
      values: z.array(z.string()).describe('of a select: what was chosen'),
      select: SelectKind.nullable().describe('of a select: what it chooses among'),
      fields: z.record(z.string(), z.string()).describe('of a modal: its inputs, by their custom ids'),
      choices: z
        .record(z.string(), z.object({ of: SelectKind, values: z.array(z.string()) }))
        .describe('of a modal: what was chosen in its selects, by their custom ids'),
    }),
    'the bot',
  ),
  'interaction.answered': ephemeral(
    z.object({
      interaction_id: Id,
      channel_id: Id,
      bot: PublicUser,
      kind: z
        .enum(['message', 'deferred', 'deferred_update', 'ephemeral', 'updated', 'modal', 'choices'])
        .describe('deferred_update: nothing is to be shown yet'),
      message_id: Id.nullable().describe('of what the channel has'),
      answer: AnswerNumber.nullable().describe(
        'of what is ephemeral: its number; it takes the place of what came with this number before',
      ),
      replaces: z
        .object({ interaction_id: Id, answer: AnswerNumber })
        .nullable()
        .describe('of what is ephemeral: the earlier one whose place it takes'),
      content: z.string().describe('of what is ephemeral; of what takes a place empty when the text stays'),
      components: Components.describe('of what is ephemeral'),
      embeds: Embeds.describe('of what is ephemeral'),
      modal: Modal.nullable(),
      choices: Choices,
    }),
    'the person who asked',
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof interactionEvents> {}
}
