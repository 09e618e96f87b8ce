import { z } from 'zod'
import { filesAfter } from '../../features/messages/edit-files.ts'
import type { Message } from '../../features/messages/model.ts'
import { withStoredFiles } from '../../features/webhooks/stored-files.ts'
import { messageOf } from '../shapes/messages.ts'
import { contentFields, filesOf, keptFiles, MessageBody, numberIn, parseBody, sendFields } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { route } from './router.ts'
import { stickerField } from './stickers.ts'

const PAGE_MAX = 100
const PAGE_DEFAULT = 50
/** Discord's type of a reference that forwards a message. */
const FORWARD = 1
/** Discord's flag of a message without embeds. */
const SUPPRESS_EMBEDS = 4

/** Answers with messages as the bot sees them. */
export const showMessages = (call: Call, messages: Message[]): Promise<object[]> =>
  call.resolve((of) =>
    messages.map((message) => {
      const seen = { server_id: of.serverOf(message.channel_id), links: call.links }
      const translation = messageOf(of, seen, message)
      return message.reply_to_id === null
        ? translation
        : { ...translation, referenced_message: repliedTo(message.reply_to_id) }
      function repliedTo(id: number) {
        const original = of.fact('message_row', `${id}:${call.me.id}`)
        return original ? messageOf(of, seen, original) : null
      }
    }),
  )

async function showMessage(call: Call, message: Message): Promise<object> {
  const [translation = {}] = await showMessages(call, [message])
  return translation
}

/** A message's id in the path, of the channel that the path names. @throws Unknown */
async function messageIn(call: Call): Promise<number> {
  await call.id('channel')
  return call.id('message')
}

/** The message that a new one replies to or forwards. A reply to one that is gone may be none. */
async function referenceFields(call: Call, { message_reference: reference }: MessageBody): Promise<object> {
  if (!reference?.message_id) return {}
  const name = reference.type === FORWARD ? 'forward_message_id' : 'reply_to_id'
  if (reference.fail_if_not_exists !== false) return { [name]: await call.find('message', reference.message_id) }
  return { [name]: (await call.tools.ids.find('message', reference.message_id)) ?? null }
}

async function send(call: Call): Promise<Reply> {
  const channelId = await call.id('channel')
  const body = parseBody(MessageBody, call.body)
  const draft = {
    content: '',
    ...(await contentFields(call, body)),
    ...(await referenceFields(call, body)),
    ...(await stickerField(call, body)),
    ...sendFields(body),
  }
  const post = (file_ids: number[]) =>
    call.own<Message>('POST', `/api/channels/${channelId}/messages`, { ...draft, file_ids })
  return showMessage(call, await withStoredFiles(call.tools.parts, call.me.id, filesOf(call, body), post))
}

async function edit(call: Call): Promise<Reply> {
  const id = await messageIn(call)
  const { parts } = call.tools
  const body = parseBody(MessageBody, call.body)
  const change = await contentFields(call, body)
  const keptIds = await keptFiles(call, body)
  const isHiding = body.flags !== null && body.flags !== undefined
  if (isHiding)
    await call.own('PUT', `/api/messages/${id}/embeds/suppressed`, {
      suppressed: ((body.flags ?? 0) & SUPPRESS_EMBEDS) !== 0,
    })
  const put = async (added: number[]) => {
    const file_ids = await filesAfter(parts.sql, id, added, keptIds)
    const fields = { ...change, ...(file_ids ? { file_ids } : {}) }
    return Object.keys(fields).length > 0 || !isHiding
      ? call.own<Message>('PUT', `/api/messages/${id}`, fields)
      : call.own<Message>('GET', `/api/messages/${id}`)
  }
  return showMessage(call, await withStoredFiles(parts, call.me.id, filesOf(call, body), put))
}

/** The cursor of a list of messages, with Parley's id. */
async function cursorOf(call: Call, channelId: number): Promise<string> {
  for (const name of ['before', 'after', 'around'] as const) {
    const snowflake = call.query.get(name)
    if (snowflake !== null) return call.cursor('message', name, snowflake, channelId)
  }
  return ''
}

async function list(call: Call): Promise<Reply> {
  const channelId = await call.id('channel')
  const limit = Math.max(1, numberIn(call.query, 'limit', PAGE_MAX) ?? PAGE_DEFAULT)
  const path = `/api/channels/${channelId}/messages?limit=${limit}${await cursorOf(call, channelId)}`
  return showMessages(call, await call.own<Message[]>('GET', path))
}

async function removeSome(call: Call): Promise<Reply> {
  const { messages } = parseBody(z.object({ messages: z.array(z.string()).max(100) }), call.body)
  const ids = await call.findSome('message', messages)
  if (ids.length > 0) await call.own('POST', `/api/channels/${await call.id('channel')}/messages/bulk-delete`, { ids })
  return undefined
}

export const messageRoutes = [
  route('POST', '/channels/:channel/messages/bulk-delete', 'channel', removeSome),
  route('POST', '/channels/:channel/messages', 'channel', send),
  route('GET', '/channels/:channel/messages', 'channel', list),
  route('GET', '/channels/:channel/messages/:message', 'message', async (call) =>
    showMessage(call, await call.own<Message>('GET', `/api/messages/${await messageIn(call)}`)),
  ),
  route('PATCH', '/channels/:channel/messages/:message', 'message', edit),
  route('DELETE', '/channels/:channel/messages/:message', 'message', async (call) => {
    await call.own('DELETE', `/api/messages/${await messageIn(call)}`)
    return undefined
  }),
]
