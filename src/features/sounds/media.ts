import type { Parts } from '../../parts.ts'
import { publicMedia } from '../files/public-pictures.ts'
import { objectKey } from './change.ts'

/** Serves the sounds of servers. */
export const soundMedia = (parts: Parts) => {
  const keyOf = async (key: string) => {
    const [sound] = await parts.sql`select 1 from sounds where key = ${key}`
    return sound && objectKey(key)
  }
  return publicMedia(parts, '/media/sounds', /^[0-9a-f]{32}$/, keyOf, { type: 'audio/ogg' })
}
