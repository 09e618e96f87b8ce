import type { ClientMemory, Row } from './client-memory.ts'
import type { Person } from './harness.ts'

type ApplyTo = (resource: string, s: number, apply: () => void) => void

/** How a client applies the events of friends and conversations. */
export function peopleHandlers(
  memory: ClientMemory,
  applyTo: ApplyTo,
  unknown: Set<number>,
): Record<string, (d: any, s: number) => void> {
  /** Several events carry one side of a conversation, so it is a resource of its own. */
  const side = (user_id: number, s: number, change: (kept: Row) => Row | undefined) =>
    applyTo(`conversation:${user_id}`, s, () => {
      const kept = memory.conversations.get(user_id)
      const next = change(kept ?? { last_message_id: 0, unread_count: 0 })
      if (!next) return memory.dropConversation(user_id)
      if (!kept) unknown.add(user_id)
      memory.conversations.set(user_id, next)
    })
  return {
    'friend.updated': ({ user_id, relation: { user, state, since } }, s) => {
      if (state === 'none') memory.relations.delete(user_id)
      else memory.relations.set(user_id, { state, since })
      applyTo(`user:${user_id}`, s, () => memory.users.set(user_id, user))
    },
    'dm.created': ({ unread_count, ...message }, s) => {
      memory.upsertDirect(message)
      side(memory.partnerOf(message), s, (kept) => ({
        last_message_id: Math.max(kept.last_message_id, message.id),
        unread_count,
      }))
    },
    'dm.updated': (d) => void (memory.conversations.has(memory.partnerOf(d)) && memory.upsertDirect(d)),
    'dm.deleted': ({ id, last_message_id, unread_count, ...people }, s) => {
      memory.directs.delete(id)
      side(memory.partnerOf(people), s, () => last_message_id && { last_message_id, unread_count })
    },
    'dm.read': (d, s) => {
      memory.markRead(d)
      const user_id = memory.partnerOf(d)
      if (memory.conversations.has(user_id)) side(user_id, s, (kept) => ({ ...kept, unread_count: d.unread_count }))
    },
    'dm.pruned': ({ user_id, before_id, last_message_id, unread_count }, s) => {
      for (const direct of memory.directs.values())
        if (memory.partnerOf(direct) === user_id && direct.id < before_id) memory.directs.delete(direct.id)
      side(user_id, s, () => last_message_id && { last_message_id, unread_count })
    },
    'dm.hidden': ({ user_id }, s) => side(user_id, s, () => undefined),
  }
}

/** Takes what `ready` names, drops the rest. */
export function beginPeople(memory: ClientMemory, ready: Row, unknown: Set<number>): void {
  const named = new Map<number, Row>(ready.conversations.map(({ user_id, ...row }: Row) => [user_id, row]))
  for (const id of memory.conversations.keys()) if (!ready.resumed || !named.has(id)) memory.dropConversation(id)
  for (const [id, row] of named) {
    if (!memory.conversations.has(id)) unknown.add(id)
    memory.conversations.set(id, row)
  }
  memory.relations.clear()
  for (const { user_id, ...row } of ready.relations) {
    memory.relations.set(user_id, row)
    if (!memory.users.has(user_id)) unknown.add(user_id)
  }
}

/** Fetches an account that is new to the client, and its conversation. */
export async function fetchPerson(memory: ClientMemory, who: Pick<Person, 'get'>, id: number): Promise<void> {
  memory.users.set(id, (await who.get(`/api/users/${id}`)).body)
  if (!memory.conversations.has(id)) return
  for (const direct of (await who.get(`/api/dm/${id}/messages?limit=100`)).body) memory.upsertDirect(direct)
}
