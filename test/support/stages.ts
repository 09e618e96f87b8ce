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
