import type { Database } from '../../database/database.ts'
import type { Channel, Server } from '../../features/access/model.ts'
import type { CustomEmoji } from '../../features/emoji/model.ts'
import { selectMembers } from '../../features/members/membership.ts'
import type { Role } from '../../features/roles/model.ts'
import type { Sticker } from '../../features/stickers/model.ts'
import type { ServerTexts } from '../../gateway/snapshots.ts'
import type { Facts } from '../facts.ts'
import type { Lookup } from '../lookup.ts'
import { type ChannelPayload, channelOf, guildOf, memberOverwritesOf } from '../shapes/guilds.ts'
import { stageInstanceOf } from '../shapes/stages.ts'
import { memberOf } from '../shapes/users.ts'

/** Members of a server that is listed whole: the greatest threshold that a bot may name. */
const MEMBERS_MAX = 250
/**
 * A translation is used for so long, in case something changes without an event. It ends with the server's texts, which
 * every change of the server renews.
 */
const SECONDS_MAX = 60
/** Approximate size of an object in a list. */
const OBJECT_BYTES = 64

/** A channel as JSON if it is the same for all bots that see it. */
type ChannelText = string | OverwrittenChannel

/** A channel with overwrites for members, of which bots see different ones. */
interface OverwrittenChannel {
  /** JSON up to the overwrites for members, which come last. */
  start: string
  overwrites: { user_id: number; text: string }[]
  /** The bots that may list all of them; read by the same statement. */
  managerIds: ReadonlySet<number>
}

/** The members of a server that is listed whole. */
interface MemberTexts {
  ids: number[]
  /** JSON, joined by commas. */
  text: string
}

/** The part of a translation that needs no further reading. */
interface Lists {
  /** The server's snowflake. */
  guild: string
  server: Pick<Server, 'id' | 'member_count'>
  /** The server's own fields, without the last brace. */
  fields: string
  channels: ReadonlyMap<number, ChannelText>
  /** The running stages. */
  stages: { channel_id: number; row: object }[]
  /** True if the calendar has events, of which each bot sees those of its channels. */
  hasDates: boolean
  /** True if the server has threads. They are not shared: their changes are announced a second later. */
  hasThreads: boolean
  /** True if the server has sounds. They are not shared, because nothing announces their changes. */
  hasSounds: boolean
}

/** A server as Discord describes it, for all bots, as JSON. What one bot sees is picked from it: see guildCreate. */
export class GuildText {
  #members: Promise<MemberTexts> | undefined

  constructor(
    readonly lists: Lists,
    private readonly readMembers: () => Promise<MemberTexts>,
  ) {}

  /** The members, read when the first bot needs them. */
  members(): Promise<MemberTexts> {
    this.#members ??= this.readMembers().catch((error: unknown) => {
      this.#members = undefined
      throw error
    })
    return this.#members
  }
}

interface Entry {
  text: Promise<GuildText>
  atMs: number
  /** Counted so far. */
  bytes: number
}

/**
 * Translates servers, each once for all bots that get it until it changes. The gateway keeps the texts of a server
 * until then, and a translation is kept as long as they are; its bytes are counted with theirs. So nothing has to be
 * invalidated here, and what the translation reads besides the texts is at least as new.
 */
export class GuildTexts {
  readonly #entries = new WeakMap<ServerTexts, Entry>()

  /** @param charge counts bytes that are kept for as long as the texts are */
  constructor(
    private readonly sql: Database,
    private readonly facts: Facts,
    private readonly charge: (texts: ServerTexts, bytes: number) => void,
  ) {}

  of(texts: ServerTexts): Promise<GuildText> {
    const before = this.#entries.get(texts)
    const now = performance.now()
    if (before && now - before.atMs < SECONDS_MAX * 1000) return before.text
    const count = (bytes: number) => this.#count(texts, entry, bytes)
    const entry: Entry = { text: this.#translate(texts, count), atMs: now, bytes: 0 }
    this.#entries.set(texts, entry)
    // The earlier one is dropped.
    if (before) this.charge(texts, -before.bytes)
    entry.text.catch(() => this.#drop(texts, entry))
    return entry.text
  }

  #drop(texts: ServerTexts, entry: Entry): void {
    if (this.#entries.get(texts) !== entry) return
    this.#entries.delete(texts)
    this.charge(texts, -entry.bytes)
  }

  #count(texts: ServerTexts, entry: Entry, bytes: number): void {
    if (this.#entries.get(texts) !== entry) return
    entry.bytes += bytes
    this.charge(texts, bytes)
  }

  async #translate(texts: ServerTexts, count: (bytes: number) => void): Promise<GuildText> {
    const lists = await this.#listsOf(texts)
    count(bytesOfLists(lists))
    // A function apart from the one that has read the rows: a closure keeps all that its neighbours use.
    return new GuildText(lists, () => this.#membersOf(texts.id, count))
  }

  async #listsOf(texts: ServerTexts): Promise<Lists> {
    const { sql, facts } = this
    const server = serverIn(texts)
    const [roles, emoji, stickers] = [
      rowsIn<Role>(texts.roles),
      rowsIn<CustomEmoji>(texts.emoji),
      rowsIn<Sticker>(texts.stickers),
    ]
    // The members' roles are among them.
    for (const { id, is_everyone, created_at } of roles) if (!is_everyone) facts.know('role', id, created_at)
    const channels = rowsIn<Channel>(texts.channels.map(({ text }) => text))
    const [more] = await sql<[Pick<Lists, 'hasDates' | 'hasThreads' | 'hasSounds'>]>`
      select exists (select from channels where server_id = ${server.id} and type = 'thread') as "hasThreads",
        exists (select from sounds where server_id = ${server.id}) as "hasSounds",
        exists (select from calendar_events where server_id = ${server.id} and cancelled_at is null) as "hasDates"`
    const translated = await facts.resolve((of) => ({
      guild: guildOf(of, server, roles, emoji, stickers),
      channels: channels.map((channel) => [channel.id, channelText(of, channel)] as const),
      stages: channels.flatMap(({ id: channel_id, stage }) => {
        if (!stage) return []
        return { channel_id, row: stageInstanceOf(of, { ...stage, channel_id, server_id: server.id }) }
      }),
    }))
    return {
      guild: translated.guild.id,
      server: { id: server.id, member_count: server.member_count },
      fields: JSON.stringify(translated.guild).slice(0, -1),
      channels: new Map(translated.channels),
      stages: translated.stages,
      ...more,
    }
  }

  async #membersOf(serverId: number, count: (bytes: number) => void): Promise<MemberTexts> {
    const { sql, facts } = this
    const rows = await selectMembers(sql, sql`m.server_id = ${serverId} order by m.user_id limit ${MEMBERS_MAX}`)
    const members = await facts.resolve((of) => rows.map(({ user, ...member }) => memberOf(of, user, member)))
    const text = JSON.stringify(members).slice(1, -1)
    count(bytesOf(text) + rows.length * 8)
    return { ids: rows.map(({ user }) => user.id), text }
  }
}

/** A single character outside of Latin-1 makes a whole text use two bytes for each. */
const bytesOf = (text: string): number => OBJECT_BYTES + text.length * (/[^\0-\xff]/.test(text) ? 2 : 1)

function bytesOfLists({ fields, channels }: Lists): number {
  const ofChannels = [...channels.values()].flatMap((channel) => textsOf(channel))
  const all = [fields, ...ofChannels]
  return all.reduce((sum, text) => sum + bytesOf(text), 0)
}

const serverIn = ({ head }: ServerTexts): Server => JSON.parse(`${head}}}`).d.server
const rowsIn = <T>(texts: string[]): T[] => JSON.parse(`[${texts.join(',')}]`)

const textsOf = (channel: ChannelText): string[] =>
  typeof channel === 'string' ? [channel] : [channel.start, ...channel.overwrites.map(({ text }) => text)]

function channelText(of: Lookup, channel: Channel): ChannelText {
  const payload: ChannelPayload = channelOf(of, channel)
  const { overwrites, manager_ids } = memberOverwritesOf(of, channel.id)
  if (overwrites.length === 0) return JSON.stringify(payload)
  const { permission_overwrites: ofRoles = [], ...fields } = payload
  return {
    start: JSON.stringify({ ...fields, permission_overwrites: ofRoles }).slice(0, -2),
    overwrites: overwrites.map(({ user_id, overwrite }) => ({ user_id, text: JSON.stringify(overwrite) })),
    managerIds: new Set(manager_ids),
  }
}

/** JSON of a channel as one bot sees it. */
export function channelTextFor(channel: ChannelText, botId: number): string {
  if (typeof channel === 'string') return channel
  const { start, overwrites, managerIds } = channel
  const rows = overwrites.filter(({ user_id }) => user_id === botId || managerIds.has(botId)).map(({ text }) => text)
  const comma = start.endsWith('[') || rows.length === 0 ? '' : ','
  return `${start}${comma}${rows.join(',')}]}`
}
