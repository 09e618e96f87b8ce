import { Elysia } from 'elysia'
import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { callerOf } from '../../http/caller.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { addressKey } from '../sessions/address.ts'
import { objectKey } from './change.ts'

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

/** The pictures of custom emoji: to whoever has the URL, which nobody guesses. */
export const emojiMedia = (parts: Parts) =>
  new Elysia().get(
    '/media/emoji/:key',
    async ({ params: { key }, request, route }) => {
      const caller = callerOf(request)
      caller.route = route
      await parts.limits.take(caller, PICTURES, addressKey(caller.ip))
      const picture = /^[0-9a-f]{32}$/.test(key) ? await parts.objects.get(objectKey(key)) : undefined
      if (!picture) throw new Problem('not_found')
      return new Response(picture, { headers: HEADERS })
    },
    { params: z.object({ key: z.string() }), detail: { hide: true } },
  )
