import { createHash, randomBytes } from 'node:crypto'
import { field } from '../../http/answers.ts'
import type { Caller } from '../../http/caller.ts'
import type { Parts } from '../../parts.ts'
import { ephemeralFrame, type Events, topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import { holds } from '../../core/permissions.ts'
import type { PublicUser } from '../../core/schema.ts'
import type { Sql } from '../../database/database.ts'
import { downloadOf } from '../files/access.ts'
import type { Message } from '../messages/model.ts'
import { messagePlace } from '../access/place.ts'
import { demand, demandSight, type VisibleChannel, visibleChannel } from '../access/guard.ts'
import { usableCommands } from './commands.ts'
import { FOLLOW_UP_SECONDS, type InteractionDraft } from './model.ts'
import { componentIn, demandFields, demandValues, findOffer, offerOf, type Offers } from './offers.ts'
import { areKnown, checkOptions } from './options.ts'
import type { InteractionPosts, PostTarget } from './interaction-posts.ts'

/** An interaction as it is sent, without the fields common to all kinds. */
type InteractionFields = Pick<
  Events['interaction.created'],
  | 'command'
  | 'subcommand'
  | 'options'
  | 'attachments'
  | 'focused'
  | 'target_id'
  | 'message_id'
  | 'custom_id'
  | 'values'
  | 'select'
  | 'fields'
  | 'choices'
>

/** The message of a component; null for an answer that only the person sees. */
interface OnAnswer {
  message_id: number | null
  asked_on_id: number | null
  asked_on_answer: number | null
}

/** The bot and channel of an interaction. */
interface PreparedInteraction {
  bot_id: number
  channel: VisibleChannel
  request: InteractionFields
  on?: Omit<OnAnswer, 'message_id'>
}

const NOTHING: InteractionFields = {
  command: null,
  subcommand: null,
  options: {},
  attachments: [],
  focused: null,
  target_id: null,
  message_id: null,
  custom_id: null,
  values: [],
  select: null,
  fields: {},
  choices: {},
}

type Draft<K extends InteractionDraft['kind']> = Extract<InteractionDraft, { kind: K }>

/** The SHA-256 of an interaction's token. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Demands that the target of a context command is a message in the channel, or somebody who can see it. */
async function demandTarget(sql: Sql, kind: string, channel: VisibleChannel, me: number, target_id: number | null) {
  if (kind === 'chat') {
    if (target_id !== null) throw field('target_id', 'Only context commands have one')
    return
  }
  if (target_id === null) throw field('target_id', 'A context command needs one')
  if (kind === 'message') {
    const place = await messagePlace(sql, target_id, me)
    demand(place.permissions, 'read_history')
    if (place.channel_id !== channel.id) throw new Problem('not_found')
  } else if (!(await areKnown(sql, 'user', [target_id], { user_id: me, channel }))) throw new Problem('not_found')
}

/** A command, or an option being typed that the bot completes. */
async function askCommand(
  parts: Parts,
  me: number,
  caller: Caller,
  draft: Draft<'command'> | Draft<'autocomplete'>,
): Promise<PreparedInteraction> {
  const { sql, objects } = parts
  const channel = await visibleChannel(sql, draft.channel_id, me)
  if (channel.server_id !== null) demand(channel.permissions, 'use_commands')
  const [command] = await usableCommands(sql, me, channel, draft.command_id)
  const { application_id: bot_id, id, kind, name, subcommands, options: commandOptions } = found(command)
  const subcommand = subcommands.find((each) => each.name === draft.subcommand)
  if (subcommands.length > 0 !== (draft.subcommand !== null) || (draft.subcommand !== null && !subcommand))
    throw field('subcommand', 'Must be one of the subcommands, if there are any')
  const isTyping = draft.kind === 'autocomplete'
  const options = subcommand?.options ?? commandOptions
  if (isTyping && !options.some((option) => option.name === draft.focused && option.autocomplete))
    throw field('focused', 'Must name an option with autocomplete')
  const target_id = isTyping ? null : draft.target_id
  await demandTarget(sql, kind, channel, me, target_id)
  const files = await checkOptions(sql, options, draft.options, { user_id: me, channel }, isTyping)
  const attachments = await Promise.all(
    files.map(async (file) => {
      const { id: fileId, filename, content_type, size } = file
      const { download_url } = await downloadOf(objects, file, caller.base)
      return { id: fileId, filename, content_type, size, download_url }
    }),
  )
  const use = { subcommand: draft.subcommand, options: draft.options, attachments, target_id }
  const focused = isTyping ? draft.focused : null
  return { bot_id, channel, request: { ...NOTHING, ...use, focused, command: { id, kind, name } } }
}

/** One of the caller's interactions that a bot may still answer. */
async function answerableInteraction(sql: Sql, id: number, me: number) {
  const [row] = await sql<(OnAnswer & Record<'bot_id' | 'channel_id', number> & { kind: string; offers: Offers })[]>`
    select bot_id, channel_id, kind, offers, message_id, asked_on_id, asked_on_answer
    from interactions where id = ${id} and user_id = ${me}
      and created_at > now() - ${FOLLOW_UP_SECONDS} * interval '1 second'`
  return found(row)
}

/** A component of an ephemeral answer to the caller. */
async function askQuietly(
  sql: Sql,
  me: number,
  asked_on_id: number,
  draft: Draft<'component'>,
): Promise<PreparedInteraction> {
  const { custom_id, values } = draft
  const { bot_id, channel_id, offers } = await answerableInteraction(sql, asked_on_id, me)
  const { offer, answer } = found(findOffer(offers, draft.answer, custom_id))
  const channel = await visibleChannel(sql, channel_id, me)
  await demandValues(sql, offer, values, { user_id: me, channel })
  const on = { asked_on_id, asked_on_answer: answer }
  return { bot_id, channel, on, request: { ...NOTHING, custom_id, values, select: offer.select?.of ?? null } }
}

/** A component of a message, or of an ephemeral answer to the caller. */
async function askComponent({ sql }: Parts, me: number, draft: Draft<'component'>): Promise<PreparedInteraction> {
  const { message_id, interaction_id, custom_id, values } = draft
  if ((message_id === null) === (interaction_id === null))
    throw field('message_id', 'Exactly one of message_id and interaction_id')
  if (message_id === null) return askQuietly(sql, me, interaction_id ?? 0, draft)
  const place = await messagePlace(sql, message_id, me)
  const [message] = await sql<{ data: Message['data'] }[]>`select data from messages where id = ${message_id}`
  const component = found(componentIn(message?.data?.components ?? [], custom_id))
  const channel = await visibleChannel(sql, place.channel_id, me)
  await demandValues(sql, offerOf(component), values, { user_id: me, channel })
  const select = component.type === 'select' ? component.of : null
  return { bot_id: place.author_id, channel, request: { ...NOTHING, message_id, custom_id, values, select } }
}

/** A modal that the caller was shown, now submitted. */
async function askModal({ sql }: Parts, me: number, draft: Draft<'modal'>): Promise<PreparedInteraction> {
  const { custom_id, values, interaction_id } = draft
  const { bot_id, channel_id, kind, offers, message_id, ...on } = await answerableInteraction(sql, interaction_id, me)
  const channel = await visibleChannel(sql, channel_id, me)
  const choices = found(await demandFields(sql, offers, draft, { user_id: me, channel }))
  const request = { ...NOTHING, custom_id, fields: values, choices }
  // If a component opened the modal, the answer may replace the component's message.
  return kind === 'component'
    ? { bot_id, channel, on, request: { ...request, message_id } }
    : { bot_id, channel, request }
}

/** Demands that the bot can see the channel. @throws Problem `not_found` */
export async function demandBotSees(
  sql: Sql,
  bot_id: number,
  { id, server_id }: Pick<VisibleChannel, 'id' | 'server_id'>,
): Promise<void> {
  if (server_id === null) {
    const [side] = await sql`
      select 1 from participants where channel_id = ${id} and user_id = ${bot_id} and other_id is not null`
    found(side)
    return
  }
  const [row] = await sql<{ permissions: number }[]>`select permissions from channel_access(${id}, ${bot_id})`
  demandSight(row?.permissions)
}

/**
 * The URL of a bot that receives interactions by HTTP instead of the gateway. A bot that is suspended, or whose owner
 * is, gets none.
 */
async function postTarget({ sql, environment }: Parts, bot_id: number): Promise<PostTarget | undefined> {
  if (environment.INTERACTION_URLS === 'off') return undefined
  const [target] = await sql<PostTarget[]>`
    select a.id as application_id, a.interactions_url as url, a.owner_id
    from applications a join users bot on bot.id = a.id join users owner on owner.id = a.owner_id
    where a.id = ${bot_id} and a.interactions_url is not null
      and bot.suspended_at is null and owner.suspended_at is null`
  return target
}

/**
 * Sends an interaction to a bot, by an event or to its URL. The token lets only this bot answer.
 * @returns the id of the interaction
 * @throws Problem `not_found`, `missing_permission`, `validation_failed`
 */
export async function beginInteraction(
  parts: Parts,
  posts: InteractionPosts,
  me: number,
  caller: Caller,
  draft: InteractionDraft,
) {
  const { sql, bus } = parts
  const {
    bot_id,
    channel,
    request,
    on = {},
  } = draft.kind === 'component'
    ? await askComponent(parts, me, draft)
    : draft.kind === 'modal'
      ? await askModal(parts, me, draft)
      : await askCommand(parts, me, caller, draft)
  if (channel.server_id !== null && !holds(channel.permissions, 'use_commands')) demand(0, 'use_commands')
  await demandBotSees(sql, bot_id, channel)
  const token = randomBytes(32).toString('base64url')
  const { message_id, command, subcommand } = request
  const name = command && [command.name, ...(subcommand === null ? [] : [subcommand])].join(' ')
  const to = { bot_id, user_id: me, channel_id: channel.id }
  const row = { hash: hashOf(token), ...to, kind: draft.kind, name, message_id, ...on }
  const [interaction] = await sql<{ id: number; user: PublicUser }[]>`
    with begun as (insert into interactions ${sql(row)} returning id, user_id)
    select begun.id, public_user(u) as user from begun join users u on u.id = begun.user_id`
  const { id, user } = found(interaction, 'internal')
  const place = { channel_id: channel.id, server_id: channel.server_id, permissions: channel.permissions }
  const { kind, locale } = draft
  const event = { id, token, kind, user, locale, ...place, ...request }
  const target = await postTarget(parts, bot_id)
  if (target) posts.send(target, event)
  else bus.publish(ephemeralFrame(topic.user(bot_id), 'interaction.created', event))
  return { id }
}
