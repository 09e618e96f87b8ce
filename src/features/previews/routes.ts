import type { Parts } from '../../parts.ts'
import { publicPictures } from '../files/public-pictures.ts'
import { keyOf, PICTURE_NAME, PICTURES_PATH } from './pictures.ts'

export const previewPictures = (parts: Parts) =>
  publicPictures(parts, PICTURES_PATH, PICTURE_NAME, async (name) => {
    const [picture] = await parts.sql<{ key: string }[]>`select key from preview_pictures where key = ${keyOf(name)}`
    return picture?.key
  })
