import type { Parts } from '../../parts.ts'
import { publicPictures } from '../files/public-pictures.ts'
import { stillWebp } from '../files/animation/webp.ts'
import { objectKey } from './change.ts'

/** Serves pictures of custom emoji; `?still` gives the first frame of an animation. */
export const emojiMedia = (parts: Parts) => {
  const keyOf = async (key: string) => {
    const [emoji] = await parts.sql`select 1 from emojis where key = ${key}`
    return emoji && objectKey(key)
  }
  return publicPictures(parts, '/media/emoji', /^[0-9a-f]{32}$/, keyOf, stillWebp)
}
