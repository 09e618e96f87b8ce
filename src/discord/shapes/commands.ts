import { z } from 'zod'
import type { BotCommand, CommandOption, Subcommand } from '../../features/interactions/model.ts'
import type { Lookup } from '../lookup.ts'
import { discordBits, parleyBits } from '../permissions.ts'

// Commands in both directions. `nsfw` is ignored.

const KINDS = { chat: 1, user: 2, message: 3 } as const satisfies Record<BotCommand['kind'], number>
/** Discord's numbers of option types. */
export const OPTION_TYPES = {
  string: 3,
  integer: 4,
  boolean: 5,
  user: 6,
  channel: 7,
  role: 8,
  number: 10,
  attachment: 11,
} as const satisfies Record<CommandOption['type'], number>
export const [SUBCOMMAND, SUBCOMMAND_GROUP, MENTIONABLE] = [1, 2, 9]

/** Discord's numbers of the contexts in which Parley has commands. */
const CONTEXTS = { server: 0, dm: 1 } as const satisfies Record<NonNullable<BotCommand['contexts']>[number], number>

export const kindNumber = (kind: BotCommand['kind']): number => KINDS[kind]

type Texts = Record<string, string> | undefined

/** The localisations of a thing, null where it has none. */
const localisations = (thing: { name_localizations?: Texts; description_localizations?: Texts }) => ({
  name_localizations: thing.name_localizations ?? null,
  description_localizations: thing.description_localizations ?? null,
})

function discordOption(option: CommandOption) {
  const { name, description, type, required, choices, min, max, autocomplete } = option
  const bounds = type === 'string' ? ['min_length', 'max_length'] : ['min_value', 'max_value']
  return {
    name,
    description,
    ...localisations(option),
    type: OPTION_TYPES[type],
    required,
    autocomplete,
    ...(choices.length > 0
      ? { choices: choices.map((choice) => ({ ...choice, name_localizations: choice.name_localizations ?? null })) }
      : {}),
    ...(min === null ? {} : { [bounds[0] ?? '']: min }),
    ...(max === null ? {} : { [bounds[1] ?? '']: max }),
  }
}

export const discordCommand = (of: Lookup, command: BotCommand) => ({
  id: of.id('command', command.id),
  application_id: of.id('user', command.application_id),
  ...(command.server_id === null ? {} : { guild_id: of.id('server', command.server_id) }),
  type: KINDS[command.kind],
  name: command.name,
  description: command.description,
  ...localisations(command),
  default_member_permissions: command.default_permissions === 0 ? null : discordBits(command.default_permissions),
  dm_permission: command.server_id === null && (command.contexts?.includes('dm') ?? true),
  contexts: command.contexts?.map((context) => CONTEXTS[context]) ?? null,
  integration_types: [0],
  nsfw: false,
  version: of.id('command', command.id),
  options: [...discordSubcommands(command.subcommands), ...command.options.map(discordOption)],
})

const subcommandOption = (name: string, subcommand: Subcommand) => ({
  name,
  description: subcommand.description,
  name_localizations: partOf(subcommand.name_localizations, 'name'),
  description_localizations: subcommand.description_localizations ?? null,
  type: SUBCOMMAND,
  options: subcommand.options.map(discordOption),
})

/** One of the two names of a subcommand in each language; null if no language has another one. */
function partOf(texts: Texts, part: 'group' | 'name'): Texts | null {
  const entries = Object.entries(texts ?? {}).map(([locale, text]) => [locale, namesOf(text)[part] ?? ''])
  return entries.length > 0 ? Object.fromEntries(entries) : null
}

/** The two names of a subcommand in a group; no group for others. */
export function namesOf(subcommand: string): { group: string | undefined; name: string } {
  const [first = '', second] = subcommand.split(' ')
  return second === undefined ? { group: undefined, name: first } : { group: first, name: second }
}

/** Subcommands, those of a group within it. Parley keeps no description of a group, so its name stands there. */
const discordSubcommands = (subcommands: Subcommand[]): object[] =>
  [...Map.groupBy(subcommands, ({ name }) => namesOf(name).group)].flatMap(([group, members]): object[] => {
    const options = members.map((each) => subcommandOption(namesOf(each.name).name, each))
    if (group === undefined) return options
    const name_localizations = partOf(members[0]?.name_localizations, 'group')
    return [{ name: group, name_localizations, description: group, type: SUBCOMMAND_GROUP, options }]
  })

const number = z.number().nullish()
const texts = z.record(z.string().max(35), z.string()).nullish()
const OptionBody = z.object({
  name: z.string(),
  name_localizations: texts,
  description: z.string().default(''),
  description_localizations: texts,
  type: z.int(),
  required: z.boolean().nullish(),
  autocomplete: z.boolean().nullish(),
  choices: z
    .array(z.object({ name: z.string(), name_localizations: texts, value: z.union([z.string(), z.number()]) }))
    .nullish(),
  min_value: number,
  max_value: number,
  min_length: number,
  max_length: number,
})
type OptionBody = z.infer<typeof OptionBody>
const SubcommandBody = OptionBody.extend({ options: z.array(OptionBody).nullish() })
const GroupBody = OptionBody.extend({ options: z.array(SubcommandBody).nullish() })
export const CommandBody = z.object({
  name: z.string(),
  type: z.int().default(1),
  description: z.string().nullish(),
  name_localizations: texts,
  description_localizations: texts,
  contexts: z.array(z.int()).nullish(),
  dm_permission: z.boolean().nullish(),
  default_member_permissions: z.union([z.string(), z.number()]).nullish(),
  options: z.array(GroupBody).nullish(),
})
type GroupBody = z.infer<typeof GroupBody>

/** The localisations that a body has. */
const textsOf = (body: { name_localizations?: Texts | null; description_localizations?: Texts | null }) => ({
  ...(hasTexts(body.name_localizations) ? { name_localizations: body.name_localizations } : {}),
  ...(hasTexts(body.description_localizations) ? { description_localizations: body.description_localizations } : {}),
})
const hasTexts = (value: Texts | null) => value !== null && value !== undefined && Object.keys(value).length > 0

function parleyOption({ name, description, type, ...option }: OptionBody) {
  const [typeName] = Object.entries(OPTION_TYPES).find(([, number]) => number === type) ?? []
  return {
    name,
    description,
    ...textsOf(option),
    // A type that Parley lacks becomes the nearest one; the schema refuses unknown types.
    type: type === MENTIONABLE ? 'user' : (typeName ?? String(type)),
    required: option.required ?? false,
    autocomplete: option.autocomplete ?? false,
    choices: option.choices?.map((choice) => ({ name: choice.name, value: choice.value, ...textsOf(choice) })) ?? [],
    min: option.min_value ?? option.min_length ?? null,
    max: option.max_value ?? option.max_length ?? null,
  }
}

/** The names of a group and of its subcommand in each language that either has. */
function joined(group: string, groupTexts: Texts | null, { name, name_localizations }: OptionBody): Texts {
  const locales = new Set([...Object.keys(groupTexts ?? {}), ...Object.keys(name_localizations ?? {})])
  return Object.fromEntries(
    [...locales].map((each) => [each, `${groupTexts?.[each] ?? group} ${name_localizations?.[each] ?? name}`]),
  )
}

/** Subcommands of a group are named `group subcommand`, as Parley writes them. */
const subcommandsOf = (options: GroupBody[]) =>
  options.flatMap(({ type, name, description, options: inner, ...group }) => {
    if (type === SUBCOMMAND) return { name, description, ...textsOf(group), options: (inner ?? []).map(parleyOption) }
    if (type !== SUBCOMMAND_GROUP) return []
    return (inner ?? []).map((subcommand) => ({
      name: `${name} ${subcommand.name}`,
      description: subcommand.description,
      ...textsOf({
        name_localizations: joined(name, group.name_localizations, subcommand),
        description_localizations: subcommand.description_localizations,
      }),
      options: (subcommand.options ?? []).map(parleyOption),
    }))
  })

/** The contexts in which a command is offered. Discord's third one is that of groups, in which Parley has no bots. */
function contextFields({ contexts, dm_permission }: z.infer<typeof CommandBody>) {
  if (contexts) {
    const common = (['server', 'dm'] as const).filter((context) => contexts.includes(CONTEXTS[context]))
    return { contexts: common }
  }
  return dm_permission === false ? { contexts: ['server' as const] } : {}
}

/** A command as Parley's API takes it. */
export function parleyCommand(body: z.infer<typeof CommandBody>) {
  const [kind] = Object.entries(KINDS).find(([, number]) => number === body.type) ?? []
  const options = body.options ?? []
  return {
    kind: kind ?? String(body.type),
    name: body.name,
    description: kind === 'chat' ? (body.description ?? '') : '',
    ...textsOf(kind === 'chat' ? body : { name_localizations: body.name_localizations }),
    ...contextFields(body),
    default_permissions: parleyBits(body.default_member_permissions),
    options: options.filter(({ type }) => type !== SUBCOMMAND && type !== SUBCOMMAND_GROUP).map(parleyOption),
    subcommands: subcommandsOf(options),
  }
}
