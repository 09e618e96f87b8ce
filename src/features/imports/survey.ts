import { opendir, realpath, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { RefusesToBoot } from '../../core/errors.ts'
import {
  DIRECT_MESSAGES,
  ExportedChannel,
  type ExportedEmoji,
  ExportedGuild,
  ExportedMessage,
  type ExportedUser,
  NO_CATEGORY,
  isPictured,
} from './discord-format.ts'
import { nameOf } from './discord-text.ts'
import type { Address, Optional, UsedPicture } from './used-pictures.ts'
import { DamagedExport, JsonStream } from './json-stream.ts'
import { DAMAGED_MAX, type Report } from './report.ts'

const ENTRIES_MAX = 1_000_000
/** People in an export. */
const PEOPLE_MAX = 1_000_000
/** Names under which one bot or webhook may post. */
const NAMES_MAX = 200
/** The folder into which DiscordChatExporter downloads files. */
const MEDIA_FOLDER = /_Files$/
const HEAD_BYTES = 4096
/** Ids per file to remember for detecting repeated messages: exporters repeated whole pages of 100. */
const IDS_MAX = 1_048_576

export interface ExportFile {
  path: string
  /** The path as errors and the report show it, relative to the export's folder. */
  name: string
  /** The first message's id; undefined if there is none. */
  first: bigint | undefined
}

export interface SurveyedChannel extends ExportedChannel {
  files: ExportFile[]
}

export interface SurveyedPerson {
  id: string
  name: string
  avatar: Address | undefined
}

/** The contents of an export for one Discord server. */
export interface Survey {
  guild: ExportedGuild & { folder: string }
  channels: Map<string, SurveyedChannel>
  /** By id; further names of one bot or webhook by `id name`. */
  people: Map<string, SurveyedPerson>
  roles: Map<string, { name: string; color: string | null; position: number }>
  emoji: Map<string, UsedPicture>
  stickers: Map<string, UsedPicture>
  /** Descriptions of stickers, as far as the bot's token fetched them. */
  stickerTexts: Map<string, string>
  messages: number
  /** The number of names under which each bot or webhook posts. */
  names: Map<string, number>
}

/** The key of a person in a survey. @param name undefined for a mention, which has only the id */
export function personKey({ people }: Survey, id: string, name: string | undefined): string {
  const person = people.get(id)
  const other = `${id} ${name}`
  return name === undefined || !person || person.name === name || !people.has(other) ? id : other
}

/** The export files in a folder, without downloaded media. @throws RefusesToBoot */
async function exportsIn(folder: string, report: Report): Promise<{ path: string; name: string }[]> {
  const files: { path: string; name: string }[] = []
  let entries = 0
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for await (const entry of await opendir(next)) {
      if (++entries > ENTRIES_MAX) throw new RefusesToBoot(`${folder} holds more than ${ENTRIES_MAX} files.`)
      const path = join(next, entry.name)
      if (entry.isDirectory()) {
        if (!MEDIA_FOLDER.test(entry.name)) folders.push(path)
      } else if (/\.json$/i.test(entry.name)) {
        const name = relative(folder, path)
        if (entry.isFile() && (await isExport(path).catch(() => true))) files.push({ path, name })
        else report.note('other', name)
      }
    }
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** True if a file begins like an export. @throws errors of the file system */
async function isExport(path: string): Promise<boolean> {
  const beginning = await Bun.file(path).slice(0, HEAD_BYTES).text()
  return /^\uFEFF?\s*\{\s*"guild"\s*:/.test(beginning)
}

/** Parses a value as the exporter writes it. @throws DamagedExport */
function parse<S extends z.ZodType>(schema: S, value: unknown, name: string, byte: number): z.infer<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const at = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''
  throw new DamagedExport(name, `is not as DiscordChatExporter writes it (${at}${issue?.message})`, byte)
}

/** The ascending ids of a file: the newest of them, eight bytes each. */
class GrowingIds {
  #ids = new BigUint64Array(1024)
  #count = 0

  get last(): bigint {
    return this.#count === 0 ? -1n : (this.#ids[this.#count - 1] ?? -1n)
  }

  push(id: bigint): void {
    if (this.#count === IDS_MAX) {
      this.#ids.copyWithin(0, IDS_MAX / 2)
      this.#count = IDS_MAX / 2
    }
    if (this.#count === this.#ids.length) {
      const more = new BigUint64Array(2 * this.#count)
      more.set(this.#ids)
      this.#ids = more
    }
    this.#ids[this.#count++] = id
  }

  has(id: bigint): boolean {
    let [low, high] = [0, this.#count - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#ids[middle] ?? 0n) < id) low = middle + 1
      else high = middle
    }
    return this.#count > 0 && this.#ids[low] === id
  }
}

/**
 * The messages of a file, each with its id as a number and its byte offset. Repeated messages are skipped.
 * @throws DamagedExport
 */
export async function* messagesOf(path: string, name: string, onHead?: (head: Head) => void, report?: Report) {
  const head: { guild?: ExportedGuild; channel?: ExportedChannel } = {}
  const ids = new GrowingIds()
  for await (const part of JsonStream.read(path, name, 'messages')) {
    if (part.name === 'guild') head.guild = parse(ExportedGuild, part.value, name, part.byte)
    if (part.name === 'channel') {
      head.channel = parse(ExportedChannel, part.value, name, part.byte)
      if (head.guild) onHead?.({ guild: head.guild, channel: head.channel })
    }
    if (part.name !== 'messages') continue
    if (!head.guild || !head.channel)
      throw new DamagedExport(name, 'is not as DiscordChatExporter writes it (messages before their channel)', 0)
    const message = parse(ExportedMessage, part.value, name, part.byte)
    const id = BigInt(message.id)
    if (ids.has(id)) {
      report?.note('twice', `message ${id}`)
      continue
    }
    if (id < ids.last) throw new DamagedExport(name, 'has messages out of order (export without --reverse)', part.byte)
    ids.push(id)
    yield { message, id, byte: part.byte }
  }
  if (!head.channel) throw new DamagedExport(name, 'is not as DiscordChatExporter writes it (it has no channel)', 0)
}

interface Head {
  guild: ExportedGuild
  channel: ExportedChannel
}

/** The sentence about a file that cannot be read; undefined for other errors. */
function damageOf(error: unknown, name: string): string | undefined {
  if (error instanceof DamagedExport) return error.message
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^E[A-Z]+$/.test(code) ? `${name} cannot be read (${code}).` : undefined
}

/**
 * Reads a whole export and writes nothing: its servers, people, channels and messages. Unreadable files are reported
 * and skipped.
 * @param progress called now and then with the number of messages
 * @returns the servers in it, by id
 * @throws RefusesToBoot if nothing can be read, with a line for each file
 */
export async function survey(
  folder: string,
  report: Report,
  progress: (messages: number) => void,
  signal: AbortSignal,
): Promise<Map<string, Survey>> {
  const isFolder = await stat(folder).then(
    (status) => status.isDirectory(),
    () => false,
  )
  if (!isFolder) throw new RefusesToBoot(`${folder} is not a folder.`)
  const surveys = new Map<string, Survey>()
  const damages: string[] = []
  let messages = 0
  for (const file of await exportsIn(await realpath(folder), report)) {
    const fileSurvey = new FileSurvey(surveys, report, file)
    try {
      for await (const { message, id } of messagesOf(file.path, file.name, (head) => fileSurvey.begin(head), report)) {
        signal.throwIfAborted()
        if (!fileSurvey.into) break
        fileSurvey.add(message, id)
        if (++messages % 1000 === 0) progress(messages)
      }
    } catch (error) {
      const damage = damageOf(error, file.name)
      if (damage === undefined) throw error
      fileSurvey.undo()
      report.note('damaged', damage)
      if (damages.length < DAMAGED_MAX) damages.push(damage)
    }
  }
  const pronoun = damages.length === 1 ? 'it' : 'these'
  if (surveys.size === 0 && damages.length > 0)
    throw new RefusesToBoot(`${damages.join('\n')}\nExport ${pronoun} again.`)
  if (surveys.size === 0)
    throw new RefusesToBoot(`${folder} does not contain an export of a server: see docs/moving.md.`)
  for (const one of surveys.values()) nameCategories(one)
  return surveys
}

/**
 * Gives ids to categories that only have a name: the id in another file if there is one, else one derived from the
 * first channel's id.
 */
function nameCategories({ channels }: Survey): void {
  const ids = new Map<string, string>()
  for (const { categoryId, category } of channels.values()) if (categoryId && category) ids.set(category, categoryId)
  for (const channel of channels.values()) {
    const { id, category, categoryId } = channel
    if (categoryId !== undefined || !category || NO_CATEGORY.has(category)) continue
    // The time is in an id's upper bits, and no other Discord object has this id.
    channel.categoryId = ids.get(category) ?? String(BigInt(id) - 1n)
    ids.set(category, channel.categoryId)
  }
}

/** Surveys one file. */
class FileSurvey {
  into: Survey | undefined
  private file: ExportFile | undefined
  private messages = 0
  private readonly folder: string
  /** Undo steps, if the file turns out to be damaged. */
  private readonly undoing: (() => void)[] = []

  constructor(
    private readonly surveys: Map<string, Survey>,
    private readonly report: Report,
    private readonly source: { path: string; name: string },
  ) {
    this.folder = dirname(source.path)
  }

  begin({ guild, channel }: Head): void {
    if (guild.id === DIRECT_MESSAGES || channel.type.startsWith('Direct'))
      return this.report.note('direct', this.source.name)
    const isNew = !this.surveys.has(guild.id)
    this.into = this.surveys.get(guild.id) ?? {
      guild: { ...guild, folder: this.folder },
      channels: new Map(),
      people: new Map(),
      roles: new Map(),
      emoji: new Map(),
      stickers: new Map(),
      stickerTexts: new Map(),
      messages: 0,
      names: new Map(),
    }
    this.surveys.set(guild.id, this.into)
    if (isNew) this.undoing.push(() => this.surveys.delete(guild.id))
    const earlier = this.into.channels.get(channel.id)
    this.file = { ...this.source, first: undefined }
    if (earlier) {
      earlier.files.push(this.file)
      this.undoing.push(() => earlier.files.pop())
    } else this.put(this.into.channels, channel.id, { ...channel, files: [this.file] })
  }

  /** Removes the file from the survey, with people, roles and pictures that no earlier file has. */
  undo(): void {
    if (this.into) this.into.messages -= this.messages
    for (const undo of this.undoing.toReversed()) undo()
  }

  private put<V>(into: Map<string, V>, key: string, value: V): void {
    into.set(key, value)
    this.undoing.push(() => into.delete(key))
  }

  add(message: ExportedMessage, id: bigint): void {
    if (!this.into || !this.file) return
    this.file.first ??= id
    this.into.messages++
    this.messages++
    this.person(message.author)
    for (const user of message.mentions) this.person(user)
    for (const emoji of message.inlineEmojis) this.emoji(emoji)
    for (const { inlineEmojis } of message.embeds) for (const emoji of inlineEmojis) this.emoji(emoji)
    for (const { id, name, sourceUrl } of message.stickers.filter(isPictured))
      this.picture(this.into.stickers, id, name, sourceUrl)
    for (const { emoji, users } of message.reactions) {
      this.emoji(emoji)
      for (const user of users) this.person(user)
    }
  }

  private person(user: ExportedUser): void {
    if (!this.into) return
    const { people, roles, names } = this.into
    for (const { id, name, color, position } of user.roles)
      if (!roles.has(id)) this.put(roles, id, { name, color: color ?? null, position })
    const name = nameOf(user)
    const person = people.get(user.id)
    // A webhook posts under many names. A person has one name, unless it changed between exports.
    const isOther = user.isBot && person?.name !== name && !people.has(`${user.id} ${name}`)
    const count = names.get(user.id) ?? 0
    if (person && (!isOther || count >= NAMES_MAX)) return
    names.set(user.id, count + 1)
    this.undoing.push(() => names.set(user.id, count))
    if (people.size >= PEOPLE_MAX) throw new RefusesToBoot(`${this.source.name} names more than ${PEOPLE_MAX} people.`)
    const avatar = user.avatarUrl ? { folder: this.folder, url: user.avatarUrl } : undefined
    this.put(people, person ? `${user.id} ${name}` : user.id, { id: user.id, name, avatar })
  }

  private emoji({ id, name, imageUrl }: ExportedEmoji): void {
    if (this.into) this.picture(this.into.emoji, id, name, imageUrl)
  }

  private picture(into: Map<string, UsedPicture>, id: Optional, name: string, url: Optional): void {
    if (!id) return
    const entry = into.get(id)
    if (entry) entry.uses++
    else this.put(into, id, { name, picture: { folder: this.folder, url: url ?? '' }, uses: 1 })
  }
}
