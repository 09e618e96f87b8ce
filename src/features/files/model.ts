import { z } from 'zod'
import { Id, text, Time } from '../../core/schema.ts'
import { withoutHidden } from '../../core/visible.ts'
import { properType } from './content.ts'

export const FILES_PER_MESSAGE_MAX = 10
export const UPLOAD_SECONDS = 3600
export const DOWNLOAD_SECONDS = 3600
const DOWNLOADS_AT_ONCE_MAX = 100
const SOUND_MS_MAX = 24 * 3_600_000
/** Base64 of 256 bytes. */
const WAVEFORM_UNITS_MAX = 344

export const File = z
  .object({
    id: Id,
    uploader_id: Id,
    message_id: Id.nullable(),
    dm_message_id: Id.nullable().describe('message_id again, where that message is in a dm'),
    filename: z.string(),
    content_type: z.string(),
    size: z.int(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    duration_ms: z.int().nullable().describe('of a sound, as whoever uploaded it has measured'),
    waveform: z.string().nullable().describe('of a sound: base64 of a byte for each equal part, 255 for the loudest'),
    alt: z.string().nullable().describe('what it shows, for those who do not see it'),
    created_at: Time,
  })
  .meta({ title: 'File' })
export type File = z.infer<typeof File>

/** A file's row, with the keys of its objects. */
export type FileRow = File & { key: string; thumbnail_key: string | null }
/** The fields of a file that its downloads need. */
export type StoredFile = Pick<FileRow, 'key' | 'thumbnail_key' | 'content_type' | 'filename'>

export const UploadDraft = z.strictObject({
  filename: text(1, 255, (name) => name && (withoutHidden(name).normalize('NFC') || 'file')).meta({
    example: 'kingfisher.jpg',
  }),
  content_type: z
    .string()
    .max(127)
    .overwrite((type) => type.toLowerCase())
    .regex(/^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/, 'Must be a MIME type without parameters')
    .overwrite(properType)
    .meta({ example: 'image/jpeg' }),
  size: z.int().min(1).meta({ example: 48_213 }),
})

export const Upload = z
  .object({
    upload_url: z.string(),
    method: z.literal('PUT'),
    headers: z.record(z.string(), z.string()).describe('to be sent with the bytes, as they are'),
    key: z.string(),
    expires_at: Time,
  })
  .meta({ title: 'Upload' })

/** Code points of a description. */
const ALT_MAX = 1000
export const AltText = z.strictObject({
  alt: text(0, ALT_MAX, (alt) => withoutHidden(alt).trim()).meta({ example: 'A kingfisher on a branch' }),
})

/** Duration and waveform, to be shown before a sound is loaded. */
export const SoundDraft = z.strictObject({
  duration_ms: z.int().min(1).max(SOUND_MS_MAX),
  waveform: z
    .string()
    .min(4)
    .max(WAVEFORM_UNITS_MAX)
    .regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'Must be base64')
    .meta({ example: 'AEj/yDI=' }),
})
export type SoundDraft = z.infer<typeof SoundDraft>

export const FileDraft = z.strictObject({
  key: z.string().regex(/^incoming\/\d{1,16}\/[0-9a-f]{32}$/, 'Must be an upload key'),
  sound: SoundDraft.optional().describe('of an upload whose type is `audio/…`'),
  keep_metadata: z
    .boolean()
    .optional()
    .describe('true: EXIF, XMP, IPTC, comments and the place of a picture or video stay in it'),
})
export type FileDraft = z.infer<typeof FileDraft>

export const Download = z.object({ download_url: z.string(), expires_at: Time }).meta({ title: 'Download' })
export type Download = z.infer<typeof Download>

export const Variant = z.enum(['original', 'thumbnail']).default('original')
export const DownloadsDraft = z.strictObject({
  ids: z.array(Id).min(1).max(DOWNLOADS_AT_ONCE_MAX),
  variant: Variant.describe('`thumbnail`: files that have none are left out'),
})
export const Downloads = z
  .record(z.string(), Download)
  .describe('by id; those that the caller may not see are left out')

export const AvatarChange = z.strictObject({ avatar_file_id: Id.nullable() })
