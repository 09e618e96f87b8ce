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
  'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

type KeyOf = (name: string) => Promise<string | undefined>

interface MediaOptions {
  /** The media type of all of them. */
  type: string
  /** Makes the variant for `?still`; without it, the parameter is ignored. */
  still?: ((picture: Uint8Array) => Uint8Array) | undefined
}

/**
 * Serves files to anyone who has their URL, which cannot be guessed.
 * @param path of the folder
 * @param name the pattern of their names
 * @param keyOf the object key of a recorded file; undefined for an unknown name
 */
export const publicMedia = (parts: Parts, path: string, name: RegExp, keyOf: KeyOf, { type, still }: MediaOptions) =>
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
      return new Response(body, { headers: { ...HEADERS, 'content-type': type } })
    },
    { params: z.object({ name: z.string() }), detail: { hide: true } },
  )

/** The same for pictures. @param still makes the variant for `?still` */
export const publicPictures = (
  parts: Parts,
  path: string,
  name: RegExp,
  keyOf: KeyOf,
  still?: (picture: Uint8Array) => Uint8Array,
) => publicMedia(parts, path, name, keyOf, { type: 'image/webp', still })
