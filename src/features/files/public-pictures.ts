import { Elysia } from 'elysia'
import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { callerOf } from '../../http/caller.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { addressKey } from '../sessions/address.ts'
import { bytesOf } from './clean.ts'

/** High, because a page may show hundreds of emoji for the first time. */
const PICTURES: BucketPolicy = { name: 'pictures', burst: 1_000, refillPerS: 50 }
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
 * Serves pictures to anyone who has their URL, which cannot be guessed.
 * @param path of the folder
 * @param name the pattern of picture names
 * @param keyOf the object key of a recorded picture; undefined for an unknown name
 * @param still makes the variant for `?still`; without it, the parameter is ignored
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
      // Ask the database first, so that a guessed name costs the object store nothing.
      const key = name.test(params.name) ? await keyOf(params.name) : undefined
      const picture = key === undefined ? undefined : await parts.objects.get(key)
      if (!picture) throw new Problem('not_found')
      const body = still && 'still' in query ? new Uint8Array(still(await bytesOf(picture))) : picture
      return new Response(body, { headers: HEADERS })
    },
    { params: z.object({ name: z.string() }), detail: { hide: true } },
  )
