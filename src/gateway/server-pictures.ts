import type { Sql } from '../database/database.ts'
import { emojiColumns } from '../features/emoji/change.ts'
import type { CustomEmoji } from '../features/emoji/model.ts'
import { stickerColumns } from '../features/stickers/change.ts'
import type { Sticker } from '../features/stickers/model.ts'

/** JSON of rows, by their server. */
function textsByServer(rows: { server_id: number }[]): Map<number, string[]> {
  const byServer = Map.groupBy(rows, (row) => row.server_id)
  return new Map(Array.from(byServer, ([id, own]) => [id, own.map((row) => JSON.stringify(row))]))
}

/** JSON of the custom emoji and stickers of servers, by server. */
export async function picturesOf(sql: Sql, ids: number[]) {
  const [emoji, stickers] = await Promise.all([
    sql<CustomEmoji[]>`select ${emojiColumns(sql)} from emojis e
      where e.server_id = any(${ids}) and e.deleted_at is null order by e.id`,
    sql<Sticker[]>`select ${stickerColumns(sql)} from stickers s
      where s.server_id = any(${ids}) and s.deleted_at is null order by s.id`,
  ])
  return { emojiOf: textsByServer(emoji), stickersOf: textsByServer(stickers) }
}
