import { z } from 'zod'
import { storageFull } from '../../core/disk-space.ts'
import { BODY_CODES, PLACE_CODES } from '../../core/errors.ts'
import { answers, DecimalId, Id } from '../../core/schema.ts'
import type { WindowPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { guarded } from '../access/guard.ts'
import { EMOJI_BYTES_MAX } from '../emoji/model.ts'
import { publicPictures } from '../files/public-pictures.ts'
import { Role } from '../roles/model.ts'
import type { Sessions } from '../sessions/store.ts'
import { objectKey, removeIcon, setIcon } from './change.ts'

const tags = ['Roles']
const RolePath = z.object({ role_id: DecimalId })
const RoleIconDraft = z.strictObject({
  file_id: Id.describe(
    `an unattached upload of the caller's: PNG, WebP or GIF of at most ${EMOJI_BYTES_MAX / 1024} KiB; it goes`,
  ),
})

/** Low, because each decodes a picture. */
const CHANGES: WindowPolicy = { name: 'role_icons', max: 60, windowS: 3600 }

/** Small pictures of roles. */
export const roleIconRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .put(
      '/api/roles/:role_id/icon',
      async ({ params: { role_id }, me, caller, body: { file_id } }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        await parts.space.demand()
        if (await parts.objects.isFull(EMOJI_BYTES_MAX)) throw storageFull()
        return setIcon(parts, role_id, me.id, file_id)
      },
      {
        params: RolePath,
        body: RoleIconDraft,
        detail: { summary: 'Give a role below the caller’s a small picture, shown next to names (manage_roles)', tags },
        response: answers(
          { 200: Role },
          'forbidden',
          'too_many_bytes',
          'already_attached',
          'upload_missing',
          'storage_full',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .delete(
      '/api/roles/:role_id/icon',
      async ({ params: { role_id }, me }) => parts.write((sql, emit) => removeIcon(sql, emit, role_id, me.id)),
      {
        params: RolePath,
        detail: { summary: 'Remove the picture of a role below the caller’s (manage_roles)', tags },
        response: answers({ 200: Role }, 'forbidden', ...PLACE_CODES),
      },
    )

/** Serves pictures of roles. */
export const roleIconMedia = (parts: Parts) => {
  const keyOf = async (key: string) => {
    const [icon] = await parts.sql`select 1 from role_icons where key = ${key}`
    return icon && objectKey(key)
  }
  return publicPictures(parts, '/media/role-icons', /^[0-9a-f]{32}$/, keyOf)
}
