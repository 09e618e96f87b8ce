import { z } from 'zod'
import { Id, line, patch, shownText } from '../../core/schema.ts'

const BIO_MAX = 300
const BIO_LINES_MAX = 10
const PRONOUNS_MAX = 40

/** Bytes of the upload that a banner is made from. */
export const BANNER_BYTES_MAX = 4 * 1024 ** 2
/** The largest banner, px: twice the size in which clients show it. */
export const [BANNER_WIDTH_PX, BANNER_HEIGHT_PX] = [1_200, 480] as const

/** Everything that a page may draw as the end of a line. */
const LINE_END = /\r\n|[\n\v\f\r\x85\u2028\u2029]/

const Bio = shownText(BIO_MAX).refine(
  (bio) => bio.split(LINE_END).length <= BIO_LINES_MAX,
  `Must have at most ${BIO_LINES_MAX} lines`,
)

/** The words and the picture by which an account presents itself. */
export const Profile = z
  .object({
    user_id: Id,
    bio: z.string().describe('plain text with line breaks; empty: none'),
    pronouns: z.string().nullable(),
    banner_url: z
      .string()
      .nullable()
      .describe('the path of the picture above the profile, a WebP; null: none')
      .meta({ example: '/media/banners/0f1e2d3c4b5a69788796a5b4c3d2e1f0' }),
  })
  .meta({ title: 'Profile' })
export type Profile = z.infer<typeof Profile>

export const ProfilePatch = patch({
  bio: Bio.meta({ example: 'I watch herons.' }),
  pronouns: line(PRONOUNS_MAX).nullable().meta({ example: 'she/her' }),
})
export type ProfilePatch = z.infer<typeof ProfilePatch>

export const BannerChange = z.strictObject({
  file_id: Id.nullable().describe(
    `an unattached upload of the caller's: PNG, JPEG, WebP or GIF of at most ${BANNER_BYTES_MAX / 1024 ** 2} MiB; ` +
      'it goes. null removes the banner',
  ),
})
