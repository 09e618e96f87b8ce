import { expect } from 'bun:test'
import { permissions } from '../../src/core/permissions.ts'
import type { Person } from './harness.ts'
import { addBot, botOf } from './bots.ts'
import { apiOf, snowflakeOf } from './discord.ts'
import { forumOf } from './forums.ts'
import { passerBy, place, rank } from './places.ts'
import { png, upload } from './uploads.ts'
import { post, webhook } from './webhooks.ts'

type Way = (text: string) => Promise<{ status: number }>

/** Ways after which the refused text is still where its writer put it before: an upload, a message elsewhere. */
export const LEFT_WITH_WRITER = ['name a file', 'describe a file, then send it', 'forward']
/** Ways of the bot and of the webhook, which have no exempt role. */
export const isOfProgram = (way: string): boolean => /^(bot|webhook) /.test(way)

/**
 * A server of alice's with bob, a bot and a webhook, and every way by which a text of theirs reaches others there.
 * Texts have at most 30 characters.
 */
export async function judgedWays(alice: Person) {
  const { parley } = alice
  const bob = await passerBy(parley, 'bob')
  const { server_id, channel_id, forum } = await forumOf(alice, [bob])
  const role_id = await rank(parley, server_id, permissions('create_events', 'manage_emoji', 'manage_threads'), bob)
  const bot = await botOf(alice, 'Dice')
  await addBot(alice, server_id, bot)
  const { url } = await webhook(alice, channel_id)
  const elsewhere = await place(bob)

  const path = `/api/channels/${channel_id}`
  const bodyOf = async (answer: Promise<{ status: number; body: any }>): Promise<any> => {
    const { status, body } = await answer
    expect([status, body.code]).toEqual([status < 300 ? status : 201, undefined])
    return body
  }
  const send = (draft: object, who = bob) => who.post(`${path}/messages`, draft)
  const picture = async (name = 'owl.png') => (await upload(bob, name, 'image/png', await png(8, 8))).id
  const message = await bodyOf(send({ content: 'A heron' }))
  const pictured = await bodyOf(send({ content: '', file_ids: [await picture()] }))
  const botMessage = await bodyOf(send({ content: 'Dice' }, bot))
  const hooked = (await post(alice, `${url}?wait=true`, { content: 'Up' })).body.id
  const thread = (await bodyOf(bob.post(`${path}/threads`, { name: 'Terns' }))).id
  const times = {
    starts_at: new Date(Date.now() + 3_600_000).toISOString(),
    ends_at: new Date(Date.now() + 7_200_000).toISOString(),
    time_zone: 'UTC',
  }
  const event = { title: 'Walk', ...times, place: { text: 'The bridge' } }
  const eventId = (await bodyOf(bob.post(`/api/servers/${server_id}/events`, event))).id
  const sticker = { name: 'Otter', alt: 'An otter' }
  const stickers = `/api/servers/${server_id}/stickers`
  const stickerId = (await bodyOf(bob.post(stickers, { ...sticker, file_id: await picture() }))).id
  const own = await picture()
  const [one, two] = [{ text: 'One' }, { text: 'Two' }]
  const topic = (name: string, content: string, more: object = {}) =>
    bob.post(`/api/channels/${forum.id}/threads`, { name, message: { content, ...more } })

  const ways: Record<string, Way> = {
    send: (content) => send({ content }),
    'send with a link': (text) => send({ content: `https://a.example/${text}?q=1` }),
    'send in a thread': (content) => bob.post(`/api/channels/${thread}/messages`, { content }),
    edit: (content) => bob.put(`/api/messages/${message.id}`, { content }),
    'begin a thread': (name) => bob.post(`${path}/threads`, { name }),
    'rename a thread': (name) => bob.put(`/api/channels/${thread}`, { name }),
    'name a post': (name) => topic(name, 'x'),
    'begin a post': (content) => topic('Egg', content),
    'ask in a poll': (question) => send({ content: '', poll: { question, answers: [one, two] } }),
    'answer in a poll': (text) => send({ content: '', poll: { question: 'Which?', answers: [one, { text }] } }),
    'ask in a post': (question) => topic('Egg', '', { poll: { question, answers: [one, two] } }),
    'name a file': async (text) => send({ content: '', file_ids: [await picture(`${text}.png`)] }),
    'describe a file, then send it': async (alt) => {
      await bob.put(`/api/files/${own}`, { alt })
      return send({ content: '', file_ids: [own] })
    },
    'describe a file that was sent': (alt) => bob.put(`/api/files/${pictured.files[0].id}`, { alt }),
    'name an event': (title) => bob.post(`/api/servers/${server_id}/events`, { ...event, title }),
    'describe an event': (description) => bob.put(`/api/events/${eventId}`, { description }),
    'place an event': (text) => bob.put(`/api/events/${eventId}`, { place: { text } }),
    'name a sticker': async (name) => bob.post(stickers, { ...sticker, name, file_id: await picture() }),
    'describe a sticker': (alt) => bob.put(`/api/stickers/${stickerId}`, { alt }),
    nickname: (nickname) => bob.put(`/api/servers/${server_id}/members/${bob.id}`, { nickname }),
    'bot sends a card': (title) => send({ content: 'x', embeds: [{ title }] }, bot),
    'bot edits': (content) => bot.put(`/api/messages/${botMessage.id}`, { content }),
    'bot labels a button': (label) =>
      send({ content: 'x', components: [[{ type: 'button', label, custom_id: 'x' }]] }, bot),
    'bot sends by the other door': (content) => byDiscord('POST', '/messages', { content }),
    'bot sends a card by the other door': (title) => byDiscord('POST', '/messages', { embeds: [{ title }] }),
    'webhook posts': (content) => post(alice, url, { content }),
    'webhook posts under a name': (username) => post(alice, url, { content: 'x', username }),
    'webhook edits': (content) => post(alice, `${url}/messages/${hooked}`, { content }, { method: 'PATCH' }),
    // The text is in another server, where no rule is.
    forward: async (content) => {
      const original = await bodyOf(bob.post(`/api/channels/${elsewhere.channel_id}/messages`, { content }))
      return send({ forward_message_id: original.id })
    },
  }
  const channel = await bodyOf(bot.get(path))
  async function byDiscord(method: string, end: string, body: object) {
    const id = snowflakeOf(channel)
    const answer = await fetch(`${apiOf(parley)}/v10/channels/${id}${end}`, {
      method,
      headers: { authorization: `Bot ${bot.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { code } = (await answer.json()) as { code?: number }
    // Discord's number for what AutoMod blocks.
    return { status: code === 200_000 ? 403 : answer.status }
  }
  return { ways, server_id, channel_id, elsewhere, role_id, bob, bot }
}
