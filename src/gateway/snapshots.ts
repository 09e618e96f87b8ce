import { eventText } from '../core/events.ts'
import type { OwnMembership } from '../features/members/membership.ts'
import type { OwnOverwrite } from '../features/roles/model.ts'
import type { Status } from '../features/status/model.ts'
import type { Server } from '../features/access/model.ts'
import { COMPRESSED_BYTES_MIN, type Packed, packed, packedStart, withEnd } from './compression.ts'
import type { Snapshot } from './model.ts'
import { SNAPSHOT_BYTES_MAX } from './model.ts'

/** A server's snapshot for one account, encoded. `me` is the last field of each part. */
export interface ServerSnapshot {
  server_id: number
  me: string
  parts: PartList
  /** The same for a socket that makes frames of its own: the server's texts, and the channels that the account sees. */
  texts: ServerTexts
  channels: { id: number }[]
}

/** The parts of a snapshot, made when they are needed. */
interface PartList {
  all(): SnapshotPart[]
}

/** A server for all members, as JSON of each row: whoever reads it picks the channels that an account sees. */
export interface ServerTexts {
  id: number
  /** The text of a snapshot up to its field `permissions`. */
  head: string
  channels: { id: number; text: string }[]
  roles: string[]
  emoji: string[]
  stickers: string[]
}

/** A part of a snapshot, for everybody with the same view of the server. */
export class SnapshotPart {
  /** The part up to `me`, compressed once for all. */
  #start: Uint8Array | undefined

  /**
   * @param head the text up to the field `permissions`
   * @param tail the fields from there up to `me`
   */
  constructor(
    private readonly head: string,
    readonly tail: string,
  ) {}

  text(me: string): string {
    return `${this.head}${this.tail}${endOf(me)}`
  }

  /** The same, compressed. */
  packed(me: string): Packed {
    // A server without channels may be too small to compress.
    if (this.head.length + this.tail.length + me.length <= COMPRESSED_BYTES_MIN) return packed(this.text(me))
    this.#start ??= packedStart(this.head + this.tail)
    return withEnd(this.#start, endOf(me))
  }

  /** The text without the channels that are hidden. */
  textWithout(me: string, isHidden: (channelId: number) => boolean): string {
    const { channels, ...rest }: Pick<Snapshot, 'permissions' | 'channels'> = JSON.parse(`{${this.tail.slice(1)}}`)
    const shownFields = { ...rest, channels: channels.filter(({ id }) => !isHidden(id)) }
    return `${this.head},${JSON.stringify(shownFields).slice(1, -1)}${endOf(me)}`
  }
}

const endOf = (me: string): string => `,"me":${me}}}`

/** An account in a server, and the server as it sees it. */
interface ShownMember {
  member: OwnMembership
  view: { id: number; texts: ServerTexts; parts: PartList; channels: { id: number }[] }
}

/** Snapshots of the servers, for the account with these memberships. */
export const snapshotsOf = (memberships: ShownMember[], status: Status): ServerSnapshot[] =>
  memberships.map(({ member, view: { id, texts, parts, channels } }) => ({
    server_id: id,
    me: meText(member, status, channels),
    parts,
    texts,
    channels,
  }))

/** Space for `me` and part numbers: a member has at most 250 roles. */
const REST_BYTES = 16 * 1024
const bytesOf = (text: string): number => Buffer.byteLength(text) + 1

/** Joins texts by commas. The pieces are slices of the whole, which the engine stores as offsets. */
export function joinTexts(texts: string[]): { whole: string; pieces: string[] } {
  const whole = texts.join(',')
  let end = -1
  return { whole, pieces: texts.map(({ length }) => whole.slice(end + 1, (end += length + 1))) }
}

/**
 * The field `me` of a snapshot: JSON of a Member, followed by the field of its own overwrites if there are any.
 * @param channels those that the member sees: the others' overwrites are left out
 */
function meText(member: OwnMembership, status: Status, channels: { id: number }[]): string {
  if (member.overwrites.length === 0) return memberText(member, status)
  const own = ownOverwrites({ member, view: { channels } })
  return `${memberText(member, status)},"own_overwrites":${JSON.stringify(own)}`
}

/** The overwrites for a member in the channels that it sees. */
export function ownOverwrites({ member, view }: OverwrittenMember): OwnOverwrite[] {
  if (member.overwrites.length === 0) return member.overwrites
  const ids = new Set(view.channels.map(({ id }) => id))
  return member.overwrites.filter(({ channel_id }) => ids.has(channel_id))
}

interface OverwrittenMember {
  member: Pick<OwnMembership, 'overwrites'>
  view: { channels: { id: number }[] }
}

const memberText = (member: OwnMembership, status: Status): string =>
  `{"server_id":${member.server_id},"user":${member.user},"nickname":${JSON.stringify(member.nickname)},` +
  `"joined_at":"${new Date(member.joined_ms).toISOString()}",` +
  `"timed_out_until":${JSON.stringify(member.timed_out_until)},` +
  `"held_back":${JSON.stringify(member.held_back)},"held_until":${JSON.stringify(member.held_until)},` +
  `"rules_version":${member.rules_version},` +
  `"role_ids":[${member.role_ids.join(',')}],"status":"${status}"}`

/** The text of a snapshot up to its field `permissions`. */
export const snapshotHead = (server: Server): string =>
  eventText('server.snapshot', undefined, JSON.stringify({ server })).slice(0, -2)

/** The fields of a server that its list entry repeats, as JSON without braces. */
export const labelOf = ({ name, icon_file_id }: Pick<Server, 'name' | 'icon_file_id'>): string =>
  JSON.stringify({ name, icon_file_id }).slice(1, -1)

/**
 * The parts of a snapshot. Channels, roles, emoji and stickers beyond SNAPSHOT_BYTES_MAX are spread over
 * several parts.
 * @param channels JSON of each; likewise `roles`, `emoji` and `stickers`
 * @param allChannels JSON of all, joined by commas; used as it is if one part has them all
 */
export function snapshotParts(
  head: string,
  permissions: number,
  { channels, roles, emoji, stickers }: Record<'channels' | 'roles' | 'emoji' | 'stickers', string[]>,
  allChannels?: string,
): SnapshotPart[] {
  const bytesMax = SNAPSHOT_BYTES_MAX - REST_BYTES - bytesOf(head)
  const none: string[] = []
  const empty = () => ({ channels: [...none], roles: [...none], emoji: [...none], stickers: [...none] })
  let [current, bytesLeft] = [empty(), bytesMax]
  const parts = [current]
  const partFor = (row: string) => {
    const bytes = bytesOf(row)
    if (bytes > bytesLeft) {
      ;[current, bytesLeft] = [empty(), bytesMax]
      parts.push(current)
    }
    bytesLeft -= bytes
    return current
  }
  for (const channel of channels) partFor(channel).channels.push(channel)
  for (const role of roles) partFor(role).roles.push(role)
  for (const one of emoji) partFor(one).emoji.push(one)
  for (const one of stickers) partFor(one).stickers.push(one)
  const joinedRows = (part: string[]) => (part.length === channels.length && allChannels) || part.join(',')
  const stickersIn = (part: { stickers: string[] }) =>
    part.stickers.length === 0 ? '' : `"stickers":[${part.stickers.join(',')}],`
  return parts.map(
    (part, at) =>
      new SnapshotPart(
        head,
        `,"permissions":${permissions},"channels":[${joinedRows(part.channels)}],"roles":[${part.roles.join(',')}],` +
          `"emoji":[${part.emoji.join(',')}],${stickersIn(part)}"part":${at + 1},"parts":${parts.length}`,
      ),
  )
}

/**
 * One part of a snapshot as it goes out.
 * @param isHidden true for a channel to leave out; undefined keeps all
 */
export function snapshotFrame(
  part: SnapshotPart,
  me: string,
  isCompressed: boolean,
  isHidden: ((channelId: number) => boolean) | undefined,
): Packed {
  if (!isHidden) return isCompressed ? part.packed(me) : part.text(me)
  const text = part.textWithout(me, isHidden)
  return isCompressed ? packed(text) : text
}
