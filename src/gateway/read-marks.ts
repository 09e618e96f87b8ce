import { found } from '../core/errors.ts'
import type { Sql } from '../database/database.ts'
import type { Channel } from '../features/access/model.ts'
import type { Unread } from '../features/unread/model.ts'
import { NOBODY } from './channel-news.ts'
import { MarkList, type PackedMarks } from './mark-list.ts'
import type { MarkQuestions } from './place-keeper.ts'
import type { Membership } from './server-views.ts'

/** An account's read marks, and its possibly unread places outside of servers. */
export interface OwnMarks {
  user_id: number
  /** May include channels that no longer exist. */
  marks: PackedMarks
  blocked_ids: number[]
  /** Groups: alternating channel ids and newest message ids. */
  groups: number[]
  /** Threads that the account follows and can see. */
  threads: Pick<Channel, 'id' | 'server_id' | 'parent_id' | 'last_message_id'>[]
  /** Dms with unread messages, or marked unread. */
  dms: number[]
}

/** An account's reading of one server. */
export interface ServerMarks {
  server_id: number
  /** The newest message that the account has read there; before that, the newest one when it joined. */
  lastUse: number
  /** Unread channels and followed threads. */
  unread: Unread[]
}

/** Restricts marks to some servers, and to some channels. */
interface Shown {
  /** False for a server whose channels and followed threads are left out. */
  isOpen?: ((serverId: number) => boolean) | undefined
  /** False for a channel to leave out. */
  sees?: ((channelId: number) => boolean) | undefined
}

type UnreadRow = Unread & { user_id: number }

export interface MarkAnswers {
  /** Of the doubtful channels, by channel. */
  unread: ReadonlyMap<number, Unread> | undefined
  /** Channels whose marks are listed although no server claims them. */
  living: ReadonlySet<number>
}

/** A channel that its newest message does not decide, and the list that it joins if it is unread. */
interface Doubt {
  channel_id: number
  into: Unread[]
}

/** The read marks of an account, apart by server and by whether something is unread. */
export class Marks {
  readonly user_id: number
  /** In the order of the memberships. */
  readonly servers: ServerMarks[]
  /** Unread dms and groups. */
  readonly #elsewhere: Unread[] = []
  readonly #list: MarkList
  /** Until `settle`. */
  readonly #doubts: Doubt[] = []

  constructor({ user_id, marks, blocked_ids, groups, threads, dms }: OwnMarks, memberships: Membership[]) {
    this.user_id = user_id
    this.#list = new MarkList(marks)
    const blockedIds = new Set([user_id, ...blocked_ids, NOBODY])
    this.servers = memberships.map((membership, at) => this.#marksIn(membership, at, blockedIds))
    if (threads.length > 0) this.#addThreads(threads)
    for (let at = 0; at + 1 < groups.length; at += 2) {
      const [channel_id, newest_id] = [groups[at] ?? 0, groups[at + 1] ?? 0]
      if (newest_id > this.#list.claim(channel_id, MarkList.ELSEWHERE)) this.#doubt(channel_id, this.#elsewhere)
    }
    for (const channel_id of new Set(dms)) {
      this.#list.claim(channel_id, MarkList.ELSEWHERE)
      this.#doubt(channel_id, this.#elsewhere)
    }
  }

  /** Questions to answer before `settle`. */
  questions(): MarkQuestions {
    const doubtful = this.#doubts.map(({ channel_id }) => channel_id)
    return { user_id: this.user_id, doubtful, unclaimed: this.#list.unclaimed() }
  }

  /** Ends the search. */
  settle({ unread: answers, living }: MarkAnswers): this {
    for (const { channel_id, into } of this.#doubts.splice(0)) {
      const unread = answers?.get(channel_id)
      if (unread?.newest_id) into.push(unread)
    }
    this.#list.keepUnclaimed(living)
    for (const { unread } of this.servers) for (const { channel_id } of unread) this.#list.drop(channel_id)
    for (const { channel_id } of this.#elsewhere) this.#list.drop(channel_id)
    return this
  }

  /** The marks as JSON. */
  text({ isOpen, sees }: Shown = {}): string {
    const isShown = isOpen && this.servers.map(({ server_id }) => isOpen(server_id))
    const texts: string[] = []
    const add = (unread: Unread[]) => {
      for (const mark of unread) if (!sees || sees(mark.channel_id)) texts.push(unreadText(mark))
    }
    add(this.#elsewhere)
    for (const [at, { unread }] of this.servers.entries()) if (!isShown || isShown[at]) add(unread)
    this.#list.each((channel_id, message_id, owner) => {
      if (isShown && owner >= 0 && !isShown[owner]) return
      if (!sees || sees(channel_id)) texts.push(`{"channel_id":${channel_id},"message_id":${message_id}}`)
    })
    return `[${texts.join(',')}]`
  }

  #doubt(channel_id: number, into: Unread[]): void {
    this.#doubts.push({ channel_id, into })
  }

  #marksIn({ member, view }: Membership, owner: number, blockedIds: ReadonlySet<number>): ServerMarks {
    const unread: Unread[] = []
    let lastUse = member.floor_id
    for (const { id, news } of view.channels) {
      const message_id = this.#list.claim(id, owner, member.floor_id)
      if (message_id > lastUse) lastUse = message_id
      if (!news || news.newest_id <= message_id) continue
      const { newest_id } = news
      if (news.mention_id > message_id || blockedIds.has(news.author_id)) this.#doubt(id, unread)
      else unread.push({ channel_id: id, message_id, newest_id, mention_count: 0 })
    }
    return { server_id: view.id, lastUse, unread }
  }

  #addThreads(threads: OwnMarks['threads']): void {
    const ownerOf = new Map(this.servers.map(({ server_id }, at) => [server_id, at]))
    for (const { id, server_id, last_message_id } of threads) {
      const owner = ownerOf.get(server_id ?? 0) ?? MarkList.ELSEWHERE
      const message_id = this.#list.claim(id, owner)
      if ((last_message_id ?? 0) > message_id) this.#doubt(id, this.servers[owner]?.unread ?? this.#elsewhere)
    }
  }
}

const unreadText = ({ channel_id, message_id, newest_id, mention_count }: Unread): string =>
  `{"channel_id":${channel_id},"message_id":${message_id},"newest_id":${newest_id},"mention_count":${mention_count}}`

/**
 * Finds what several accounts have read.
 * @param memberships of each account, in the same order
 */
export async function loadMarks(sql: Sql, accounts: OwnMarks[], memberships: Membership[][]): Promise<Marks[]> {
  const lists = accounts.map((account, at) => new Marks(account, memberships[at] ?? []))
  const answers = await askAll(
    sql,
    lists.map((marks) => marks.questions()),
  )
  return lists.map((marks, at) => marks.settle(found(answers[at])))
}

/**
 * Looks doubtful channels up with one statement for all accounts, and likewise unclaimed channels.
 * @returns in the same order
 */
export async function askAll(sql: Sql, questions: MarkQuestions[]): Promise<MarkAnswers[]> {
  const [unread, living] = await Promise.all([unreadOf(sql, questions), livingAmong(sql, questions)])
  return questions.map(({ user_id }) => ({ unread: unread.get(user_id), living }))
}

/** Looks doubtful channels up. @returns by account and channel; an account may have several lists */
async function unreadOf(sql: Sql, questions: MarkQuestions[]): Promise<Map<number, Map<number, Unread>>> {
  const places = questions.flatMap(({ user_id, doubtful }) => doubtful.map((channel_id) => ({ user_id, channel_id })))
  if (places.length === 0) return new Map()
  const rows: UnreadRow[] = await sql<UnreadRow[]>`
    select asked.user_id, u.* from (
      select user_id, array_agg(channel_id) as channel_ids
      from unnest(${places.map(({ user_id }) => user_id)}::bigint[],
        ${places.map(({ channel_id }) => channel_id)}::bigint[]) as place (user_id, channel_id) group by user_id) asked
    cross join lateral unread_of(asked.user_id, asked.channel_ids) u`
  const byAccount = Map.groupBy(rows, ({ user_id }) => user_id)
  const byChannel = (own: UnreadRow[]) => new Map(own.map((mark) => [mark.channel_id, mark]))
  return new Map([...byAccount].map(([user_id, own]) => [user_id, byChannel(own)]))
}

/**
 * Finds the unclaimed channels that exist and are not archived: channels that the account does not see now, threads
 * that it does not follow, dms and groups.
 */
async function livingAmong(sql: Sql, questions: MarkQuestions[]): Promise<Set<number>> {
  const ids = [...new Set(questions.flatMap(({ unclaimed }) => unclaimed))]
  if (ids.length === 0) return new Set()
  const rows = await sql<{ id: number }[]>`
    select c.id from unnest((select ${ids}::bigint[])) as asked (id)
    cross join lateral (select id, archived_at from channels where id = asked.id offset 0) c
    where c.archived_at is null`
  return new Set(rows.map(({ id }) => id))
}
