import type { Write } from '../../events/write.ts'
import { found, RefusesToBoot } from '../../core/errors.ts'
import { clip, freeName } from '../../core/free-name.ts'
import { bitOf, EVERYONE_PERMISSIONS } from '../../core/permissions.ts'
import type { Database, Sql, Transaction } from '../../database/database.ts'
import { unusableHash } from '../accounts/passwords.ts'
import { creationTime } from './discord-format.ts'
import type { Places } from './discord-text.ts'
import { cleanName, cleanOwnName, cleanText } from './names.ts'
import type { Report } from './report.ts'
import { personKey, type Survey, type SurveyedChannel } from './survey.ts'

const PEOPLE_AT_ONCE = 500
const CHANNELS_MAX = 500
const CATEGORIES_MAX = 50
/** Not counting `everyone`. */
const ROLES_MAX = 249
const TOPIC_MAX = 1024
const NAME_MAX = 100
const DISPLAY_NAME_MAX = 32
/** The longest period, because an imported thread is archived already. */
const ARCHIVE_AFTER_SECONDS = 604_800

type Kind = 'channel' | 'author' | 'role' | 'emoji' | 'sticker'
interface Part {
  id: number
  /** For a channel: the source of the last message that was written. */
  done_until: string
}

export const isThread = ({ type }: Pick<SurveyedChannel, 'type'>): boolean => type.endsWith('Thread')
const isPrivate = ({ type }: Pick<SurveyedChannel, 'type'>): boolean => type === 'GuildPrivateThread'
export const isStage = ({ type }: Pick<SurveyedChannel, 'type'>): boolean => type.startsWith('GuildStage')
export const isVoice = ({ type }: Pick<SurveyedChannel, 'type'>): boolean => /^Guild(Voice|Stage)/.test(type)

/** An import that has begun. */
export interface BegunImport {
  id: number
  server_id: number
  owner_id: number
  finished_at: string | null
}

/** The import of a Discord server, unless its result has been deleted. */
export async function begunImport(sql: Sql, source: string): Promise<BegunImport | undefined> {
  const [row] = await sql<BegunImport[]>`
    select i.id, i.server_id, s.owner_id, i.finished_at from imports i join servers s on s.id = i.server_id
    where i.source = ${source} and s.owner_id is not null order by i.id desc limit 1`
  return row
}

/** @throws RefusesToBoot if the export exceeds a server's limits */
export function demandBounds({ channels }: Survey): void {
  const ids = new Set<string>()
  const categories = new Set<string>()
  for (const channel of channels.values()) {
    if (isThread(channel) && !isPrivate(channel)) ids.add(channel.categoryId ?? channel.id)
    else ids.add(channel.id)
    if (!isThread(channel) && channel.categoryId) categories.add(channel.categoryId)
  }
  if (ids.size > CHANNELS_MAX)
    throw new RefusesToBoot(`The export has ${ids.size} channels; a server has at most ${CHANNELS_MAX}.`)
  if (categories.size > CATEGORIES_MAX)
    throw new RefusesToBoot(`The export has ${categories.size} categories; a server has at most ${CATEGORIES_MAX}.`)
}

/** The server that an import creates, with a map from Discord's objects to the created ones. */
export class ImportedServer implements Places {
  readonly #parts = new Map<Kind, Map<string, Part>>()
  readonly #emoji = new Map<string, string>()

  private constructor(
    readonly id: number,
    readonly server_id: number,
    readonly owner_id: number,
    private readonly survey: Survey,
    private readonly write: Write,
  ) {}

  /** Resumes the import, or begins it. */
  static async open(sql: Database, write: Write, survey: Survey, owner_id: number): Promise<ImportedServer> {
    const { guild } = survey
    const existing = await begunImport(sql, guild.id)
    const record = existing ?? (await write((tx) => beginImport(tx, survey, owner_id)))
    // The owner of the first run stays the owner.
    const server = new ImportedServer(record.id, record.server_id, record.owner_id, survey, write)
    await server.#read(sql)
    return server
  }

  account(id: string, name?: string): number | undefined {
    return this.#part('author', personKey(this.survey, id, name))?.id
  }

  role(id: string): number | undefined {
    return this.#part('role', id)?.id
  }

  channel(id: string): number | undefined {
    return this.#part('channel', id)?.id
  }

  emoji(id: string): string | undefined {
    return this.#emoji.get(id)
  }

  sticker(id: string): number | undefined {
    return this.#part('sticker', id)?.id
  }

  /** The source of the last message of a channel that was written. */
  doneUntil(id: string): bigint {
    return BigInt(this.#part('channel', id)?.done_until ?? 0)
  }

  #part(kind: Kind, source: string): Part | undefined {
    return this.#parts.get(kind)?.get(source)
  }

  async #read(sql: Database): Promise<void> {
    for (const kind of ['channel', 'author', 'role', 'emoji', 'sticker'] as const) {
      const rows = await sql<{ source: string; target_id: number; done_until: string }[]>`
        select source, target_id, done_until::text from import_parts where import_id = ${this.id} and kind = ${kind}`
      this.#parts.set(
        kind,
        new Map(rows.map(({ source, target_id, done_until }) => [source, { id: target_id, done_until }])),
      )
    }
    const emoji = await sql<{ source: string; named: string }[]>`
      select p.source, e.name || ':' || e.id as named from import_parts p join emojis e on e.id = p.target_id
      where p.import_id = ${this.id} and p.kind = 'emoji'`
    for (const { source, named } of emoji) this.#emoji.set(source, named)
  }

  /** Records created objects in their transaction; the map includes them after the commit. */
  async note(sql: Transaction, kind: Kind, objects: { source: string; id: number }[]): Promise<() => void> {
    await sql`insert into import_parts (import_id, kind, source, target_id)
      select ${this.id}, ${kind}, * from unnest(${objects.map(({ source }) => source)}::text[],
        ${objects.map(({ id }) => id)}::bigint[])`
    return () => {
      for (const { source, id } of objects) this.#parts.get(kind)?.set(source, { id, done_until: '0' })
    }
  }

  nameEmoji(source: string, emojiName: string): void {
    this.#emoji.set(source, emojiName)
  }

  /** Creates placeholder accounts for the people of the export. */
  async makePeople(): Promise<void> {
    const missingPeople = [...this.survey.people].filter(([key]) => !this.#part('author', key))
    for (let at = 0; at < missingPeople.length; at += PEOPLE_AT_ONCE) {
      const page = missingPeople.slice(at, at + PEOPLE_AT_ONCE)
      const names = page.map(([, { name }]) => cleanOwnName(name, DISPLAY_NAME_MAX, 'Unknown'))
      const remember = await this.write(async (sql) => {
        const accounts = await sql<{ id: number }[]>`select make_placeholders(${names}::text[], ${unusableHash}) as id`
        return this.note(
          sql,
          'author',
          page.map(([source], nth) => ({ source, id: found(accounts[nth], 'internal').id })),
        )
      })
      remember()
    }
  }

  /** Creates missing roles by name and colour, without permissions. */
  async makeRoles(report: Report): Promise<void> {
    const rolesByPosition = [...this.survey.roles].toSorted(([, a], [, b]) => b.position - a.position)
    if (rolesByPosition.length > ROLES_MAX)
      report.note('role', rolesByPosition[ROLES_MAX]?.[1].name, rolesByPosition.length - ROLES_MAX)
    const before = this.#parts.get('role')?.size ?? 0
    const missingRoles = rolesByPosition.slice(0, ROLES_MAX).filter(([source]) => !this.#part('role', source))
    const roles = missingRoles.slice(0, ROLES_MAX - before).toReversed()
    if (roles.length === 0) return
    const remember = await this.write(async (sql) => {
      const rows = roles.map(([, { name, color }], at) => ({
        server_id: this.server_id,
        name: cleanOwnName(name, NAME_MAX, 'role'),
        color: /^#[0-9a-f]{6}$/i.test(color ?? '') ? (color ?? '').toLowerCase() : null,
        permissions: 0,
        position: before + at + 1,
      }))
      const createdRoles = await sql<{ id: number }[]>`insert into roles ${sql(rows)} returning id`
      return this.note(
        sql,
        'role',
        roles.map(([source], at) => ({ source, id: found(createdRoles[at], 'internal').id })),
      )
    })
    remember()
  }

  /** Creates categories, then channels, then threads, whose parents are channels. */
  async makeChannels(report: Report): Promise<void> {
    const channels = [...this.survey.channels.values()].toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
    const places = channels.filter((channel) => !isThread(channel))
    const threads = channels.filter((channel) => isThread(channel))
    // A channel with messages in the export is not a category, even if another file says so.
    const categories = new Map(places.map(({ categoryId, category }) => [categoryId ?? '', category ?? '']))
    for (const id of ['', ...channels.map((channel) => channel.id)]) categories.delete(id)
    for (const [id, name] of categories) await this.#make(id, name, { type: 'category' })
    for (const place of places) {
      const type = isStage(place) ? 'stage' : isVoice(place) ? 'voice' : 'text'
      const parent = categories.has(place.categoryId ?? '') ? place.categoryId : null
      await this.#make(place.id, place.name, { type, parent, topic: place.topic })
    }
    const threadIds = new Set(threads.map((thread) => thread.id))
    for (const thread of threads) {
      const { id, name, categoryId, category } = thread
      if (isPrivate(thread)) {
        report.note('private', cleanName(name, NAME_MAX, 'thread'))
        const parent = this.survey.channels.get(categoryId ?? '')?.categoryId
        const isKnown = categories.has(parent ?? '')
        await this.#make(id, name, { type: 'text', parent: isKnown ? parent : null, isHidden: true })
        continue
      }
      const hasParent = categoryId && !categories.has(categoryId) && !threadIds.has(categoryId)
      // The export has only the name of a forum. A channel that was not exported becomes one too.
      const isPost = hasParent ? !this.survey.channels.has(categoryId) : false
      if (isPost && categoryId) await this.#make(categoryId, category ?? '', { type: 'forum' })
      await this.#make(id, name, hasParent ? { type: 'thread', parent: categoryId, isPost } : { type: 'text' })
    }
  }

  async #make(source: string, name: string, draft: ChannelDraft): Promise<void> {
    if (this.#part('channel', source)) return
    const parent_id = draft.parent ? (this.#part('channel', draft.parent)?.id ?? null) : null
    const { server_id, owner_id } = this
    const remember = await this.write(async (sql) => {
      const id = await makeChannel(sql, { server_id, owner_id, parent_id }, { ...draft, source, name })
      return this.note(sql, 'channel', [{ source, id }])
    })
    remember()
  }
}

interface ChannelDraft {
  type: 'text' | 'voice' | 'stage' | 'forum' | 'category' | 'thread'
  /** True for a thread of a forum. */
  isPost?: boolean
  parent?: string | null | undefined
  topic?: string | null | undefined
  /** True if only the owner and administrators see it. */
  isHidden?: boolean
}

/** Creates the server, still without members. */
async function beginImport(sql: Transaction, { guild }: Survey, owner_id: number): Promise<BegunImport> {
  const name = cleanOwnName(guild.name, NAME_MAX, 'Imported')
  const [server] = await sql<{ id: number }[]>`
    insert into servers (name, owner_id, created_at) values (${name}, ${owner_id}, now()) returning id`
  const { id: server_id } = found(server, 'internal')
  await sql`insert into roles (server_id, name, permissions, position, is_everyone)
    values (${server_id}, 'everyone', ${EVERYONE_PERMISSIONS}, 0, true)`
  const [row] = await sql<{ id: number }[]>`
    insert into imports (server_id, source) values (${server_id}, ${guild.id}) returning id`
  return { ...found(row, 'internal'), server_id, owner_id, finished_at: null }
}

async function makeChannel(
  sql: Transaction,
  { server_id, owner_id, parent_id }: { server_id: number; owner_id: number; parent_id: number | null },
  { source, name, type, topic, isHidden, isPost = false }: ChannelDraft & { source: string; name: string },
): Promise<number> {
  const cleanedName = cleanName(name, NAME_MAX, type)
  const isNamed = type !== 'category' && type !== 'thread'
  const siblings = await sql<{ name: string }[]>`
    select name from channels where server_id = ${server_id} and parent_id is not distinct from ${parent_id}
      and type in ('text', 'voice', 'forum', 'stage')`
  const row = {
    server_id,
    parent_id,
    type,
    name: isNamed
      ? freeName(cleanedName, new Set(siblings.map((sibling) => sibling.name)), NAME_MAX, '-')
      : cleanedName,
    topic: clip(cleanText(topic ?? ''), TOPIC_MAX),
    created_at: new Date(creationTime(source)).toISOString(),
  }
  const isOfGroup = type === 'category' ? sql`type = 'category'` : sql`type in ('text', 'voice', 'forum', 'stage')`
  const position =
    type === 'thread'
      ? sql`0`
      : sql`(select count(*) from channels where server_id = ${server_id}
    and parent_id is not distinct from ${parent_id} and ${isOfGroup})`
  const [channel] = await sql<{ id: number }[]>`insert into channels
    (server_id, parent_id, type, name, topic, created_at, position, owner_id, archive_after_seconds, active_at,
      archived_at, tag_ids, pinned, votes, hidden, tags, tag_required, guidelines, default_sort, layout,
      post_slowmode_seconds)
    select ${server_id}, ${parent_id}, ${type}, ${row.name}, ${row.topic}, made_at, ${position},
      ${type === 'thread' ? owner_id : null}::bigint,
      ${type === 'thread' || type === 'forum' ? ARCHIVE_AFTER_SECONDS : null}::int,
      case when ${type === 'thread'}::boolean then made_at end,
      case when ${type === 'thread'}::boolean then made_at end,
      ${isPost ? sql`'{}', false, 0, false` : sql`null, null, null, null`},
      ${type === 'forum' ? sql`'[]', false, '', 'latest', 'list', 0` : sql`null, null, null, null, null, null`}
    from (select ${row.created_at}::timestamptz as made_at) made returning id`
  const { id } = found(channel, 'internal')
  if (isHidden) {
    await sql`insert into overwrites (channel_id, role_id, allow, deny)
      select ${id}, r.id, 0, ${bitOf('view_channel')} from roles r where r.server_id = ${server_id} and r.is_everyone`
    await sql`select count(*) from refresh_restricted(${server_id})`
  }
  return id
}
