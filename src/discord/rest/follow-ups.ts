import { lockedPlace } from '../../features/access/place.ts'
import { lockServersShowing } from '../../features/files/access.ts'
import { FOLLOW_UP_SECONDS } from '../../features/interactions/model.ts'
import { editMessage, judgeEdit } from '../../features/messages/edit.ts'
import { filesAfter } from '../../features/messages/edit-files.ts'
import { MessageEdit } from '../../features/messages/model.ts'
import { removeMessage } from '../../features/messages/remove.ts'
import { embedsOf } from '../../features/previews/embed-drafts.ts'
import { withStoredFiles } from '../../features/webhooks/stored-files.ts'
import { Unknown } from '../refusals.ts'
import { contentFields, filesOf, keptFiles, MessageBody, parseBody } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { answerMessage, interactionOf } from './interactions.ts'
import { openRoute } from './router.ts'

// Later changes of a message that answers an interaction, with the interaction's token in place of the bot's.

/**
 * The message in the path: the bot's own, in the channel of its interaction.
 * @throws Unknown, Problem `interaction_gone`
 */
async function answerIn(call: Call) {
  const interaction = await interactionOf(call)
  const { bot_id, channel_id, answer_id } = interaction
  const isFirst = call.param('message') === '@original'
  const id = isFirst ? answer_id : await call.id('message')
  const [row] = await call.tools.parts.sql`
    select 1 from messages m join interactions i on i.id = ${interaction.id}
    where m.id = ${id} and m.author_id = ${bot_id} and m.channel_id = ${channel_id} and m.created_at >= i.created_at
      and i.created_at > now() - ${FOLLOW_UP_SECONDS} * interval '1 second'`
  if (!row || id === null) throw new Unknown('message')
  return { interaction, bot_id, id }
}

async function edit(call: Call): Promise<Reply> {
  const { interaction, bot_id, id } = await answerIn(call)
  const { parts } = call.tools
  const body = parseBody(MessageBody, call.body)
  const content = await contentFields(call, body)
  const keptIds = await keptFiles(call, body)
  await parts.space.demand()
  await withStoredFiles(parts, bot_id, filesOf(call, body), async (added) => {
    const file_ids = await filesAfter(parts.sql, id, added, keptIds)
    const { embeds, ...fields } = parseBody(MessageEdit, { ...content, file_ids })
    const change = { ...fields, embeds: embeds && embedsOf(embeds, parts.environment.LINK_PREVIEWS === 'on') }
    const settle = await judgeEdit(parts, id, bot_id, change)
    await parts.write((sql, emit) => editMessage(sql, emit, id, bot_id, change))
    await settle?.()
  })
  return answerMessage(call, interaction, id)
}

async function remove(call: Call): Promise<Reply> {
  const { bot_id, id } = await answerIn(call)
  await call.tools.parts.write(async (sql, emit) => {
    await lockServersShowing(sql, sql`f.message_id = ${id}`)
    await removeMessage(sql, emit, id, await lockedPlace(sql, id, bot_id))
  })
  return undefined
}

async function get(call: Call): Promise<Reply> {
  const { interaction, id } = await answerIn(call)
  return answerMessage(call, interaction, id)
}

const MESSAGE = '/webhooks/:application/:token/messages/:message'

export const followUpRoutes = [
  openRoute('GET', MESSAGE, 'message', get),
  openRoute('PATCH', MESSAGE, 'message', edit),
  openRoute('DELETE', MESSAGE, 'message', remove),
]
