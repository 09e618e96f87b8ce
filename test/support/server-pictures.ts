import { expect } from 'bun:test'
import type { Person } from './harness.ts'
import { png, upload } from './uploads.ts'

/** Makes a custom emoji, a sticker with a message that shows it, and a kept picture. @returns the id of the emoji */
export async function fillPictures(owner: Person, other: Person, serverId: number, channelId: number): Promise<number> {
  const owl = await upload(owner, 'owl.png', 'image/png', await png(64, 64))
  const emoji = await owner.post(`/api/servers/${serverId}/emoji`, { name: 'owl', file_id: owl.id })
  expect(emoji.status).toBe(201)
  const { id: file_id } = await upload(owner, 'otter.png', 'image/png', await png(64, 64))
  const draft = { name: 'Otter', alt: 'An otter waves', file_id }
  const sticker = await owner.post(`/api/servers/${serverId}/stickers`, draft)
  expect(sticker.status).toBe(201)
  const path = `/api/channels/${channelId}/messages`
  expect((await other.post(path, { sticker_id: sticker.body.id })).status).toBe(201)
  const { id } = await upload(owner, 'heron.png', 'image/png', await png(60, 40))
  expect((await owner.post(path, { file_ids: [id] })).status).toBe(201)
  expect((await other.post('/api/favourites', { file_id: id })).status).toBe(201)
  return emoji.body.id
}
