import { Elysia } from 'elysia'
import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { callerOf } from '../../http/caller.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { addressKey } from '../sessions/address.ts'
import { bytesOf } from './clean.ts'

/** A page may show hundreds of emoji for the first time. */
const PICTURES: BucketPolicy = { name: 'pictures', burst: 1_000, refill_per_s: 50 }
const YEAR_SECONDS = 31_536_000

const HEADERS = {
  'content-type': 'image/webp',
  'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

type KeyOf = (name: string) => Promise<string | undefined>

/**
 * Serves pictures to whoever has their URL, which nobody guesses.
 * @param path of the folder
 * @param name what names of pictures look like
 * @param keyOf the key of the object of a picture that is recorded; undefined for another name
 * @param still makes of a picture what `?still` asks for; without it, that is ignored
 */
export const publicPictures = (
  parts: Parts,
  path: string,
  name: RegExp,
  keyOf: KeyOf,
  still?: (picture: Uint8Array) => Uint8Array,
) =>
  new Elysia().get(
    `${path}/:name`,
    async ({ params, query, request, route }) => {
      const caller = callerOf(request)
      caller.route = route
      await parts.limits.take(caller, PICTURES, addressKey(caller.ip))
      // The database is asked first: a guess costs the object store nothing.
      const key = name.test(params.name) ? await keyOf(params.name) : undefined
      const picture = key === undefined ? undefined : await parts.objects.get(key)
      if (!picture) throw new Problem('not_found')
      const body = still && 'still' in query ? new Uint8Array(still(await bytesOf(picture))) : picture
      return new Response(body, { headers: HEADERS })
    },
    { params: z.object({ name: z.string() }), detail: { hide: true } },
  )
