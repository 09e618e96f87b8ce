import { Elysia } from 'elysia'
import { z } from 'zod'
import { storageFull } from '../../core/disk-space.ts'
import { BODY_CODES, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { answers, DecimalId } from '../../core/schema.ts'
import type { WindowPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { publicPictures } from '../files/public-pictures.ts'
import { signedIn } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'
import { changeProfile, objectKey, removeBanner, setBanner, visibleProfile } from './change.ts'
import { BANNER_BYTES_MAX, BannerChange, Profile, ProfilePatch } from './model.ts'

const tags = ['Accounts']
const CHANGES: WindowPolicy = { name: 'profiles', max: 60, windowS: 3600 }
/** Low, because each decodes a picture. */
const BANNERS: WindowPolicy = { name: 'banners', max: 20, windowS: 3600 }

/** Profiles of accounts: bio, pronouns and banner. */
export const profileRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia()
    .use(signedIn(parts, sessions))
    .get(
      '/api/users/:user_id/profile',
      async ({ params: { user_id }, me }) => visibleProfile(parts.sql, me.id, user_id),
      {
        params: z.object({ user_id: DecimalId }),
        detail: {
          summary: 'Get what an account says about itself',
          description:
            'Your own, and those of friends and of members of a server in which you are not held back; otherwise 404.',
          tags,
        },
        response: answers({ 200: Profile }, 'not_found', ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
    .put(
      '/api/auth/profile',
      async ({ me, caller, body }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        await parts.space.demand()
        return parts.write((sql) => changeProfile(sql, me.id, body))
      },
      {
        body: ProfilePatch,
        detail: { summary: 'Change bio and pronouns', tags },
        response: answers({ 200: Profile }, 'storage_full', ...BODY_CODES, ...TOKEN_CODES),
      },
    )
    .put(
      '/api/auth/banner',
      async ({ me, caller, body: { file_id } }) => {
        await parts.limits.take(caller, BANNERS, `user:${me.id}`)
        if (file_id === null) return parts.write((sql) => removeBanner(sql, me.id))
        await parts.space.demand()
        if (await parts.objects.isFull(BANNER_BYTES_MAX)) throw storageFull()
        return setBanner(parts, me.id, file_id)
      },
      {
        body: BannerChange,
        detail: { summary: 'Set or remove the picture above the profile', tags },
        response: answers(
          { 200: Profile },
          'not_found',
          'already_attached',
          'upload_missing',
          'unavailable',
          'storage_full',
          ...BODY_CODES,
          ...TOKEN_CODES,
        ),
      },
    )

/** Serves banners. */
export const bannerMedia = (parts: Parts) => {
  const keyOf = async (key: string) => {
    const [banner] = await parts.sql`select 1 from banners where key = ${key}`
    return banner && objectKey(key)
  }
  return publicPictures(parts, '/media/banners', /^[0-9a-f]{32}$/, keyOf)
}
