import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { Id, Time } from '../../core/schema.ts'
import { File } from '../files/model.ts'

export const FAVOURITES_MAX = 50

export const Favourite = z
  .object({
    id: Id,
    source_id: Id.describe('the file that was kept; it may be gone'),
    file: File.describe('the copy, which belongs to the account'),
    created_at: Time,
  })
  .meta({ title: 'Favourite' })
export type Favourite = z.infer<typeof Favourite>

export const FavouriteDraft = z.strictObject({
  file_id: Id.describe('a picture in a message that the caller may read'),
})

const own = 'the account’s own sockets'
const key = (d: { id: number }) => `favourite:${d.id}`

export const favouriteEvents = {
  'favourite.created': durable(Favourite, key, own),
  'favourite.deleted': durable(z.object({ id: Id }), key, own),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof favouriteEvents> {}
}
