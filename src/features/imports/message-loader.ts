import { customEmojiId } from '../../core/emoji.ts'
import { found } from '../../core/errors.ts'
import { codePoints } from '../../core/schema.ts'
import type { Database, Transaction } from '../../database/database.ts'
import type { Write } from '../../events/write.ts'
import { CONTENT_MAX } from '../messages/model.ts'
import { recordPicture, pathOf, type StoredPicture } from '../previews/pictures.ts'
import type { MessageDraft } from './discord-messages.ts'
import type { ImportedServer } from './imported-server.ts'
import type { ExportMedia, FileStore, StoredFile } from './media.ts'
import type { Report } from './report.ts'

/** Messages, and UTF-16 units of their texts, per transaction. */
const MESSAGES_MAX = 1_000
const UNITS_MAX = 4_000_000
/** Files stored before they are recorded; bounded because the protection of their objects expires. */
const FILES_MAX = 50
/** Reactions per transaction, not counting those of its last message, and per statement. */
const REACTIONS_MAX = 20_000
const REACTIONS_AT_ONCE = 5_000
const PINS_MAX = 250

/** A Discord message and what it becomes. */
interface QueuedMessage {
  source: bigint
  folder: string
  drafts: MessageDraft[]
}

/** A message with its id, its stored files and resolved references. */
interface Row extends Omit<MessageDraft, 'embeds' | 'files' | 'reactions' | 'created_ms' | 'edited_ms'> {
  id: number
  files: StoredFile[]
  embeds: object[] | null
  pictures: StoredPicture[]
  reactions: MessageDraft['reactions']
  created_at: string
  edited_at: string | null
  reply_to_id: number | null
  forwarded_id: number | null
}

/** Writes the messages of one channel in order, many per transaction. */
export class MessageLoader {
  #queue: QueuedMessage[] = []
  #size = { drafts: 0, units: 0, files: 0, reactions: 0 }
  /** Creation times must not decrease within a channel. */
  #newestMs: number
  #pins: number

  private constructor(
    private readonly to: { sql: Database; write: Write; server: ImportedServer; report: Report },
    private readonly media: { files: ExportMedia; store: FileStore },
    private readonly channel: { id: number; source: string },
    now: { newest_ms: number | null; pins: number },
  ) {
    this.#newestMs = now.newest_ms ?? 0
    this.#pins = now.pins
  }

  static async open(
    to: { sql: Database; write: Write; server: ImportedServer; report: Report },
    media: { files: ExportMedia; store: FileStore },
    source: string,
  ): Promise<MessageLoader> {
    const id = found(to.server.channel(source), 'internal')
    const [now] = await to.sql<{ newest_ms: number | null; pins: number }[]>`
      select (select extract(epoch from m.created_at) * 1000 from messages m
        where m.channel_id = c.id order by m.id desc limit 1)::float8 as newest_ms, pin_count as pins
      from channels c where c.id = ${id}`
    return new MessageLoader(to, media, { id, source }, found(now, 'internal'))
  }

  /**
   * Queues a Discord message, which is written with the following ones.
   * @param folder the base of its files' addresses
   * @param drafts its converted messages; empty if it has no equivalent
   * @returns true if the queue was written
   */
  async add(source: bigint, folder: string, drafts: MessageDraft[]): Promise<boolean> {
    this.#queue.push({ source, folder, drafts })
    this.#size.drafts += Math.max(1, drafts.length)
    for (const { content, files, embeds, reactions } of drafts) {
      this.#size.units += content.length
      this.#size.files += files.length + embeds.length
      for (const { user_ids } of reactions) this.#size.reactions += user_ids.length
    }
    const { drafts: count, units, files, reactions } = this.#size
    const isFull = count >= MESSAGES_MAX || units >= UNITS_MAX || files >= FILES_MAX || reactions >= REACTIONS_MAX
    if (isFull) await this.flush()
    return isFull
  }

  /** Writes the queue. */
  async flush(): Promise<void> {
    const last = this.#queue.at(-1)
    if (!last) return
    const queue = this.#queue
    this.#queue = []
    this.#size = { drafts: 0, units: 0, files: 0, reactions: 0 }
    const all = queue.flatMap(({ drafts }) => drafts)
    const ids = await this.#newIds(all.length)
    const firsts = new Map<string, number>()
    let at = 0
    for (const { source, drafts } of queue) {
      const id = ids[at]
      if (drafts.length > 0 && id !== undefined) firsts.set(String(source), id)
      at += drafts.length
    }
    const idsBySource = await this.#knownIds(all, firsts)
    const rows: Row[] = []
    for (const { folder, drafts } of queue)
      for (const draft of drafts) rows.push(await this.#row(draft, folder, found(ids[rows.length]), idsBySource))
    await this.to.write((sql) => this.#insert(sql, rows, firsts, last.source))
  }

  async #newIds(count: number): Promise<number[]> {
    const rows = await this.to.sql<{ id: number }[]>`
      select nextval('messages_id_seq') as id from generate_series(1, ${count})`
    return rows.map(({ id }) => id)
  }

  /**
   * The ids of the messages that these refer to, by their Discord ids.
   * @param firsts messages that are about to be written
   */
  async #knownIds(drafts: MessageDraft[], firsts: Map<string, number>): Promise<Map<string, number>> {
    const references = drafts.flatMap(({ reply_to, forward_of, pinned }) => [reply_to, forward_of, pinned])
    const sources = [...new Set(references.filter((source) => source !== undefined))].filter((one) => !firsts.has(one))
    if (sources.length === 0) return firsts
    const rows = await this.to.sql<{ source: string; message_id: number }[]>`
      select source::text, message_id from import_messages
      where import_id = ${this.to.server.id} and source = any(${sources}::text[]::bigint[])`
    return new Map([...firsts, ...rows.map(({ source, message_id }) => [source, message_id] as const)])
  }

  async #row(draft: MessageDraft, folder: string, id: number, idsBySource: Map<string, number>): Promise<Row> {
    const { report } = this.to
    const { embeds, files, edited_ms, created_ms, reply_to, forward_of, pinned, data, content, ...rest } = draft
    this.#newestMs = Math.max(this.#newestMs, created_ms)
    const storedFiles: StoredFile[] = []
    const lostNames: string[] = []
    for (const { filename, address } of files) {
      const file = await this.media.files.find({ folder, url: address }, filename)
      if (file) storedFiles.push(await this.media.store.store(file, filename))
      else lostNames.push(filename)
    }
    const storedEmbeds = await this.#embeds(embeds, folder)
    // Keep the name of a missing file and the address of a missing picture, so that a message is never empty.
    const names = lostNames.map((filename) => `[${filename}]`)
    const link = content === '' && storedEmbeds.embeds === null ? embeds.flatMap(({ embed }) => embed.url ?? []) : []
    const text = [content, ...names, ...link].filter((part) => part !== '').join('\n')
    const reply_to_id = reply_to === undefined ? null : (idsBySource.get(reply_to) ?? null)
    if (reply_to !== undefined && reply_to_id === null) report.note('reply')
    const is_pinned = rest.is_pinned && this.#pins < PINS_MAX
    if (rest.is_pinned && !is_pinned) report.note('pin')
    if (is_pinned) this.#pins++
    const message_id = pinned === undefined ? undefined : idsBySource.get(pinned)
    return {
      ...rest,
      id,
      content: codePoints(text) > CONTENT_MAX ? content : text,
      is_pinned,
      files: storedFiles,
      ...storedEmbeds,
      data: message_id === undefined ? data : { message_id },
      created_at: new Date(this.#newestMs).toISOString(),
      edited_at: edited_ms === undefined ? null : new Date(edited_ms).toISOString(),
      reply_to_id,
      forwarded_id: forward_of === undefined ? null : (idsBySource.get(forward_of) ?? null),
      reply_to,
      forward_of,
      pinned,
    }
  }

  /** Embeds with the pictures that the export contains. */
  async #embeds(drafts: MessageDraft['embeds'], folder: string): Promise<Pick<Row, 'embeds' | 'pictures'>> {
    const pictures: StoredPicture[] = []
    const picture = async (url: string | undefined) => {
      if (url === undefined) return null
      const file = await this.media.files.find({ folder, url }, url.slice(-60), 'picture')
      const preview = file && (await this.media.store.storePreview(file))
      if (!preview) return null
      pictures.push(preview)
      return { url: pathOf(preview.key), width: preview.width, height: preview.height }
    }
    const embeds: object[] = []
    for (const { embed, image, thumbnail } of drafts) {
      const storedEmbed = { ...embed, image: await picture(image), thumbnail: await picture(thumbnail) }
      // A preview of a picture is useless without the picture.
      if (storedEmbed.type !== 'image' || storedEmbed.image !== null) embeds.push(storedEmbed)
    }
    return { embeds: embeds.length > 0 ? embeds : null, pictures }
  }

  async #insert(sql: Transaction, rows: Row[], firsts: Map<string, number>, last: bigint): Promise<void> {
    const { id: channelId, source } = this.channel
    const { id: importId } = this.to.server
    if (rows.length > 0) {
      await insertMessages(sql, channelId, rows)
      await insertReactions(sql, rows)
      await insertFiles(sql, rows)
      await sql`select note_copies(${rows.filter((row) => row.forwarded_id !== null).map(({ id }) => id)}::bigint[])`
      await sql`insert into import_messages (import_id, source, message_id)
        select ${importId}, * from unnest(${[...firsts.keys()]}::text[]::bigint[], ${[...firsts.values()]}::bigint[])`
      const newest = rows.at(-1)?.created_at ?? null
      await sql`update channels set message_count = message_count + case type when 'thread' then ${rows.length}::int
          else 0 end, pin_count = pin_count + ${rows.filter(({ is_pinned }) => is_pinned).length}::int,
        active_at = case type when 'thread' then ${newest}::timestamptz end,
        archived_at = case type when 'thread' then ${newest}::timestamptz end where id = ${channelId}`
    }
    await sql`update import_parts set done_until = ${String(last)}::text::bigint
      where import_id = ${importId} and kind = 'channel' and source = ${source}`
  }
}

async function insertMessages(sql: Transaction, channelId: number, rows: Row[]): Promise<void> {
  const messages = rows.map(({ files: _files, pictures: _pictures, reactions, ...row }) => ({
    ...row,
    pinned_at: row.is_pinned ? row.created_at : null,
    forwarded: row.forwarded === undefined ? null : { content: row.forwarded },
    data: row.data ?? null,
    reacted: reactions.length > 0,
    sticker_id: row.sticker_id ?? null,
  }))
  await sql`select count(*) from insert_messages(array(
    select new_message(id => m.id, channel_id => ${channelId}, kind => m.kind, author_id => m.author_id,
      content => m.content, mention_ids => m.mention_ids, reply_to_id => m.reply_to_id, created_at => m.created_at,
      edited_at => m.edited_at, pinned_at => m.pinned_at, forwarded_id => m.forwarded_id, forwarded => m.forwarded,
      data => m.data, embeds => m.embeds, reacted => m.reacted, sticker_id => m.sticker_id)
    from json_to_recordset(${JSON.stringify(messages)}::text::json) as m (id bigint, kind text, author_id bigint,
      content text, mention_ids bigint[], reply_to_id bigint, created_at timestamptz, edited_at timestamptz,
      pinned_at timestamptz, forwarded_id bigint, forwarded json, data json, embeds json, reacted boolean,
      sticker_id bigint)
    order by m.id))`
  const pins = rows.flatMap(({ kind, data, created_at }) =>
    kind === 'pinned' && data?.message_id !== undefined ? [{ id: data.message_id, created_at }] : [],
  )
  if (pins.length > 0)
    await sql`update messages m set pinned_at = pin.at from unnest(${pins.map(({ id }) => id)}::bigint[],
      ${pins.map(({ created_at }) => created_at)}::timestamptz[]) pin (id, at)
      where m.id = pin.id and m.pinned_at is not null and m.channel_id = ${channelId}`
}

async function insertReactions(sql: Transaction, rows: Row[]): Promise<void> {
  const counts = rows.flatMap(({ id, reactions }) =>
    reactions.map(({ emoji, user_ids }) => ({ message_id: id, emoji, count: user_ids.length })),
  )
  if (counts.length === 0) return
  const emojis = counts.flatMap(({ message_id, emoji }) => {
    const emoji_id = customEmojiId(emoji)
    return emoji_id === undefined ? [] : [{ message_id, emoji_id }]
  })
  await sql`insert into reaction_counts (message_id, emoji, count)
    select * from json_to_recordset(${JSON.stringify(counts)}::text::json)
      as r (message_id bigint, emoji text, count int)`
  for (const batch of reactionsIn(rows))
    await sql`insert into message_reactions (message_id, emoji, user_id, created_at)
      select * from json_to_recordset(${JSON.stringify(batch)}::text::json)
        as r (message_id bigint, emoji text, user_id bigint, created_at timestamptz)`
  if (emojis.length > 0) await sql`insert into message_emojis ${sql(emojis)} on conflict do nothing`
}

/** The reactions of messages, in chunks of one statement each. */
function* reactionsIn(rows: Row[]) {
  let batch: { message_id: number; emoji: string; user_id: number; created_at: string }[] = []
  for (const { id: message_id, reactions, created_at } of rows)
    for (const { emoji, user_ids } of reactions)
      for (const user_id of user_ids) {
        batch.push({ message_id, emoji, user_id, created_at })
        if (batch.length < REACTIONS_AT_ONCE) continue
        yield batch
        batch = []
      }
  if (batch.length > 0) yield batch
}

async function insertFiles(sql: Transaction, rows: Row[]): Promise<void> {
  for (const { id, author_id, created_at, files, pictures } of rows) {
    if (files.length > 0) {
      const fileRows = files.map((file, ordinal) => ({
        ...file,
        uploader_id: author_id,
        message_id: id,
        ordinal: ordinal + 1,
        created_at,
      }))
      await sql`insert into files ${sql(fileRows)}`
      const keys = files.flatMap(({ key, thumbnail_key }) => (thumbnail_key === null ? [key] : [key, thumbnail_key]))
      await sql`delete from object_outbox where key = any(${keys})`
    }
    for (const picture of pictures) {
      const picture_id = found(await recordPicture(sql, picture), 'internal')
      await sql`insert into message_pictures ${sql({ message_id: id, picture_id })}`
    }
  }
}
