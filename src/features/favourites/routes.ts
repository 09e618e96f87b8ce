import { z } from 'zod'
import { BODY_CODES, found, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { guarded } from '../access/guard.ts'
import { columns } from '../../database/database.ts'
import { File } from '../files/model.ts'
import type { Sessions } from '../sessions/store.ts'
import { copyFavourite, dropFavourite, favouriteColumns, keepPicture } from './keep.ts'
import { Favourite, FavouriteDraft, FAVOURITES_MAX } from './model.ts'

const tags = ['Favourites']
const FavouritePath = z.object({ favourite_id: DecimalId })

/** Low, because each copies a file. */
const COPIES: BucketPolicy = { name: 'favourites', burst: 10, refillPerS: 0.5 }

const COPY_CODES = [
  'not_found',
  'too_many_bytes',
  'too_many_uploads',
  'upload_missing',
  'storage_full',
  'unavailable',
] as const

export const favouriteRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .get(
      '/api/favourites',
      async ({ me }) => parts.sql<Favourite[]>`
        select ${favouriteColumns(parts.sql)} from favourites v join files f on f.id = v.file_id
        where v.user_id = ${me.id} order by v.id desc`,
      {
        detail: { summary: 'List the kept pictures of the account, the newest first', tags },
        response: answers({ 200: z.array(Favourite) }, ...TOKEN_CODES),
      },
    )
    .post(
      '/api/favourites',
      async ({ body: { file_id }, me, caller, status }) => {
        await parts.limits.take(caller, COPIES, `user:${me.id}`)
        await parts.space.demand()
        const { favourite, isNew } = await keepPicture(parts, me.id, file_id)
        return isNew ? status(201, favourite) : status(200, favourite)
      },
      {
        body: FavouriteDraft,
        detail: {
          summary: `Keep a picture of a message, up to ${FAVOURITES_MAX}`,
          description: 'The copy counts as an upload of the account. Keeping the same picture again answers 200.',
          tags,
        },
        response: answers(
          { 200: Favourite, 201: Favourite },
          'picture_unreadable',
          'too_many_favourites',
          ...COPY_CODES,
          ...TOKEN_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .post(
      '/api/favourites/:favourite_id/file',
      async ({ params: { favourite_id }, me, caller, status }) => {
        await parts.limits.take(caller, COPIES, `user:${me.id}`)
        await parts.space.demand()
        const id = await copyFavourite(parts, me.id, favourite_id)
        const [file] = await parts.sql<File[]>`select ${columns(parts.sql, File, 'f')} from files f where f.id = ${id}`
        return status(201, found(file))
      },
      {
        params: FavouritePath,
        detail: { summary: 'Copy a kept picture, as a file to attach to a message', tags },
        response: answers({ 201: File }, ...COPY_CODES, ...TOKEN_CODES, ...SHAPE_CODES),
      },
    )
    .delete(
      '/api/favourites/:favourite_id',
      async ({ params: { favourite_id }, me, status }) => {
        await parts.write((sql, emit) => dropFavourite(sql, emit, me.id, favourite_id))
        return status(204, undefined)
      },
      {
        params: FavouritePath,
        detail: { summary: 'Delete a kept picture', tags },
        response: answers({ 204: Nothing }, 'not_found', ...TOKEN_CODES, ...SHAPE_CODES),
      },
    )
