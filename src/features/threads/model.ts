import { z } from 'zod'
import { durable, ephemeral, type Payloads } from '../../core/events.ts'
import { Id, placeName, Time } from '../../core/schema.ts'
import { Channel, PostTags } from '../access/model.ts'
import { MessageDraft } from '../messages/model.ts'

export const ThreadDraft = z.strictObject({
  name: placeName(100).meta({ example: 'Kingfishers of the lower weir' }),
  message_id: Id.optional().describe('a message of the channel, at which the thread begins; not in a forum'),
  tag_ids: PostTags.optional().describe('only in a forum: tags of the post'),
  message: MessageDraft.optional().describe(
    'only in a forum, where it is needed: the first message of the post; its nonce is one of the forum',
  ),
})
export type ThreadDraft = z.infer<typeof ThreadDraft>

const seers = "members who see the thread's channel"
const key = (d: { id: number }) => `thread:${d.id}`

export const threadEvents = {
  'thread.created': durable(Channel, key, seers),
  'thread.updated': durable(
    Channel,
    key,
    `${seers}; the full state, at most once a second; the message at which it began changes with it`,
  ),
  'thread.deleted': durable(z.object({ id: Id, server_id: Id, parent_id: Id, created_at: Time }), key, seers),
  'thread.followed': durable(
    z.object({ channel_id: Id, following: z.boolean() }),
    (d) => `following:${d.channel_id}`,
    'your own sockets; not sent if you follow by writing or by a mention of your name: `message.created` says that',
  ),
  'thread.follower': ephemeral(
    z.object({ channel_id: Id, user_id: Id, following: z.boolean() }),
    'bots that hold manage_threads in the thread; not for those who begin to follow by writing or by a mention',
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof threadEvents> {}
}
