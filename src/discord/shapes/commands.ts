import { z } from 'zod'
import type { BotCommand, CommandOption, Subcommand } from '../../features/interactions/model.ts'
import type { Lookup } from '../lookup.ts'
import { discordBits, parleyBits } from '../permissions.ts'

// Commands in both directions. Localisations, contexts and `nsfw` are ignored.

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

export const kindNumber = (kind: BotCommand['kind']): number => KINDS[kind]

function discordOption({ name, description, type, required, choices, min, max, autocomplete }: CommandOption) {
  const bounds = type === 'string' ? ['min_length', 'max_length'] : ['min_value', 'max_value']
  return {
    name,
    description,
    type: OPTION_TYPES[type],
    required,
    autocomplete,
    ...(choices.length > 0 ? { choices } : {}),
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
  name_localizations: null,
  description: command.description,
  description_localizations: null,
  default_member_permissions: command.default_permissions === 0 ? null : discordBits(command.default_permissions),
  dm_permission: command.server_id === null,
  contexts: null,
  integration_types: [0],
  nsfw: false,
  version: of.id('command', command.id),
  options: [...discordSubcommands(command.subcommands), ...command.options.map(discordOption)],
})

const subcommandOption = (name: string, { description, options }: Subcommand) => ({
  name,
  description,
  type: SUBCOMMAND,
  options: options.map(discordOption),
})

/** The two names of a subcommand in a group; no group for others. */
export function namesOf(subcommand: string): { group: string | undefined; name: string } {
  const [first = '', second] = subcommand.split(' ')
  return second === undefined ? { group: undefined, name: first } : { group: first, name: second }
}

/** Subcommands, those of a group within it. Parley keeps no description of a group, so its name stands there. */
const discordSubcommands = (subcommands: Subcommand[]): object[] =>
  [...Map.groupBy(subcommands, ({ name }) => namesOf(name).group)].flatMap(([group, members]): object[] => {
    const options = members.map((each) => subcommandOption(namesOf(each.name).name, each))
    return group === undefined ? options : [{ name: group, description: group, type: SUBCOMMAND_GROUP, options }]
  })

const number = z.number().nullish()
const OptionBody = z.object({
  name: z.string(),
  description: z.string().default(''),
  type: z.int(),
  required: z.boolean().nullish(),
  autocomplete: z.boolean().nullish(),
  choices: z.array(z.object({ name: z.string(), value: z.union([z.string(), z.number()]) })).nullish(),
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
  default_member_permissions: z.union([z.string(), z.number()]).nullish(),
  options: z.array(GroupBody).nullish(),
})
type GroupBody = z.infer<typeof GroupBody>

function parleyOption({ name, description, type, ...option }: OptionBody) {
  const [typeName] = Object.entries(OPTION_TYPES).find(([, number]) => number === type) ?? []
  return {
    name,
    description,
    // A type that Parley lacks becomes the nearest one; the schema refuses unknown types.
    type: type === MENTIONABLE ? 'user' : (typeName ?? String(type)),
    required: option.required ?? false,
    autocomplete: option.autocomplete ?? false,
    choices: option.choices?.map((choice) => ({ name: choice.name, value: choice.value })) ?? [],
    min: option.min_value ?? option.min_length ?? null,
    max: option.max_value ?? option.max_length ?? null,
  }
}

/** Subcommands of a group are named `group subcommand`, as Parley writes them. */
const subcommandsOf = (options: GroupBody[]) =>
  options.flatMap(({ type, name, description, options: inner }) => {
    if (type === SUBCOMMAND) return { name, description, options: (inner ?? []).map(parleyOption) }
    if (type !== SUBCOMMAND_GROUP) return []
    return (inner ?? []).map((subcommand) => ({
      name: `${name} ${subcommand.name}`,
      description: subcommand.description,
      options: (subcommand.options ?? []).map(parleyOption),
    }))
  })

/** A command as Parley's API takes it. */
export function parleyCommand(body: z.infer<typeof CommandBody>) {
  const [kind] = Object.entries(KINDS).find(([, number]) => number === body.type) ?? []
  const options = body.options ?? []
  return {
    kind: kind ?? String(body.type),
    name: body.name,
    description: kind === 'chat' ? (body.description ?? '') : '',
    default_permissions: parleyBits(body.default_member_permissions),
    options: options.filter(({ type }) => type !== SUBCOMMAND && type !== SUBCOMMAND_GROUP).map(parleyOption),
    subcommands: subcommandsOf(options),
  }
}
