import type { Sql } from '../../database/database.ts'
import type { Embed } from './model.ts'
import type { PagePreview } from './pages.ts'

/** An external picture in a message of a webhook or bot. */
export interface WantedPicture {
  /** The index of the embed among those that are not link previews; 0 for an avatar. */
  at: number
  /** `avatar`: the author's picture in this message. */
  place: 'image' | 'thumbnail' | 'avatar'
  url: string
}

export interface FoundPicture extends WantedPicture {
  page: PagePreview | undefined
}

export const wantedPictures = (sql: Sql, messageId: number) => sql<WantedPicture[]>`
  select at, place, url from wanted_pictures where message_id = ${messageId} order by at, place`

/** An embed with the pictures that were fetched; others are missing. */
export function withPictures(embed: Embed, at: number, pictures: FoundPicture[]): Embed {
  const ownPictures = pictures.filter((picture) => picture.at === at && picture.place !== 'avatar')
  const images = ownPictures.map(({ place, page }) => [
    place,
    page?.preview.type === 'image' ? page.preview.image : null,
  ])
  return { ...embed, ...Object.fromEntries(images) }
}

/** The path of the avatar that was fetched for a message, if any. */
export function foundAvatar(pictures: FoundPicture[]): string | undefined {
  const preview = pictures.find(({ place }) => place === 'avatar')?.page?.preview
  return preview?.type === 'image' ? preview.image?.url : undefined
}
