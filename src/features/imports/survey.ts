import { opendir, realpath, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { messageOf, RefusesToBoot } from '../../core/errors.ts'
import {
  ExportedChannel,
  type ExportedEmoji,
  ExportedGuild,
  ExportedMessage,
  type ExportedUser,
} from './discord-format.ts'
import { nameOf } from './discord-text.ts'
import { DamagedExport, JsonStream } from './json-stream.ts'
import type { Report } from './report.ts'

const ENTRIES_MAX = 1_000_000
/** People whom an export names. */
const PEOPLE_MAX = 1_000_000
/** Names under which one account of a program may post. */
const NAMES_MAX = 200
/** Where DiscordChatExporter puts what it downloads. */
const MEDIA_FOLDER = /_Files$/
const HEAD_BYTES = 4096
const DIRECT_MESSAGES = '0'

/** A file that the export names, and the folder that its address starts from. */
export interface Address {
  folder: string
  url: string
}

export interface ExportFile {
  path: string
  /** As errors and the report name it: from the folder of the export on. */
  name: string
  /** The first message's id; undefined where there is none. */
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

/** What an export has of one server of Discord. */
export interface Survey {
  guild: ExportedGuild & { folder: string }
  channels: Map<string, SurveyedChannel>
  /** By the id; further names of one program by `id name`. */
  people: Map<string, SurveyedPerson>
  roles: Map<string, { name: string; color: string | null; position: number }>
  emoji: Map<string, { name: string; picture: Address; uses: number }>
  messages: number
  /** Under how many names each account of a program posts. */
  names: Map<string, number>
}

/** The key of a person in a survey. @param name undefined for a mention, which has the id alone */
export function personKey({ people }: Survey, id: string, name: string | undefined): string {
  const known = people.get(id)
  const other = `${id} ${name}`
  return name === undefined || !known || known.name === name || !people.has(other) ? id : other
}

/** The files of an export, without what it has downloaded. @throws RefusesToBoot */
async function exportsIn(folder: string, report: Report): Promise<{ path: string; name: string }[]> {
  const found: { path: string; name: string }[] = []
  let entries = 0
  const waiting = [folder]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for await (const entry of await opendir(next)) {
      if (++entries > ENTRIES_MAX) throw new RefusesToBoot(`${folder} holds more than ${ENTRIES_MAX} files.`)
      const path = join(next, entry.name)
      if (entry.isDirectory()) {
        if (!MEDIA_FOLDER.test(entry.name)) waiting.push(path)
      } else if (/\.json$/i.test(entry.name)) {
        const name = relative(folder, path)
        if (entry.isFile() && (await isExport(path))) found.push({ path, name })
        else report.note('other', name)
      }
    }
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Whether a file begins as an export does. */
async function isExport(path: string): Promise<boolean> {
  const beginning = await Bun.file(path).slice(0, HEAD_BYTES).text()
  return /^\uFEFF?\s*\{\s*"guild"\s*:/.test(beginning)
}

/** Reads a value as the exporter writes it. @throws DamagedExport */
export function parsed<S extends z.ZodType>(schema: S, value: unknown, name: string, byte: number): z.infer<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const at = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''
  throw new DamagedExport(name, `is not as DiscordChatExporter writes it (${at}${issue?.message})`, byte)
}

/** The messages of a file, each with its id as a number and its place in the file. @throws DamagedExport */
export async function* messagesOf(path: string, name: string, onHead?: (head: Head) => void) {
  const head: { guild?: ExportedGuild; channel?: ExportedChannel } = {}
  let last = -1n
  for await (const part of JsonStream.read(path, name, 'messages')) {
    if (part.name === 'guild') head.guild = parsed(ExportedGuild, part.value, name, part.byte)
    if (part.name === 'channel') {
      head.channel = parsed(ExportedChannel, part.value, name, part.byte)
      if (head.guild) onHead?.({ guild: head.guild, channel: head.channel })
    }
    if (part.name !== 'messages') continue
    if (!head.guild || !head.channel)
      throw new DamagedExport(name, 'is not as DiscordChatExporter writes it (messages before their channel)', 0)
    const message = parsed(ExportedMessage, part.value, name, part.byte)
    const id = BigInt(message.id)
    if (id <= last)
      throw new DamagedExport(
        name,
        'has messages out of order (export without --reverse; none may be twice)',
        part.byte,
      )
    last = id
    yield { message, id, byte: part.byte }
  }
  if (!head.channel) throw new DamagedExport(name, 'is not as DiscordChatExporter writes it (it has no channel)', 0)
}

interface Head {
  guild: ExportedGuild
  channel: ExportedChannel
}

/**
 * Reads a whole export and writes nothing: whether all of it can be read, and who and what is in it.
 * @param progress called with the number of messages, now and then
 * @returns the servers that it holds, by id
 * @throws RefusesToBoot with a line for each file that cannot be read
 */
export async function survey(
  folder: string,
  report: Report,
  progress: (messages: number) => void,
  signal: AbortSignal,
): Promise<Map<string, Survey>> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) throw new RefusesToBoot(`${folder} is no folder.`)
  const surveys = new Map<string, Survey>()
  const damages: string[] = []
  let messages = 0
  for (const file of await exportsIn(await realpath(folder), report)) {
    const reading = new FileSurvey(surveys, report, file)
    try {
      for await (const { message, id } of messagesOf(file.path, file.name, (head) => reading.begin(head))) {
        signal.throwIfAborted()
        if (!reading.into) break
        reading.add(message, id)
        if (++messages % 1000 === 0) progress(messages)
      }
    } catch (error) {
      if (!(error instanceof RefusesToBoot)) throw error
      damages.push(messageOf(error))
    }
  }
  if (damages.length > 0)
    throw new RefusesToBoot(`${damages.join('\n')}\nExport ${damages.length === 1 ? 'it' : 'these'} again.`)
  if (surveys.size === 0) throw new RefusesToBoot(`${folder} holds no export of a server: see docs/moving.md.`)
  return surveys
}

/** Takes note of one file. */
class FileSurvey {
  into: Survey | undefined
  private file: ExportFile | undefined
  private readonly folder: string

  constructor(
    private readonly surveys: Map<string, Survey>,
    private readonly report: Report,
    private readonly given: { path: string; name: string },
  ) {
    this.folder = dirname(given.path)
  }

  begin({ guild, channel }: Head): void {
    if (guild.id === DIRECT_MESSAGES || channel.type.startsWith('Direct'))
      return this.report.note('direct', this.given.name)
    this.into = this.surveys.get(guild.id) ?? {
      guild: { ...guild, folder: this.folder },
      channels: new Map(),
      people: new Map(),
      roles: new Map(),
      emoji: new Map(),
      messages: 0,
      names: new Map(),
    }
    this.surveys.set(guild.id, this.into)
    const known = this.into.channels.get(channel.id) ?? { ...channel, files: [] }
    this.into.channels.set(channel.id, known)
    this.file = { ...this.given, first: undefined }
    known.files.push(this.file)
  }

  add(message: ExportedMessage, id: bigint): void {
    if (!this.into || !this.file) return
    this.file.first ??= id
    this.into.messages++
    this.person(message.author)
    for (const user of message.mentions) this.person(user)
    for (const emoji of message.inlineEmojis) this.emoji(emoji)
    for (const { inlineEmojis } of message.embeds) for (const emoji of inlineEmojis) this.emoji(emoji)
    for (const { emoji, users } of message.reactions) {
      this.emoji(emoji)
      for (const user of users) this.person(user)
    }
  }

  private person(user: ExportedUser): void {
    if (!this.into) return
    const { people, roles, names } = this.into
    for (const { id, name, color, position } of user.roles)
      if (!roles.has(id)) roles.set(id, { name, color: color ?? null, position })
    const name = nameOf(user)
    const known = people.get(user.id)
    // A webhook posts under many names. A person has one, unless it changed from one export to the next.
    const isOther = user.isBot && known?.name !== name && !people.has(`${user.id} ${name}`)
    const count = names.get(user.id) ?? 0
    if (known && (!isOther || count >= NAMES_MAX)) return
    names.set(user.id, count + 1)
    if (people.size >= PEOPLE_MAX) throw new RefusesToBoot(`${this.given.name} names more than ${PEOPLE_MAX} people.`)
    const avatar = user.avatarUrl ? { folder: this.folder, url: user.avatarUrl } : undefined
    people.set(known ? `${user.id} ${name}` : user.id, { id: user.id, name, avatar })
  }

  private emoji({ id, name, imageUrl }: ExportedEmoji): void {
    if (!id || !this.into) return
    const known = this.into.emoji.get(id)
    if (known) known.uses++
    else this.into.emoji.set(id, { name, picture: { folder: this.folder, url: imageUrl ?? '' }, uses: 1 })
  }
}
