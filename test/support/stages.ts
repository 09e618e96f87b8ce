import { expect } from 'bun:test'
import { permissions } from '../../src/core/permissions.ts'
import type { Person } from './harness.ts'
import { newServer } from './harness.ts'
import { rank } from './places.ts'

/** The bits of a stage's moderator. */
export const MODERATOR = permissions('mute_members', 'move_members', 'manage_channels')

/** A stage of a server. */
export async function newStage(owner: Person, server_id: number, name = 'Owl talk'): Promise<number> {
  const { status, body } = await owner.post(`/api/servers/${server_id}/channels`, { name, type: 'stage' })
  expect([status, body.type, body.stage]).toEqual([201, 'stage', null])
  return body.id
}

/** The owner's server with a stage and these members. */
export async function stageServer(owner: Person, ...others: Person[]) {
  const { server_id } = await newServer(owner, ...others)
  return { server_id, channel_id: await newStage(owner, server_id) }
}

/** Makes a member a moderator of the server's stages. */
export const letModerate = (owner: Person, server_id: number, who: Person): Promise<number> =>
  rank(owner.parley, server_id, MODERATOR, who)

/** Starts a stage, changes its topic and ends it. */
export async function logStage(owner: Person, server_id: number): Promise<void> {
  const path = `/api/channels/${await newStage(owner, server_id, 'Log')}/stage`
  const topics = [await owner.post(path, { topic: 'Owls' }), await owner.put(path, { topic: 'Terns' })]
  expect([...topics, await owner.delete(path)].map(({ status }) => status)).toEqual([201, 200, 204])
}

/** Changes of a stage, one after another. */
export function onStage(alice: Person, bob: Person, carol: Person): Record<string, () => Promise<unknown>> {
  let place = { server_id: 0, channel_id: 0 }
  const path = () => `/api/channels/${place.channel_id}`
  const see = async (deny: number) => {
    const [everyone] = (await alice.get(`/api/servers/${place.server_id}/roles`)).body
    return alice.put(`${path()}/permissions/${everyone.id}`, { deny })
  }
  return {
    'a stage is made': async () => {
      const { server_id } = await newServer(alice, bob, carol)
      place = { server_id, channel_id: await newStage(alice, server_id) }
    },
    'it starts': () => alice.post(`${path()}/stage`, { topic: 'Owls' }),
    'its topic changes': () => alice.put(`${path()}/stage`, { topic: 'Terns' }),
    'it has a new name': () => alice.put(path(), { name: 'dusk' }),
    'the others see it no longer': () => see(permissions('view_channel')),
    'its topic changes meanwhile': () => alice.put(`${path()}/stage`, { topic: 'Rails' }),
    'they see it again': () => see(0),
    'it ends': () => alice.delete(`${path()}/stage`),
    'it starts again': () => alice.post(`${path()}/stage`, { topic: 'Owls' }),
    'it is deleted': () => alice.delete(path()),
  }
}
