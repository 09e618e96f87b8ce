import type { Sql } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import type { AllowedMentions } from '../../core/markup/references.ts'
import { ephemeralFrame, type Events, topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import { textsIn } from '../../core/judge.ts'
import { field } from '../../http/answers.ts'
import type { PublicUser } from '../../core/schema.ts'
import { type Components, demandSmall } from '../messages/components.ts'
import { demandSight } from '../access/guard.ts'
import { editMessage, judgeEdit } from '../messages/edit.ts'
import { filesAfter } from '../messages/edit-files.ts'
import { demandContact } from '../access/contact.ts'
import { sendMessage } from '../messages/send.ts'
import type { SendGroups } from '../messages/send-groups.ts'
import { type EmbedDrafts, embedsOf } from '../previews/embed-drafts.ts'
import { demandBotSees, hashOf } from './begin.ts'
import { ANSWER_SECONDS, type AnswerDraft, type AnswerPatch, FOLLOW_UP_SECONDS, type FollowUpDraft } from './model.ts'
import { type Offer, offersIn, OFFERS_KEPT, offersOf } from './offers.ts'

interface Interaction {
  id: number
  bot_id: number
  user_id: number
  channel_id: number
  kind: Events['interaction.created']['kind']
  name: string | null
  /** The message of the component that was used; null for an answer that only the person sees. */
  message_id: number | null
  asked_on_id: number | null
  asked_on_answer: number | null
  /** The message that is the first answer. */
  answer_id: number | null
  is_ephemeral: boolean
  /** True while the bot has deferred its answer. */
  is_deferred: boolean
  /** The first answer replaces the message of the component. */
  updates: boolean
  bot: PublicUser
}

/** Content of an answer. */
interface AnswerContent {
  content: string
  components: Components
  embeds: EmbedDrafts
  allowed_mentions?: AllowedMentions | undefined
  file_ids?: number[]
}

/** Parts of a message that a change of it leaves as they are. */
interface Unchanged {
  components?: boolean
  embeds?: boolean
  /** The files that stay; absent for all. */
  files?: number[] | undefined
}

const COLUMNS = (sql: Sql) =>
  sql`i.id, i.bot_id, i.user_id, i.channel_id, i.kind, i.name, i.message_id, i.asked_on_id, i.asked_on_answer,
    i.answer_id, i.is_ephemeral, i.is_deferred, i.updates, public_user(bot) as bot`

/**
 * @throws Problem `interaction_gone` for another bot's interaction, a wrong token, and an interaction that cannot be
 * answered (any more)
 */
const demandInteraction = <T>(row: T | undefined): T => found(row, 'interaction_gone')

/** An interaction that has its first answer and accepts more. */
async function answeredInteraction(sql: Sql, bot_id: number, id: number, token: string): Promise<Interaction> {
  const [row] = await sql<Interaction[]>`
    select ${COLUMNS(sql)} from interactions i join users bot on bot.id = i.bot_id
    where i.id = ${id} and i.bot_id = ${bot_id} and i.hash = ${hashOf(token)} and i.is_answered
      and i.kind <> 'autocomplete' and i.created_at > now() - ${FOLLOW_UP_SECONDS} * interval '1 second'`
  return demandInteraction(row)
}

/** True if an interaction `i` of the bot has no answer yet and may get one. */
const isPending = (sql: Sql, bot_id: number, id: number, token: string) =>
  sql`i.id = ${id} and i.bot_id = ${bot_id} and i.hash = ${hashOf(token)} and not i.is_answered
    and i.created_at > now() - ${ANSWER_SECONDS} * interval '1 second' and bot.id = i.bot_id`

/** An interaction without an answer. */
async function pendingInteraction(sql: Sql, bot_id: number, id: number, token: string): Promise<Interaction> {
  const [row] = await sql<Interaction[]>`
    select ${COLUMNS(sql)} from interactions i, users bot where ${isPending(sql, bot_id, id, token)}`
  return demandInteraction(row)
}

/** @throws Problem `validation_failed` for a kind of answer that does not suit the interaction */
function demandFitting({ kind, message_id, asked_on_id }: Interaction, draft: AnswerDraft): void {
  if ((kind === 'autocomplete') !== (draft.kind === 'choices'))
    throw field('kind', 'Choices answer autocomplete, and nothing else does')
  if (draft.kind === 'modal' && kind === 'modal') throw field('kind', 'A modal is not answered by a modal')
  if (updates(draft) && message_id === null && asked_on_id === null)
    throw field('kind', 'Only what a component stands on is updated')
  if (draft.kind === 'message') demandContent(draft, draft.ephemeral)
}

/** True if a first answer replaces the message of the component. */
const updates = (draft: AnswerDraft): boolean => draft.kind === 'update' || (draft.kind === 'deferred' && draft.update)

/** @throws Problem `validation_failed` for files in an ephemeral answer, which is not stored */
function demandNoFiles({ file_ids = [] }: Pick<AnswerContent, 'file_ids'>): void {
  if (file_ids.length > 0) throw field('file_ids', 'A message only for the person cannot have files')
}

/** @throws Problem `validation_failed` for an empty answer, and for files in an ephemeral one */
function demandContent({ content, components, embeds, file_ids = [] }: AnswerContent, isEphemeral: boolean): void {
  if (isEphemeral) demandNoFiles({ file_ids })
  if (content === '' && components.length + embeds.length + file_ids.length === 0)
    throw field('content', 'Must not be empty')
}

/** Reserves the right to give the first answer. */
async function claim(sql: Sql, { id, bot_id, message_id }: Interaction, draft: AnswerDraft): Promise<Interaction> {
  const isUpdate = updates(draft)
  const is_ephemeral = isUpdate ? message_id === null : 'ephemeral' in draft && draft.ephemeral
  const [row] = await sql<Interaction[]>`
    update interactions i set is_answered = true, is_ephemeral = ${is_ephemeral},
      is_deferred = ${draft.kind === 'deferred'}, updates = ${isUpdate}, answer_id = ${isUpdate ? message_id : null}
    from users bot where ${isPending(sql, bot_id, id, draft.token)} returning ${COLUMNS(sql)}`
  return demandInteraction(row)
}

/**
 * Demands that the bot and the person can still see the channel, and in a dm that the person accepts the bot's
 * messages.
 * @throws Problem `not_found`, `cannot_contact`
 */
async function demandReach(sql: Sql, { bot_id, user_id, channel_id }: Interaction): Promise<void> {
  const [row] = await sql<{ id: number; server_id: number | null }[]>`
    select id, server_id from channels where id = ${channel_id}`
  const channel = found(row)
  await demandBotSees(sql, bot_id, channel)
  if (channel.server_id === null) await demandContact(sql, bot_id, user_id)
  else {
    const [person] = await sql<{ permissions: number }[]>`
      select permissions from channel_access(${channel_id}, ${user_id})`
    demandSight(person?.permissions)
  }
}

/**
 * Stores the components and modal of an ephemeral answer, replacing earlier ones: only these may be used later.
 * @param key the number of the answer
 */
async function offer(sql: Sql, id: number, key: number | 'modal', offers: Offer[]): Promise<void> {
  const expiredKey = typeof key === 'number' ? key - OFFERS_KEPT : -1
  await sql`update interactions set offers = (offers || ${sql.json({ [key]: offers } as never)}::jsonb)
    - ${String(expiredKey)}::text where id = ${id}`
}

const EMPTY = {
  message_id: null,
  answer: null,
  replaces: null,
  content: '',
  components: [],
  embeds: [],
  modal: null,
  choices: [],
}
type AnswerEvent = Partial<Events['interaction.answered']> & Pick<Events['interaction.answered'], 'kind'>

/** Sends an event to the person who asked, and to nobody else. It is not stored. */
function tell({ bus }: Parts, { id, user_id, channel_id, bot }: Interaction, event: AnswerEvent): void {
  const d = { interaction_id: id, channel_id, bot, ...EMPTY, ...event }
  bus.publish(ephemeralFrame(topic.user(user_id), 'interaction.answered', d))
}

/** The answers of bots to interactions. */
export class Answers {
  constructor(
    private readonly parts: Parts,
    private readonly groups: SendGroups,
  ) {}

  /**
   * The first answer. If it is refused before anything was posted, the bot may answer again.
   * @returns the id of its message; null if it is ephemeral or deferred
   * @throws Problem `interaction_gone`, `validation_failed`, and any that sending a message throws
   */
  async first(bot_id: number, id: number, draft: AnswerDraft, unchanged: Unchanged = {}): Promise<number | null> {
    const { sql } = this.parts
    const unanswered = await pendingInteraction(sql, bot_id, id, draft.token)
    demandFitting(unanswered, draft)
    const interaction = await claim(sql, unanswered, draft)
    try {
      return await this.#answer(interaction, draft, unchanged)
    } catch (error) {
      // After any other error the answer may have been posted.
      if (error instanceof Problem && error.status < 500)
        await sql`update interactions set is_answered = false where id = ${id}
          and answer_id is not distinct from ${interaction.answer_id}::bigint
          and whispers = 0 and offers -> '0' is null`
      throw error
    }
  }

  async #answer(interaction: Interaction, draft: AnswerDraft, unchanged: Unchanged): Promise<number | null> {
    const { parts } = this
    switch (draft.kind) {
      case 'choices':
        await demandReach(parts.sql, interaction)
        tell(parts, interaction, { kind: 'choices', choices: draft.choices })
        return null
      case 'modal':
        await demandReach(parts.sql, interaction)
        await offer(parts.sql, interaction.id, 'modal', offersOf(draft.modal))
        tell(parts, interaction, { kind: 'modal', modal: draft.modal })
        return null
      case 'deferred':
        tell(parts, interaction, { kind: draft.update ? 'deferred_update' : 'deferred' })
        return null
      case 'update':
        if (interaction.answer_id === null) demandNoFiles(draft)
        return this.#give(interaction, draft, unchanged)
      case 'message':
        return this.#say(interaction, draft)
    }
  }

  /** A further answer. @throws Problem as `first` */
  async followUp(bot_id: number, id: number, draft: FollowUpDraft): Promise<number | null> {
    const { sql } = this.parts
    const interaction = await answeredInteraction(sql, bot_id, id, draft.token)
    demandContent(draft, draft.ephemeral)
    if (!draft.ephemeral) return this.#send(interaction, draft)
    await demandReach(sql, interaction)
    const [row] = await sql<{ whispers: number }[]>`
      update interactions set whispers = whispers + 1 where id = ${id} returning whispers`
    return this.#whisper(interaction, draft, demandInteraction(row).whispers)
  }

  /** Replaces the first answer, or completes a deferred one. @throws Problem as `first` */
  async change(bot_id: number, id: number, draft: AnswerPatch, unchanged: Unchanged = {}): Promise<number | null> {
    const interaction = await answeredInteraction(this.parts.sql, bot_id, id, draft.token)
    const { answer_id, is_ephemeral, is_deferred, updates } = interaction
    if (is_ephemeral) demandNoFiles(draft)
    if (answer_id === null && !(is_ephemeral && (updates || !is_deferred))) demandContent(draft, is_ephemeral)
    return this.#give(interaction, draft, unchanged)
  }

  /** Gives the first answer, or replaces an earlier one or the message of the component. */
  async #give(interaction: Interaction, answerContent: AnswerContent, unchanged: Unchanged): Promise<number | null> {
    const { parts } = this
    const { answer_id, bot_id } = interaction
    if (answer_id === null) return this.#say(interaction, answerContent)
    const { content, components, allowed_mentions } = answerContent
    const embeds = embedsOf(answerContent.embeds, parts.environment.LINK_PREVIEWS === 'on')
    const change = {
      ...(content === '' ? {} : { content }),
      ...(unchanged.components ? {} : { components }),
      ...(unchanged.embeds ? {} : { embeds }),
      allowed_mentions,
      file_ids: await filesAfter(parts.sql, answer_id, answerContent.file_ids ?? [], unchanged.files),
    }
    await parts.space.demand()
    const settle = await judgeEdit(parts, answer_id, bot_id, change)
    await parts.write((sql, emit) => editMessage(sql, emit, answer_id, bot_id, change))
    await settle?.()
    tell(parts, interaction, { kind: interaction.updates ? 'updated' : 'message', message_id: answer_id })
    return answer_id
  }

  /** Posts the first answer if it is not a message yet. */
  async #say(interaction: Interaction, answerContent: AnswerContent): Promise<number | null> {
    const { sql } = this.parts
    const { id, is_ephemeral } = interaction
    if (is_ephemeral) {
      await demandReach(sql, interaction)
      await this.#whisper(interaction, answerContent, 0)
      await sql`update interactions set is_deferred = false where id = ${id}`
      return null
    }
    const message_id = await this.#send(interaction, answerContent)
    await sql`update interactions set answer_id = ${message_id}, is_deferred = false where id = ${id}`
    return message_id
  }

  /** Sends an ephemeral answer. @param answer the number of the answer */
  async #whisper(interaction: Interaction, answerContent: AnswerContent, answer: number): Promise<null> {
    const { sql } = this.parts
    const { id, updates, asked_on_id, asked_on_answer } = interaction
    const { content, components } = answerContent
    const { embeds } = embedsOf(answerContent.embeds, false)
    demandSmall(components, embeds)
    const { judge } = this.parts
    const texts = [content, ...textsIn(components), ...textsIn(embeds)]
    const place = { channel_id: interaction.channel_id }
    if (!judge.isIdle()) await (await judge.demand({ author_id: interaction.bot_id, place, texts }))()
    const isMoved = answer === 0 && updates && asked_on_id !== null && asked_on_answer !== null
    const replaces = isMoved ? { interaction_id: asked_on_id, answer: asked_on_answer } : null
    // Components that the person no longer sees cannot be used any more.
    if (replaces)
      await sql`update interactions set offers = offers - ${String(replaces.answer)}::text where id = ${asked_on_id}`
    await offer(sql, id, answer, offersIn(components))
    tell(this.parts, interaction, { kind: 'ephemeral', answer, replaces, content, components, embeds })
    return null
  }

  /** Posts a message in the channel. */
  async #send(
    interaction: Interaction,
    { content, components, embeds, allowed_mentions, file_ids = [] }: AnswerContent,
  ): Promise<number> {
    const { parts } = this
    await parts.space.demand()
    const { bot_id, user_id, channel_id, name } = interaction
    const fields = { content, components, embeds, allowed_mentions, file_ids }
    const none = { reply_to_id: null, forward_message_id: null, poll: null, sticker_id: null }
    const draft = { ...fields, ...none, reply_mention: true }
    const response = await sendMessage(parts, this.groups, bot_id, { channel_id }, draft, [], { name, user_id })
    const message: { id: number } = await response.json()
    tell(parts, interaction, { kind: 'message', message_id: message.id })
    return message.id
  }
}
