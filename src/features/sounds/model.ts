import { z } from 'zod'
import { Emoji, Id, patch, placeName, Time } from '../../core/schema.ts'

/** Sounds of a server. */
export const SOUNDS_PER_SERVER_MAX = 24
export const SOUND_BYTES_MAX = 256 * 1024
export const SOUND_MS_MAX = 5_000

const SoundUrl = z
  .string()
  .describe('the path of its file, Ogg Opus; never changes')
  .meta({ example: '/media/sounds/0f1e2d3c4b5a69788796a5b4c3d2e1f0' })

export const Sound = z
  .object({
    id: Id,
    server_id: Id,
    name: z.string().meta({ example: 'Tawny owl' }),
    emoji: z.string().nullable().meta({ example: '🦉' }),
    url: SoundUrl,
    duration_ms: z.int(),
    creator_id: Id,
    created_at: Time,
  })
  .meta({ title: 'Sound' })
export type Sound = z.infer<typeof Sound>

export const SoundDraft = z.strictObject({
  name: placeName(32).meta({ example: 'Tawny owl' }),
  emoji: Emoji.nullable().default(null),
  file_id: Id.describe(
    `an unattached upload of the caller's: Ogg Opus of at most ${SOUND_MS_MAX / 1000} s and ` +
      `${SOUND_BYTES_MAX / 1024} KiB, in mono or stereo; it goes`,
  ),
})
export const SoundPatch = patch({ name: placeName(32), emoji: Emoji.nullable() })

/** A sound as those in a call play it. */
export const PlayedSound = z.object({ sound_id: Id, name: z.string(), emoji: z.string().nullable(), url: SoundUrl })
export type PlayedSound = z.infer<typeof PlayedSound>
