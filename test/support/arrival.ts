import { expect } from 'bun:test'
import { permissions } from '../../src/core/permissions.ts'
import type { Person } from './harness.ts'

/** Rules, questions with an answer of bob, an overwrite for him, and a welcome. */
export async function fillArrival(alice: Person, bob: Person, serverId: number, channel_id: number): Promise<void> {
  const path = `/api/servers/${serverId}`
  const { id } = (await alice.post(`${path}/roles`, { name: 'Owls', self_assignable: true })).body
  await alice.put(`/api/channels/${channel_id}/permissions/${id}`, { allow: permissions('send_messages') })
  const questions = [{ title: 'A "question"\\N', options: [{ label: 'Owls', emoji: '🦉', role_ids: [id] }] }]
  const { body } = await alice.put(`${path}/onboarding`, { questions })
  const option_ids = [body.questions[0].options[0].id]
  expect((await bob.put(`${path}/members/@me/onboarding`, { option_ids })).status).toBe(200)
  expect((await alice.put(`${path}/rules`, { content: '1. Be kind.' })).status).toBe(200)
  expect((await alice.put(`/api/channels/${channel_id}/permissions/members/${bob.id}`, { deny: 1 })).status).toBe(200)
  await alice.parley.parts.sql`update files set alt = 'A "kingfisher"\\N' where message_id is not null`
  const welcome = { content: 'Hello', channels: [{ channel_id }] }
  expect((await alice.put(`${path}/welcome`, welcome)).status).toBe(200)
}
