import type { ClientMemory, Row } from './client-memory.ts'
import type { Person } from './harness.ts'

type ApplyTo = (resource: string, s: number, apply: () => void) => void
/** Resources that a client has to fetch. */
interface Unknown {
  channels: Set<number>
  people: Set<number>
}

/** Fields of the dm that its message carries. They apply even if an edit has overtaken the message. */
export const SIDE_OF_MESSAGE = 'side of message.created'

/** How a client applies the events of friends, dms and groups. */
export function peopleHandlers(
  memory: ClientMemory,
  applyTo: ApplyTo,
  unknown: Unknown,
  isReplay: () => boolean,
): Record<string, (d: any, s: number) => void> {
  /** Several events carry one side of a dm, so it is a resource of its own. */
  const side = (channel_id: number, s: number, change: (row: Row) => Row | undefined) =>
    applyTo(`conversation:${channel_id}`, s, () => {
      // `ready` has said more of conversations.
      if (isReplay()) return
      const row = memory.conversations.get(channel_id)
      const next = change(row ?? { last_message_id: 0, unread_count: 0, request: null })
      if (!next) return memory.dropConversation(channel_id)
      if (!row) unknown.channels.add(channel_id)
      memory.conversations.set(channel_id, next)
    })
  /** Of a hidden conversation the next message says what it is. */
  const noteRequest = (channel_id: number, s: number, request: string | null) =>
    applyTo(`request:${channel_id}`, s, () => {
      const row = memory.conversations.get(channel_id)
      if (row && !isReplay()) memory.conversations.set(channel_id, { ...row, request })
    })
  /** A newer event, which may not name the message, may have come before it. */
  const advance = ({ id, channel_id }: Row) => {
    const conversation = memory.conversations.get(channel_id)
    if (conversation) conversation.last_message_id = Math.max(conversation.last_message_id, id)
  }
  /** A message's events carry its reactions and its poll, which are resources of their own. */
  const isNews = ({ id }: Row, s: number, part: 'reactions' | 'poll') => {
    let isNews = false
    applyTo(`${part}:${id}`, s, () => (isNews = true))
    return isNews
  }
  const upsert = (message: Row, s: number) =>
    memory.upsertMessage(message, isNews(message, s, 'reactions'), isNews(message, s, 'poll'))
  return {
    'friend.updated': ({ user_id, relation: { user, state, since } }, s) => {
      if (state === 'none') memory.relations.delete(user_id)
      else memory.relations.set(user_id, { state, since })
      applyTo(`user:${user_id}`, s, () => memory.users.set(user_id, user))
    },
    [SIDE_OF_MESSAGE]: ({ unread_count, request = null, ...message }, s) => {
      if (unread_count === undefined) return
      side(message.channel_id, s, (row) => ({
        ...row,
        user_id: memory.partnerOf(message),
        last_message_id: Math.max(row.last_message_id, message.id),
        unread_count,
      }))
      noteRequest(message.channel_id, s, request)
    },
    'message.created': ({ unread_count, ...row }, s) => {
      const { request: _, ...message } = row
      if (unread_count !== undefined) advance(message)
      upsert(message, s)
    },
    'message.updated': (message, s) => {
      advance(message)
      upsert(message, s)
    },
    'message.reactions': ({ id, reactions }) => memory.react(id, reactions),
    'reaction.mine': ({ message_id, emoji, reaction_id }) => {
      memory.ownReactions.set(`${message_id} ${emoji}`, reaction_id)
      memory.react(message_id, memory.messages.get(message_id)?.reactions ?? [])
    },
    'message.poll': ({ id, voter_count, counts, ended_at }) => memory.vote(id, { voter_count, counts, ended_at }),
    'poll.mine': ({ message_id, ...mine }) => {
      memory.ownVotes.set(message_id, mine)
      memory.vote(message_id, {})
    },
    'message.deleted': ({ id, channel_id, last_message_id, unread_count }, s) => {
      memory.messages.delete(id)
      memory.reminders.delete(id)
      memory.reached(channel_id, id)
      if (unread_count === undefined) return
      side(channel_id, s, (row) => last_message_id && { ...row, last_message_id, unread_count })
    },
    'channel.pruned': ({ channel_id, before_id, last_message_id, unread_count }, s) => {
      memory.prune(channel_id, before_id)
      if (unread_count === undefined) return
      side(channel_id, s, (row) => last_message_id && { ...row, last_message_id, unread_count })
    },
    'channel.pruned_by': (d) => memory.pruneBy(d),
    'dm.read': (d, s) => {
      memory.markRead(d)
      if (memory.conversations.has(d.channel_id))
        side(d.channel_id, s, (row) => ({ ...row, unread_count: d.unread_count }))
    },
    'dm.request': ({ channel_id, request }, s) => noteRequest(channel_id, s, request),
    'call.ringing': ({ channel_id, by }) => void memory.ringing.set(channel_id, by),
    'call.declined': ({ channel_id, user_id }) => void (user_id === memory.own_id && memory.ringing.delete(channel_id)),
    'call.ended': ({ channel_id }) => void memory.ringing.delete(channel_id),
    'dm.hidden': ({ channel_id }, s) => side(channel_id, s, () => undefined),
  }
}

/** Takes what `ready` names, drops the rest. */
export function beginPeople(memory: ClientMemory, ready: Row, unknown: Unknown): void {
  const named = new Map<number, Row>(ready.conversations.map(({ channel_id, ...row }: Row) => [channel_id, row]))
  for (const id of memory.conversations.keys()) if (!ready.resumed || !named.has(id)) memory.dropConversation(id)
  for (const [id, row] of named) {
    if (!memory.channels.has(id)) unknown.channels.add(id)
    memory.conversations.set(id, row)
  }
  memory.ringing.clear()
  for (const { channel_id, by } of ready.ringing) memory.ringing.set(channel_id, by)
  memory.relations.clear()
  for (const { user_id, ...row } of ready.relations) {
    memory.relations.set(user_id, row)
    if (!memory.users.has(user_id)) unknown.people.add(user_id)
  }
}

/** Fetches an account that is new to the client. */
export async function fetchPerson(memory: ClientMemory, who: Pick<Person, 'get'>, id: number): Promise<void> {
  memory.users.set(id, (await who.get(`/api/users/${id}`)).body)
}
