import type { Parts } from '../../parts.ts'
import { publicPictures } from '../files/public-pictures.ts'
import { stillWebp } from '../files/animation/webp.ts'
import { objectKey } from './change.ts'

/** Serves pictures of stickers; `?still` gives the first frame of an animation. */
export const stickerMedia = (parts: Parts) => {
  const keyOf = async (key: string) => {
    const [sticker] = await parts.sql`select 1 from stickers where key = ${key}`
    return sticker && objectKey(key)
  }
  return publicPictures(parts, '/media/stickers', /^[0-9a-f]{32}$/, keyOf, stillWebp)
}
