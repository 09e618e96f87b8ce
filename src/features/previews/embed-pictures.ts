import { isVisible } from '../../core/visible.ts'
import type { Transaction } from '../../database/database.ts'
import type { Embed } from './model.ts'
import { pageOf } from './page-address.ts'
import { knownPage } from './pages.ts'
import { queuePreview, withPerson } from './preview-queue.ts'
import { foundAvatar, type WantedPicture } from './wanted-pictures.ts'

/** An embed, and the addresses of its pictures. */
export interface EmbedWithPictures {
  embed: Embed
  image: string | null
  thumbnail: string | null
}

/** True unless the embed is empty. */
export const shows = ({ title, description, author, site_name, fields, footer, image, thumbnail }: Embed): boolean =>
  image !== null ||
  thumbnail !== null ||
  [title, description, author?.name, site_name, footer, ...fields.flatMap(({ name, value }) => [name, value])].some(
    (text) => isVisible(text ?? ''),
  )

/** The author picture of a webhook's message, to be fetched. */
export const avatarOf = (url: string | null, isOn: boolean): WantedPicture[] =>
  isOn && url !== null ? [{ at: 0, place: 'avatar', url }] : []

/**
 * The embeds without their pictures, and the pictures to fetch. An embed with only a picture links to it.
 * @param isOn false if pictures are not fetched; that embed is then dropped
 */
export function withoutPictures(
  drafts: EmbedWithPictures[],
  isOn: boolean,
): { embeds: Embed[]; pictures: WantedPicture[] } {
  const embeds: Embed[] = []
  const pictures: WantedPicture[] = []
  for (const { embed, image, thumbnail } of drafts) {
    const url = isOn ? (image ?? thumbnail) : null
    if (!shows(embed) && url === null) continue
    const at = embeds.push(shows(embed) ? embed : { ...embed, title: 'image', url: embed.url ?? url }) - 1
    if (isOn && image !== null) pictures.push({ at, place: 'image', url: image })
    if (isOn && thumbnail !== null) pictures.push({ at, place: 'thumbnail', url: thumbnail })
  }
  return { embeds, pictures }
}

/**
 * Records the pictures that a message of a webhook or bot needs for its embeds and avatar, replacing earlier ones. An
 * avatar that is cached is set at once. Does nothing if the message is gone.
 */
export async function wantPictures(sql: Transaction, message_id: number, pictures: WantedPicture[]): Promise<void> {
  await sql`delete from wanted_pictures where message_id = ${message_id} and place <> 'avatar'`
  await sql`delete from message_pictures shown using messages m, preview_pictures p
    where shown.message_id = ${message_id} and m.id = shown.message_id and p.id = shown.picture_id
      and position(p.key in concat(m.embeds, m.data)) = 0`
  const newPictures: WantedPicture[] = []
  for (const picture of pictures)
    if (picture.place !== 'avatar' || !(await putKnown(sql, message_id, picture))) newPictures.push(picture)
  if (newPictures.length === 0) return
  // Make the job run again: an earlier one knew nothing of these pictures.
  const rows = await sql`update messages set previewed_version = null where id = ${message_id} returning 1`
  if (rows.length === 0) return
  await sql`insert into wanted_pictures (message_id, at, place, url, author_id)
    select m.id, wanted.at, wanted.place, wanted.url, person.id from messages m ${withPerson(sql)},
      json_to_recordset(${JSON.stringify(newPictures)}::text::json) wanted (at int, place text, url text)
    where m.id = ${message_id}`
  await queuePreview(
    sql,
    message_id,
    newPictures.every(({ place }) => place === 'avatar'),
  )
}

/** Sets a message's avatar if it is cached. @returns true if nothing is left to fetch */
async function putKnown(sql: Transaction, message_id: number, picture: WantedPicture): Promise<boolean> {
  const address = pageOf(picture.url)
  const page = address ? await knownPage(sql, address.hash) : null
  if (page === undefined || page === 'busy') return false
  const avatar_url = page && foundAvatar([{ ...picture, page }])
  if (!avatar_url) return true
  const data = JSON.stringify({ avatar_url })
  await sql`update messages set data = (coalesce(data::jsonb, '{}') || ${data}::text::jsonb)::json
    where id = ${message_id}`
  await sql`insert into message_pictures ${sql({ message_id, picture_id: page.picture_id })} on conflict do nothing`
  return true
}
