import type { ClientMemory, Row } from './client-memory.ts'

/** Resources that a client has to fetch. */
interface Unknown {
  channels: Set<number>
}

/** The account follows a thread, or does so no more; of one that it begins to follow, the client fetches all. */
export function setFollowing(memory: ClientMemory, unknown: Unknown, threadId: number, following: boolean): void {
  if (!following) return void memory.followed.delete(threadId)
  if (!memory.followed.has(threadId)) unknown.channels.add(threadId)
  memory.followed.add(threadId)
}

/** Takes a thread's state; the message at which it began carries a part of that. */
export function upsertThread(memory: ClientMemory, thread: Row): void {
  memory.upsertChannel(thread)
  const message = memory.messages.get(thread.message_id)
  const { id, name, message_count, last_message_id, last_message_at, archived_at } = thread
  if (message) message.thread = { id, name, message_count, last_message_id, last_message_at, archived_at }
}

/** Authors and mentioned accounts follow the thread. */
export function followByMessage(memory: ClientMemory, unknown: Unknown, ownId: number, message: Row): void {
  const isKnown = memory.channels.get(message.channel_id)?.type !== 'thread' && memory.channels.has(message.channel_id)
  if (isKnown || message.kind !== 'default' || message.recipient_id !== undefined) return
  if (message.author.id === ownId || message.mention_ids.includes(ownId))
    setFollowing(memory, unknown, message.channel_id, true)
}

/** How a client applies the events of threads. */
export const threadHandlers = (memory: ClientMemory, unknown: Unknown): Record<string, (d: any) => void> => ({
  'thread.created': (d) => upsertThread(memory, d),
  'thread.updated': (d) => upsertThread(memory, d),
  'thread.deleted': ({ id }) => {
    memory.dropChannel(id)
    memory.followed.delete(id)
    for (const message of memory.messages.values()) if (message.thread?.id === id) message.thread = null
  },
  'thread.followed': ({ channel_id, following }) => setFollowing(memory, unknown, channel_id, following),
})

/** Takes the threads that `ready` names; others are not dropped, as long as their channel is there. */
export function beginThreads(memory: ClientMemory, ready: Row, unknown: Unknown): void {
  memory.followed.clear()
  for (const thread of ready.threads) {
    if (!memory.channels.has(thread.id)) unknown.channels.add(thread.id)
    upsertThread(memory, thread)
    memory.followed.add(thread.id)
  }
}
