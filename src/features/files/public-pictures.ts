import { Elysia } from 'elysia'
import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { callerOf } from '../../http/caller.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { addressKey } from '../sessions/address.ts'

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

/**
 * Serves pictures to whoever has their URL, which nobody guesses.
 * @param path of the folder
 * @param name what names of pictures look like
 * @param keyOf the key of a picture's object
 */
export const publicPictures = (parts: Parts, path: string, name: RegExp, keyOf: (name: string) => string) =>
  new Elysia().get(
    `${path}/:name`,
    async ({ params, request, route }) => {
      const caller = callerOf(request)
      caller.route = route
      await parts.limits.take(caller, PICTURES, addressKey(caller.ip))
      const picture = name.test(params.name) ? await parts.objects.get(keyOf(params.name)) : undefined
      if (!picture) throw new Problem('not_found')
      return new Response(picture, { headers: HEADERS })
    },
    { params: z.object({ name: z.string() }), detail: { hide: true } },
  )
