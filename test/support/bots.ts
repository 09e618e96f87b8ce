import { expect } from 'bun:test'
import { Person } from './harness.ts'

/** Durable events that only bots receive. */
export const FOR_BOTS = new Set([
  'ban.created',
  'ban.deleted',
  'audit.created',
  'webhooks.updated',
  'event.attendee',
  'automod.created',
  'automod.updated',
  'automod.deleted',
])

/** An application of the owner's: its bot, which calls by its token. */
export async function botOf(owner: Person, name: string): Promise<Person> {
  const response = await owner.post('/api/applications', { name })
  expect(response.status).toBe(201)
  const { id, token } = response.body
  return new Person(owner.parley, id, `bot:${id}`, `bot:${id}`, name, token)
}

/** Adds a bot to a server, with these permissions of its own. */
export async function addBot(manager: Person, serverId: number, bot: Person, permissions = 0): Promise<void> {
  const added = await manager.put(`/api/servers/${serverId}/applications/${bot.id}`, { permissions })
  expect([added.status, added.body.code]).toEqual([201, undefined])
}
