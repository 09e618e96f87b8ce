import type { Parts } from '../../parts.ts'
import { publicPictures } from '../files/public-pictures.ts'
import { objectKey } from './change.ts'

/** The pictures of custom emoji. */
export const emojiMedia = (parts: Parts) => publicPictures(parts, '/media/emoji', /^[0-9a-f]{32}$/, objectKey)
