import type { Sql } from '../../database/database.ts'
import type { Embed } from './model.ts'
import type { PagePreview } from './pages.ts'

/** A picture that an embed of a webhook names elsewhere. */
export interface WantedPicture {
  /** The place of the embed among those that no link made. */
  at: number
  place: 'image' | 'thumbnail'
  url: string
}

export interface FoundPicture extends WantedPicture {
  page: PagePreview | undefined
}

export const wantedPictures = (sql: Sql, message_id: number) => sql<WantedPicture[]>`
  select at, place, url from wanted_pictures where message_id = ${message_id} order by at, place`

/** An embed with the pictures that were found for it; those that were not are missing. */
export function pictured(embed: Embed, at: number, found: FoundPicture[]): Embed {
  const own = found.filter((picture) => picture.at === at)
  const shown = own.map(({ place, page }) => [place, page?.preview.type === 'image' ? page.preview.image : null])
  return { ...embed, ...Object.fromEntries(shown) }
}
