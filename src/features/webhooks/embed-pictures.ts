import type { Transaction } from '../../database/database.ts'
import type { Embed } from '../previews/model.ts'
import { queuePreview } from '../previews/preview-queue.ts'
import type { WantedPicture } from '../previews/wanted-pictures.ts'

/** An embed, and the pictures that it names elsewhere. */
export interface Pictured {
  embed: Embed
  image: string | null
  thumbnail: string | null
}

/** Whether an embed shows anything. */
export const shows = ({ title, description, author, site_name, fields, footer, image, thumbnail }: Embed): boolean =>
  [title, description, author, site_name, footer, image, thumbnail].some((part) => part !== null) || fields.length > 0

/**
 * What embeds show at once, and the pictures that are fetched for them. An embed of a picture alone links to it.
 * @param isOn whether pictures are fetched; without them such an embed is left out
 */
export function withoutPictures(given: Pictured[], isOn: boolean): { embeds: Embed[]; pictures: WantedPicture[] } {
  const embeds: Embed[] = []
  const pictures: WantedPicture[] = []
  for (const { embed, image, thumbnail } of given) {
    const url = isOn ? (image ?? thumbnail) : null
    if (!shows(embed) && url === null) continue
    const at = embeds.push(shows(embed) ? embed : { ...embed, title: 'image', url: embed.url ?? url }) - 1
    if (isOn && image !== null) pictures.push({ at, place: 'image', url: image })
    if (isOn && thumbnail !== null) pictures.push({ at, place: 'thumbnail', url: thumbnail })
  }
  return { embeds, pictures }
}

/** Notes which pictures a webhook's message names, in place of those before. */
export async function wantPictures(sql: Transaction, message_id: number, pictures: WantedPicture[]): Promise<void> {
  await sql`delete from wanted_pictures where message_id = ${message_id}`
  if (pictures.length === 0) return
  await sql`insert into wanted_pictures ${sql(pictures.map((picture) => ({ message_id, ...picture })))}`
  await queuePreview(sql, message_id)
}
