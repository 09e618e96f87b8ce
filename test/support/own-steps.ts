import { expect } from 'bun:test'
import { permissions } from '../../src/core/permissions.ts'
import { type Person, say } from './harness.ts'
import { befriend, deleteAccountOf, write } from './people.ts'

type Steps = Record<string, () => Promise<unknown>>

/** A message request to bob, who takes requests, step by step. */
export const requestSteps = (dave: Person, bob: Person): Steps => ({
  'bob takes requests': () => bob.put('/api/auth/privacy', { requests: true }),
  'a stranger whispers': () => write(dave, bob, 'Buy feathers'),
  'bob ignores that': () => bob.put(`/api/dm/${dave.id}/request`, { state: 'ignored' }),
  'bob hides that': () => bob.delete(`/api/dm/${dave.id}/hide`),
  'the stranger goes on': () => write(dave, bob, 'Feathers!'),
  'bob takes it after all': () => bob.put(`/api/dm/${dave.id}/request`, { state: 'accepted' }),
})

/** Overwrites of alice for bob, step by step. */
export function overwriteSteps(alice: Person, bob: Person, channelId: number): Steps {
  const path = `/api/channels/${channelId}/permissions/members/${bob.id}`
  const deny = permissions('speak')
  return {
    'bob may not speak': () => alice.put(path, { deny }),
    'bob may speak again': () => alice.delete(path),
    'bob is denied for good': () => alice.put(path, { deny }),
  }
}

/** Everything that a deleted account leaves behind. */
export const passage = (alice: Person, bob: Person, carol: Person, fly: Person, code: string, channelId: number) => ({
  'somebody joins': () => fly.post(`/api/invites/${code}/join`),
  'and says something': () => say(fly, channelId, 'Here I am'),
  'and befriends alice': () => befriend(fly, alice),
  'and asks carol': () => fly.post('/api/friends/request', { friend_id: carol.id }),
  'and whispers to bob': () => write(fly, bob, 'Psst'),
  'and hears of alice': () => write(alice, fly, 'Hush'),
  'and deletes the account': async () => expect((await deleteAccountOf(fly)).status).toBe(204),
})
