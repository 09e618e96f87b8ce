import type { Sql } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import { ephemeralFrame, type Events, topic } from '../../core/events.ts'
import { found } from '../../core/errors.ts'
import { field } from '../../http/answers.ts'
import type { PublicUser } from '../../core/schema.ts'
import { type Components, customIdsIn } from '../messages/components.ts'
import { demandOwn, editMessage } from '../messages/edit.ts'
import { demandContact } from '../dms/contact.ts'
import { changeMessage } from '../messages/place.ts'
import { sendMessage } from '../messages/send.ts'
import type { SendGroups } from '../messages/send-groups.ts'
import { demandBotSees, hashOf } from './begin.ts'
import { ANSWER_SECONDS, type AnswerDraft, FOLLOW_UP_SECONDS } from './model.ts'

/** Custom ids that one interaction offers to its person at most. */
const OFFERED_MAX = 200

interface Interaction {
  id: number
  bot_id: number
  user_id: number
  channel_id: number
  kind: Events['interaction.created']['kind']
  name: string | null
  message_id: number | null
  is_ephemeral: boolean
  bot: PublicUser
}

/** What a bot says. */
interface Said {
  content: string
  components: Components
}

const COLUMNS = (sql: Sql) =>
  sql`i.id, i.bot_id, i.user_id, i.channel_id, i.kind, i.name, i.message_id, i.is_ephemeral, public_user(bot) as bot`

/** @throws Problem `interaction_gone` for another bot's, a wrong token, and what is not to be answered (any more) */
const gone = <T>(row: T | undefined): T => found(row, 'interaction_gone')

/** An interaction that has its first answer, while more may follow. */
async function answered(sql: Sql, bot_id: number, id: number, token: string): Promise<Interaction> {
  const [row] = await sql<Interaction[]>`
    select ${COLUMNS(sql)} from interactions i join users bot on bot.id = i.bot_id
    where i.id = ${id} and i.bot_id = ${bot_id} and i.hash = ${hashOf(token)} and i.is_answered
      and i.kind <> 'autocomplete' and i.created_at > now() - ${FOLLOW_UP_SECONDS} * interval '1 second'`
  return gone(row)
}

/** Takes the one right to answer first. */
async function claim(sql: Sql, bot_id: number, id: number, token: string, is_ephemeral: boolean): Promise<Interaction> {
  const [row] = await sql<Interaction[]>`
    update interactions i set is_answered = true, is_ephemeral = ${is_ephemeral} from users bot
    where i.id = ${id} and i.bot_id = ${bot_id} and i.hash = ${hashOf(token)} and not i.is_answered
      and i.created_at > now() - ${ANSWER_SECONDS} * interval '1 second' and bot.id = i.bot_id
    returning ${COLUMNS(sql)}`
  return gone(row)
}

/**
 * Demands that the bot is still where it was asked, and that the person of a dm takes what it says.
 * @throws Problem `not_found`, `cannot_contact`
 */
async function demandReach(sql: Sql, { bot_id, user_id, channel_id }: Interaction): Promise<void> {
  const [row] = await sql<{ id: number; server_id: number | null }[]>`
    select id, server_id from channels where id = ${channel_id}`
  const channel = found(row)
  await demandBotSees(sql, bot_id, channel)
  if (channel.server_id === null) await demandContact(sql, bot_id, user_id)
}

/** Notes what the person alone is offered: only that may be used later. */
async function offer(sql: Sql, id: number, offered: string[]): Promise<void> {
  if (offered.length === 0) return
  await sql`update interactions set offered = (offered || ${offered}::text[])[:${OFFERED_MAX}] where id = ${id}`
}

const EMPTY = { message_id: null, content: '', components: [], modal: null, choices: [] }
type Told = Partial<Events['interaction.answered']> & Pick<Events['interaction.answered'], 'kind'>

/** Tells the person who asked, and nobody else; it is kept nowhere. */
function tell({ bus }: Parts, { id, user_id, channel_id, bot }: Interaction, told: Told): void {
  const d = { interaction_id: id, channel_id, bot, ...EMPTY, ...told }
  bus.publish(ephemeralFrame(topic.user(user_id), 'interaction.answered', d))
}

/** The answers of bots. */
export class Answers {
  constructor(
    private readonly parts: Parts,
    private readonly groups: SendGroups,
  ) {}

  /**
   * The first answer.
   * @returns the id of its message; null where no channel has it
   * @throws Problem `interaction_gone`, `validation_failed`, and what sending a message is refused with
   */
  async first(bot_id: number, id: number, draft: AnswerDraft): Promise<number | null> {
    const { parts } = this
    const is_ephemeral = 'ephemeral' in draft && draft.ephemeral
    const interaction = await claim(parts.sql, bot_id, id, draft.token, is_ephemeral)
    const isTyping = interaction.kind === 'autocomplete'
    if (isTyping !== (draft.kind === 'choices'))
      throw field('kind', 'Choices answer autocomplete, and nothing else does')
    if (draft.kind === 'choices') {
      tell(parts, interaction, { kind: 'choices', choices: draft.choices })
      return null
    }
    if (draft.kind === 'modal') {
      if (interaction.kind === 'modal') throw field('kind', 'A modal is not answered by a modal')
      await demandReach(parts.sql, interaction)
      const { custom_id, inputs } = draft.modal
      await offer(parts.sql, id, [`modal ${custom_id}`, ...inputs.map((input) => `input ${input.custom_id}`)])
      tell(parts, interaction, { kind: 'modal', modal: draft.modal })
      return null
    }
    if (draft.kind === 'update') {
      if (interaction.kind !== 'component' || interaction.message_id === null)
        throw field('kind', 'Only the message of a component is updated')
      await this.#change(interaction, interaction.message_id, draft)
      tell(parts, interaction, { kind: 'updated', message_id: interaction.message_id })
      return interaction.message_id
    }
    // What a component stands on is not the answer.
    await parts.sql`update interactions set message_id = null where id = ${id}`
    if (draft.kind === 'deferred') {
      tell(parts, interaction, { kind: 'deferred' })
      return null
    }
    return this.#say(interaction, draft, draft.ephemeral, true)
  }

  /** What is added to an answer. @throws Problem as `first` */
  async followUp(bot_id: number, id: number, draft: Said & { token: string; ephemeral: boolean }) {
    return this.#say(await answered(this.parts.sql, bot_id, id, draft.token), draft, draft.ephemeral, false)
  }

  /** Replaces the first answer, or gives what was deferred. @throws Problem as `first` */
  async change(bot_id: number, id: number, draft: Said & { token: string }): Promise<number | null> {
    const interaction = await answered(this.parts.sql, bot_id, id, draft.token)
    const { message_id, is_ephemeral } = interaction
    if (message_id === null) return this.#say(interaction, draft, is_ephemeral, true)
    await this.#change(interaction, message_id, draft)
    return message_id
  }

  /** @param isFirst whether it is the first answer, which may be changed later */
  async #say(interaction: Interaction, said: Said, isEphemeral: boolean, isFirst: boolean): Promise<number | null> {
    const { parts } = this
    const { content, components } = said
    if (content === '') throw field('content', 'Must not be empty')
    if (isEphemeral) {
      await demandReach(parts.sql, interaction)
      await offer(
        parts.sql,
        interaction.id,
        customIdsIn(components).map((custom_id) => `component ${custom_id}`),
      )
      tell(parts, interaction, { kind: 'ephemeral', content, components })
      return null
    }
    await parts.space.demand()
    const { bot_id, user_id, channel_id, id, name } = interaction
    const draft = {
      content,
      components,
      file_ids: [],
      reply_to_id: null,
      forward_message_id: null,
      reply_mention: true,
    }
    const sent = await sendMessage(parts.sql, this.groups, bot_id, { channel_id }, draft, [], { name, user_id })
    const message: { id: number } = await sent.json()
    if (isFirst) await parts.sql`update interactions set message_id = ${message.id} where id = ${id}`
    tell(parts, interaction, { kind: 'message', message_id: message.id })
    return message.id
  }

  /** Changes a message of the bot's. */
  async #change({ bot_id }: Interaction, message_id: number, { content, components }: Said): Promise<void> {
    await this.parts.write(async (sql, emit) => {
      await changeMessage(sql, emit, message_id, bot_id, undefined, async (place) => {
        await demandOwn(sql, bot_id, place)
        await sql`update messages set data = (coalesce(data::jsonb, '{}') || ${sql.json({ components })}::jsonb)::json
          where id = ${message_id}`
      })
      if (content !== '') await editMessage(sql, emit, message_id, bot_id, content)
    })
  }
}
