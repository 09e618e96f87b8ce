import { codeOf } from '../../core/errors.ts'
import { field } from '../../http/answers.ts'
import { animatedWebp } from '../files/animation/animation.ts'
import { EMOJI_BYTES_MAX } from './model.ts'

const FORMATS = new Set(['png', 'webp', 'gif', 'avif'])
/** 4 megapixels decode to 16 MB. */
const PIXELS_MAX = 4_000_000
const EDGE = 128
const QUALITY = 90

const KIB_MAX = EMOJI_BYTES_MAX / 1024

const refusal = () =>
  field('file_id', `An undamaged PNG, WebP or GIF of at most ${KIB_MAX} KiB, or AVIF where the system reads it`)

/**
 * Re-encodes a picture as an emoji: WebP of at most 128 pixels per side. An animated GIF or WebP stays animated; if it
 * is too large to animate, its first frame is used. AVIF needs a codec of the operating system, which Linux lacks, so
 * the web client sends WebP instead.
 * @throws Problem `validation_failed`
 */
export async function emojiPicture(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes.length > EMOJI_BYTES_MAX) throw refusal()
  try {
    const { format, width, height } = await new Bun.Image(bytes, { maxPixels: PIXELS_MAX }).metadata()
    if (!FORMATS.has(format) || width * height > PIXELS_MAX) throw refusal()
    const animation = await animatedWebp(bytes, format, EDGE)
    if (animation) return animation
    return await new Bun.Image(bytes, { maxPixels: PIXELS_MAX })
      .resize(EDGE, EDGE, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .bytes()
  } catch (error) {
    if (codeOf(error)?.startsWith('ERR_IMAGE')) throw refusal()
    throw error
  }
}
