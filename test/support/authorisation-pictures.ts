import { randomUUID } from 'node:crypto'
import { account, bit, member, type Row, server, type World } from './authorisation-rows.ts'

/** A sticker of the server. */
async function sticker({ sql, server_id, owner: { id: creator_id } }: World): Promise<string> {
  const fields = { name: 'Otter', alt: 'An otter', size: 0, is_animated: false }
  const [{ id }] = await sql<[{ id: number }]>`
    insert into stickers ${sql({ ...fields, server_id, key: randomUUID(), creator_id })} returning id`
  return `/api/stickers/${id}`
}

const DRAFT = { name: 'Otter', alt: 'An otter', file_id: 1_000_000 }

/** Rows of stickers and kept pictures. */
export const PICTURES: Record<string, Row> = {
  'GET /api/servers/:server_id/stickers': member(200, server('/stickers')),
  // Everyone who may is let in as far as to hear that there is no such file.
  'POST /api/servers/:server_id/stickers': bit('manage_emoji', 404, server('/stickers', DRAFT)),
  'PUT /api/stickers/:sticker_id': bit('manage_emoji', 200, async (world) => ({
    path: await sticker(world),
    body: { name: 'Heron' },
  })),
  'DELETE /api/stickers/:sticker_id': bit('manage_emoji', 204, async (world) => ({ path: await sticker(world) })),
  'GET /api/servers/:server_id/assets': bit('manage_emoji', 200, server('/assets')),
  'GET /api/favourites': account(200, () => ({ path: '/api/favourites' })),
  'POST /api/favourites': account(404, () => ({ path: '/api/favourites', body: { file_id: 1_000_000 } })),
  'POST /api/favourites/:favourite_id/file': account(404, () => ({ path: '/api/favourites/1000000/file', body: {} })),
  'DELETE /api/favourites/:favourite_id': account(404, () => ({ path: '/api/favourites/1000000' })),
}
