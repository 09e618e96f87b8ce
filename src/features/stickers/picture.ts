import { codeOf } from '../../core/errors.ts'
import { field } from '../../http/answers.ts'
import { animatedWebp } from '../files/animation/animation.ts'
import { STICKER_BYTES_MAX, STICKER_EDGE_PX } from './model.ts'

const FORMATS = new Set(['png', 'webp', 'gif'])
/** 4 megapixels decode to 16 MB. */
const PIXELS_MAX = 4_000_000
const QUALITY = 90

const refusal = () => field('file_id', `An undamaged PNG, APNG, WebP or GIF of at most ${STICKER_BYTES_MAX / 1024} KiB`)

/**
 * Re-encodes a picture as a sticker: WebP of at most STICKER_EDGE_PX per side. An animated APNG, GIF or WebP stays
 * animated; if it is too large to animate, its first frame is used.
 * @throws Problem `validation_failed`
 */
export async function stickerPicture(bytes: Uint8Array): Promise<{ picture: Uint8Array; isAnimated: boolean }> {
  if (bytes.length > STICKER_BYTES_MAX) throw refusal()
  try {
    const { format, width, height } = await new Bun.Image(bytes, { maxPixels: PIXELS_MAX }).metadata()
    if (!FORMATS.has(format) || width * height > PIXELS_MAX) throw refusal()
    const animation = await animatedWebp(bytes, format, STICKER_EDGE_PX)
    if (animation) return { picture: animation, isAnimated: true }
    const picture = await new Bun.Image(bytes, { maxPixels: PIXELS_MAX })
      .resize(STICKER_EDGE_PX, STICKER_EDGE_PX, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .bytes()
    return { picture, isAnimated: false }
  } catch (error) {
    if (codeOf(error)?.startsWith('ERR_IMAGE')) throw refusal()
    throw error
  }
}
