import type { Events } from '../../core/events.ts'
import type { BotCommand, CommandOption } from '../../features/interactions/model.ts'
import type { FileLinks } from '../file-links.ts'
import type { Lookup } from '../lookup.ts'
import { discordBits } from '../permissions.ts'
import { kindNumber, namesOf, OPTION_TYPES, SUBCOMMAND, SUBCOMMAND_GROUP } from './commands.ts'
import { BUTTON, SELECTS } from './components.ts'
import { channelById, partialChannel, roleOf } from './guilds.ts'
import { IS_EPHEMERAL, messageOf } from './messages.ts'
import { chosenIn, submittedFields } from './modals.ts'
import { discordTime, memberById, userById, userOf } from './users.ts'

type Interaction = Events['interaction.created']

/** Discord's numbers of interaction types. */
const INTERACTION_TYPES = { command: 2, component: 3, autocomplete: 4, modal: 5 } as const satisfies Record<
  Interaction['kind'],
  number
>

/** The things that an interaction names, by snowflake. */
interface Resolved {
  users?: object
  members?: object
  roles?: object
  channels?: object
  messages?: object
  attachments?: object
}

/** The token of an interaction for Discord's routes, which name it only by the token. */
export const tokenOf = ({ id, token }: Pick<Interaction, 'id' | 'token'>): string => `${id}.${token}`

/** The parts of `tokenOf`; undefined for any other text. */
export function readToken(text: string): { id: number; token: string } | undefined {
  const [, id, token] = /^(\d{1,15})\.([A-Za-z0-9_-]{1,64})$/.exec(text) ?? []
  return id && token ? { id: Number(id), token } : undefined
}

type Naming = 'user' | 'role' | 'channel'
const isNaming = (type: string): type is Naming => type === 'user' || type === 'role' || type === 'channel'

/** Writes out what ids name. */
function resolved(of: Lookup, { server_id }: Interaction, named: { type: Naming; id: number }[]): Resolved {
  const result: Required<Pick<Resolved, 'users' | 'members' | 'roles' | 'channels'>> & Resolved = {
    users: {},
    members: {},
    roles: {},
    channels: {},
  }
  for (const { type, id } of named) {
    const key = of.id(type, id)
    if (type === 'user') {
      Object.assign(result.users, { [key]: userById(of, id) })
      const member = server_id === null ? undefined : memberById(of, server_id, id)
      const permissions = discordBits(0)
      if (member) Object.assign(result.members, { [key]: { ...member, permissions } })
    } else if (type === 'role') {
      const role = of.fact('role_row', id)
      if (role) Object.assign(result.roles, { [key]: roleOf(of, role) })
    } else {
      // The bot may not see the channel that a person chose: it gets the name, and not what is in it.
      const channel = of.fact('channel_row', id)
      if (channel) Object.assign(result.channels, { [key]: partialChannel(of, channel) })
    }
  }
  return Object.fromEntries(Object.entries(result).filter(([, rows]) => Object.keys(rows).length > 0))
}

/** The options of a command with their values, of the types that the command declares. */
function optionsOf(of: Lookup, interaction: Interaction, declared: CommandOption[]) {
  return Object.entries(interaction.options).map(([name, value]) => {
    const type = declared.find((option) => option.name === name)?.type ?? 'string'
    const isFile = type === 'attachment'
    return {
      name,
      type: OPTION_TYPES[type],
      value: isFile ? of.id('file', Number(value)) : isNaming(type) ? of.id(type, Number(value)) : value,
      ...(interaction.focused === name ? { focused: true } : {}),
    }
  })
}

function attachmentsOf(of: Lookup, { attachments }: Interaction): Resolved {
  if (attachments.length === 0) return {}
  const entries = attachments.map(({ id, filename, content_type, size, download_url }) => {
    const key = of.id('file', id)
    return [key, { id: key, filename, content_type, size, url: download_url, proxy_url: download_url }] as const
  })
  return { attachments: Object.fromEntries(entries) }
}

/** The data of a command, or of an option that is being typed. */
function commandData(of: Lookup, interaction: Interaction, botId: number, links: FileLinks) {
  const { command, subcommand, server_id, target_id } = interaction
  if (!command) return {}
  const row = of.fact('command_row', command.id)
  const declared = declaredIn(row, subcommand)
  const options = optionsOf(of, interaction, declared)
  const named = declared.flatMap(({ type, name }) =>
    isNaming(type) && interaction.options[name] !== undefined ? [{ type, id: Number(interaction.options[name]) }] : [],
  )
  const isUser = command.kind === 'user'
  const target = target_id !== null && isUser ? [{ type: 'user' as const, id: target_id }] : []
  const message =
    target_id !== null && command.kind === 'message' ? of.fact('message_row', `${target_id}:${botId}`) : undefined
  const messages = message
    ? { messages: { [of.id('message', message.id, message.created_at)]: messageOf(of, { server_id, links }, message) } }
    : {}
  return {
    id: of.id('command', command.id),
    name: command.name,
    type: kindNumber(command.kind),
    ...(row?.server_id ? { guild_id: of.id('server', row.server_id) } : {}),
    ...(target_id === null ? {} : { target_id: of.id(isUser ? 'user' : 'message', target_id) }),
    options: subcommand === null ? options : nested(subcommand, options),
    resolved: {
      ...resolved(of, interaction, [...named, ...target]),
      ...messages,
      ...attachmentsOf(of, interaction),
    },
  }
}

/** Options of a subcommand, within it and its group. */
function nested(subcommand: string, options: object[]): object[] {
  const { group, name } = namesOf(subcommand)
  const inner = [{ type: SUBCOMMAND, name, options }]
  return group === undefined ? inner : [{ type: SUBCOMMAND_GROUP, name: group, options: inner }]
}

const declaredIn = (row: BotCommand | undefined, subcommand: string | null): CommandOption[] =>
  (subcommand === null ? row?.options : row?.subcommands.find(({ name }) => name === subcommand)?.options) ?? []

/** The message of a component. One that only the person sees is not stored, so only its flag is known. */
function componentMessage(of: Lookup, interaction: Interaction, botId: number, links: FileLinks) {
  const { message_id, server_id, channel_id, id } = interaction
  const message = message_id === null ? undefined : of.fact('message_row', `${message_id}:${botId}`)
  if (message) return { row: message, translation: messageOf(of, { server_id, links }, message) }
  const translation = {
    id: message_id === null ? of.id('interaction', id) : of.id('message', message_id),
    type: 0,
    channel_id: of.id('channel', channel_id),
    author: userById(of, botId),
    content: '',
    timestamp: discordTime(new Date(0).toISOString()),
    edited_timestamp: null,
    tts: false,
    mention_everyone: false,
    mentions: [],
    mention_roles: [],
    attachments: [],
    embeds: [],
    components: [],
    pinned: false,
    flags: IS_EPHEMERAL,
  }
  return { row: undefined, translation }
}

function componentData(of: Lookup, interaction: Interaction, botId: number, links: FileLinks) {
  const { custom_id, values, select: kind } = interaction
  const { translation } = componentMessage(of, interaction, botId, links)
  const named = kind && isNaming(kind) ? values.map((value) => ({ type: kind, id: Number(value) })) : []
  return {
    message: translation,
    data: {
      custom_id,
      component_type: kind === null ? BUTTON : SELECTS[kind],
      values: kind && isNaming(kind) ? values.map((value) => of.id(kind, Number(value))) : values,
      ...(named.length > 0 ? { resolved: resolved(of, interaction, named) } : {}),
    },
  }
}

function modalData(of: Lookup, interaction: Interaction) {
  const named = chosenIn(interaction)
  return {
    custom_id: interaction.custom_id,
    components: submittedFields(of, interaction),
    ...(named.length > 0 ? { resolved: resolved(of, interaction, named) } : {}),
  }
}

function dataOf(of: Lookup, interaction: Interaction, botId: number, links: FileLinks) {
  const { kind, message_id } = interaction
  if (kind === 'component') return componentData(of, interaction, botId, links)
  if (kind === 'modal')
    return {
      data: modalData(of, interaction),
      ...(message_id === null ? {} : { message: componentMessage(of, interaction, botId, links).translation }),
    }
  return { data: commandData(of, interaction, botId, links) }
}

/** An interaction as Discord's gateway tells of it. @param botId the bot that is asked */
export function interactionOf(of: Lookup, interaction: Interaction, botId: number, links: FileLinks) {
  const { server_id, channel_id, user, kind, permissions } = interaction
  const member = server_id === null ? undefined : memberById(of, server_id, user.id)
  const shownUser = userOf(of, user)
  const guildId = server_id === null ? undefined : of.id('server', server_id)
  return {
    id: of.id('interaction', interaction.id),
    application_id: of.id('user', botId),
    type: INTERACTION_TYPES[kind],
    token: tokenOf(interaction),
    version: 1,
    channel_id: of.id('channel', channel_id),
    channel: channelById(of, channel_id, botId),
    ...(guildId === undefined
      ? { user: shownUser }
      : {
          guild_id: guildId,
          guild: { id: guildId, locale: 'en-US', features: [] },
          member: { ...member, user: shownUser, permissions: discordBits(permissions) },
        }),
    app_permissions: discordBits(of.fact('permissions', `${channel_id}:${botId}`) ?? 0),
    locale: interaction.locale,
    guild_locale: 'en-US',
    entitlements: [],
    authorizing_integration_owners: guildId === undefined ? { 1: of.id('user', user.id) } : { 0: guildId },
    context: guildId === undefined ? 1 : 0,
    attachment_size_limit: 26_214_400,
    ...dataOf(of, interaction, botId, links),
  }
}
