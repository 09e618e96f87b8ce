import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import type { PublicUser } from '../../core/schema.ts'
import { hashOf } from '../../features/interactions/begin.ts'
import { AnswerDraft, AnswerPatch, FollowUpDraft } from '../../features/interactions/model.ts'
import type { Answers } from '../../features/interactions/answer.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Message } from '../../features/messages/model.ts'
import { withStoredFiles } from '../../features/webhooks/stored-files.ts'
import { IS_EPHEMERAL, messageOf } from '../shapes/messages.ts'
import { idsInModal, ModalBody, parleyModal } from '../shapes/modals.ts'
import { readToken } from '../shapes/interactions.ts'
import { discordTime, userOf } from '../shapes/users.ts'
import { Attachments, contentFields, filesOf, keptFiles, MessageBody, parseBody } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { openRoute } from './router.ts'

// Answers to interactions. These routes have no token of the bot: the token of the interaction is the secret.

/** As on our own door: all answers of a bot. */
const ANSWERS: BucketPolicy = { name: 'answers', burst: 60, refillPerS: 20 }
/** Discord's numbers of answers. */
const [PONG, MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, CHOICES, MODAL] = [1, 4, 5, 6, 7, 8, 9]
/** Discord's numbers of interactions. */
const KINDS: Record<string, number> = { command: 2, component: 3, autocomplete: 4, modal: 5 }

interface Interaction {
  id: number
  token: string
  bot_id: number
  kind: string
  channel_id: number
  answer_id: number | null
  is_ephemeral: boolean
  /** True while the answer is deferred that a new message will give. */
  awaits_message: boolean
}

/** The interaction that a token names, whose bot is counted. @throws Problem `interaction_gone` */
export async function interactionOf(call: Call): Promise<Interaction> {
  const { id, token } = readToken(call.param('token')) ?? { id: 0, token: '' }
  const { sql, limits } = call.tools.parts
  const [row] = await sql<Omit<Interaction, 'token'>[]>`
    select id, bot_id, kind, channel_id, answer_id, is_ephemeral, is_deferred and not updates as awaits_message
    from interactions
    where id = ${id} and hash = ${hashOf(token)}`
  if (!row) throw new Problem('interaction_gone')
  await limits.take(call.caller, ANSWERS, `user:${row.bot_id}`)
  return { ...row, token }
}

/** The bot whose interaction a request answers. @throws Problem `interaction_gone` */
export const ownerOf = async (call: Call): Promise<number> => (await interactionOf(call)).bot_id

const Data = MessageBody.extend({
  choices: z.array(z.object({ name: z.string(), value: z.union([z.string(), z.number()]) })).nullish(),
})
const Callback = z.object({ type: z.int(), data: z.unknown().optional() })

const isEphemeral = ({ flags }: MessageBody): boolean => ((flags ?? 0) & IS_EPHEMERAL) !== 0

/** The first answer as Parley's API takes it. */
async function draftOf(call: Call, type: number, data: unknown) {
  if (type === MODAL) {
    const form = parseBody(ModalBody, data)
    return { kind: 'modal', modal: parleyModal(form, await call.tools.ids.findAll(idsInModal(form))) }
  }
  const body = parseBody(Data, data ?? {})
  const ephemeral = isEphemeral(body)
  switch (type) {
    case MESSAGE:
      return { kind: 'message', ephemeral, ...(await contentFields(call, body)) }
    case DEFERRED:
      return { kind: 'deferred', ephemeral }
    case DEFERRED_UPDATE:
      return { kind: 'deferred', update: true }
    case UPDATE:
      return { kind: 'update', ...(await contentFields(call, body)) }
    case CHOICES:
      return { kind: 'choices', choices: body.choices?.map(({ name, value }) => ({ name, value })) ?? [] }
    default:
      throw new Problem('bad_request', 'There is no such type of answer')
  }
}

/** The message that answers, as its bot sees it; a stand-in for one that only the person sees, which is not stored. */
export async function answerMessage(
  call: Call,
  { bot_id, channel_id, id }: Interaction,
  messageId: number | null,
  content = '',
) {
  const { sql } = call.tools.parts
  if (messageId !== null) {
    const [row] = await sql<{ message: Message }[]>`
      select message_json(m, ${bot_id}) as message from messages m
      where m.id = ${messageId} and m.author_id = ${bot_id}`
    if (row)
      return call.resolve((of) => messageOf(of, { server_id: of.serverOf(channel_id), links: call.links }, row.message))
  }
  const [bot] = await sql<{ account: PublicUser }[]>`select public_user(u) as account from users u where id = ${bot_id}`
  if (!bot) throw new Problem('interaction_gone')
  return call.resolve((of) => ({
    id: of.id('interaction', id),
    type: 20,
    channel_id: of.id('channel', channel_id),
    author: userOf(of, bot.account),
    content,
    timestamp: discordTime(new Date().toISOString()),
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
  }))
}

/** Discord keeps the parts of a message that a change does not name. */
const unchangedBy = (fields: object) => ({ components: !('components' in fields), embeds: !('embeds' in fields) })

export function interactionRoutes(answers: Answers) {
  const answer = async (call: Call): Promise<Reply> => {
    const interaction = await interactionOf(call)
    const { type, data } = parseBody(Callback, call.body)
    const { token, id, bot_id } = interaction
    // An answer to a ping, which a gateway does not send: it changes nothing.
    if (type === PONG) return undefined
    const fields = await draftOf(call, type, data)
    const draft = parseBody(AnswerDraft, { ...fields, token })
    const described = parseBody(Attachments, data ?? {})
    const unchanged = { ...unchangedBy(fields), files: await keptFiles(call, described) }
    const messageId = await withStoredFiles(call.tools.parts, bot_id, filesOf(call, described), (file_ids) =>
      answers.first(bot_id, id, 'file_ids' in draft ? { ...draft, file_ids } : draft, unchanged),
    )
    if (call.query.get('with_response') !== 'true') return undefined
    const isMessage = type === MESSAGE || type === UPDATE
    const message = isMessage ? await answerMessage(call, interaction, messageId) : undefined
    return call.resolve((of) => ({
      interaction: {
        id: of.id('interaction', id),
        type: KINDS[interaction.kind] ?? 2,
        response_message_id: message?.id,
        response_message_loading: type === DEFERRED,
        response_message_ephemeral: 'ephemeral' in draft && draft.ephemeral,
      },
      ...(message ? { resource: { type, message } } : {}),
    }))
  }

  const followUp = async (call: Call): Promise<Reply> => {
    const interaction = await interactionOf(call)
    // As on Discord, the first follow-up is the answer that was deferred.
    if (interaction.awaits_message) return change(call)
    const body = parseBody(MessageBody, call.body)
    const { token, id, bot_id } = interaction
    const fields = await contentFields(call, body)
    const draft = parseBody(FollowUpDraft, { token, ephemeral: isEphemeral(body), ...fields })
    const messageId = await withStoredFiles(call.tools.parts, bot_id, filesOf(call, body), (file_ids) =>
      answers.followUp(bot_id, id, { ...draft, file_ids }),
    )
    return answerMessage(call, interaction, messageId, draft.content)
  }

  const change = async (call: Call): Promise<Reply> => {
    const interaction = await interactionOf(call)
    const { token, id, bot_id } = interaction
    const body = parseBody(MessageBody, call.body)
    const fields = await contentFields(call, body)
    const draft = parseBody(AnswerPatch, { token, ...fields })
    const unchanged = { ...unchangedBy(fields), files: await keptFiles(call, body) }
    const messageId = await withStoredFiles(call.tools.parts, bot_id, filesOf(call, body), (file_ids) =>
      answers.change(bot_id, id, { ...draft, file_ids }, unchanged),
    )
    return answerMessage(call, interaction, messageId, draft.content)
  }

  const original = async (call: Call): Promise<Reply> => {
    const interaction = await interactionOf(call)
    if (interaction.answer_id === null && !interaction.is_ephemeral) throw new Problem('not_found')
    return answerMessage(call, interaction, interaction.answer_id)
  }

  const callback = '/interactions/:interaction/:token/callback'
  const hook = '/webhooks/:application/:token'
  return [
    openRoute('POST', callback, 'interaction', answer),
    openRoute('POST', hook, 'webhook', followUp),
    openRoute('GET', `${hook}/messages/@original`, 'message', original),
    openRoute('PATCH', `${hook}/messages/@original`, 'message', change),
  ]
}
