import { columns, type Sql } from '../database/database.ts'
import { found } from '../core/errors.ts'
import type { Environment } from '../environment.ts'
import { User } from '../features/accounts/model.ts'
import { type Channel, channelOf } from '../features/access/model.ts'
import { choiceJson } from '../features/status/choose.ts'
import { type Choice, ownStatus } from '../features/status/shown.ts'
import { followedThreads } from '../features/threads/follow.ts'
import { type Access, channelIn } from './access.ts'
import type { Backlog } from './backlog.ts'
import { CONVERSATIONS_MAX, HEARTBEAT_MS, Ready, REMINDERS_MAX } from './model.ts'
import type { Presence } from './presence.ts'
import { PresenceLists } from './presence-lists.ts'
import { LazyServers } from './lazy-servers.ts'
import type { MarkReading } from './mark-cache.ts'
import { OwnPlaces, type Placed, type ReadyStart } from './own-places.ts'
import { askAll, type OwnMarks } from './read-marks.ts'
import { eventsSince, marksAt } from './replay.ts'
import { accessOf, type Loaded, type Membership } from './server-views.ts'
import { ownOverwrites, snapshotsOf } from './snapshots.ts'
import { type Socket, type SocketData, subscribe } from './socket.ts'

/** The start of a connection: `ready`, then the backlog. */
export interface Handshake extends Backlog {
  /** The fields of `ready`, each as JSON. */
  ready: Omit<
    Record<keyof Ready, string>,
    'session' | 'status' | 'retention' | 'server_time' | 'voice_states' | 'audiences' | keyof Placed
  >
  places: ReadyStart
  /** The account's dms and groups with a call. */
  call_ids: number[]
  /** The status that the account chose. */
  choice: Choice | undefined
}

/** The part of `ready` about the account itself. Lists are JSON arrays without the brackets. */
interface Account extends Omit<OwnMarks, 'threads' | 'marks'> {
  user: Ready['user']
  conversations: string
  relations: string
  notifications: string
  reminders: string
  unsent_ids: number[]
  ringing: string
  call_ids: number[]
  unread_warnings: number
  friend_ids: number[]
  choice: Choice | null
}

type AccountRow = Ready['user'] & Omit<Account, 'user' | 'user_id'> & { session_id: number }

/** The accounts of these sessions, by session id. Ended sessions are left out. */
async function loadAccounts(sql: Sql, sessionIds: number[]): Promise<Map<number, Account>> {
  // Lists arrive as text, because thousands of row objects per socket would burden the garbage collector. The number
  // of accounts is hidden from the planner, which would plan anew for each number.
  const rows = await sql<AccountRow[]>`
    select s.id as session_id, ${columns(sql, User, 'u')}, people.*, talks.conversations, talks.groups,
      ${choiceJson(sql, 'u')} as choice,
      (select coalesce(string_agg(row_to_json(setting)::text, ','), '') from (
        select server_id, channel_id, level, iso(muted_until) as muted_until, suppress_everyone, listed
        from notification_settings where user_id = u.id) setting) as notifications,
      (select coalesce(string_agg(row_to_json(reminder)::text, ','), '') from (
        select saved.message_id, m.channel_id, c.server_id from saved_messages saved
        join messages m on m.id = saved.message_id join channels c on c.id = m.channel_id
        cross join lateral channel_access(c.id, u.id) ca
        where saved.user_id = u.id and saved.remind_at <= now()
          and can_view(ca.permissions) and holds(ca.permissions, 'read_history')
        order by saved.remind_at limit ${REMINDERS_MAX}) reminder) as reminders,
      array(select id from scheduled_messages where author_id = u.id and state <> 'waiting' order by id) as unsent_ids,
      (select coalesce(string_agg(row_to_json(call)::text, ','), '') from (
        select r.channel_id, c.started_by as by, iso(r.until) as until, r.silent
        from call_rings r join calls c using (channel_id) where r.user_id = u.id and r.until > now()) call) as ringing,
      array(select p.channel_id from calls c join participants p using (channel_id)
        where p.user_id = u.id and p.is_open and c.ended_at is null) as call_ids,
      (select count(*) from cases where user_id = u.id and kind = 'warning' and read_at is null) as unread_warnings,
      talks.unread_dms || array(select channel_id from read_marks where user_id = u.id and moved_back) as dms
    from unnest((select ${sessionIds}::bigint[])) as asked (id)
    cross join lateral (select id, user_id from sessions where id = asked.id offset 0) s
    cross join lateral (select * from users where id = s.user_id offset 0) u
    cross join lateral (
      select array_agg(other_id) filter (where state = 'friends') as friend_ids,
        array_agg(other_id) filter (where blocks) as blocked_ids,
        string_agg('{"user_id":' || other_id || ',"state":"' || state || '","since":"' || iso(since) || '"}', ','
          order by other_id) filter (where state <> 'none') as relations
      from relations_of where user_id = u.id
    ) people
    cross join lateral (
      select string_agg('{"channel_id":' || channel_id || ',"user_id":' || coalesce(other_id::text, 'null')
          || ',"last_message_id":' || coalesce(last_message_id::text, 'null')
          || ',"unread_count":' || coalesce(unread_count::text, 'null')
          || ',"request":' || coalesce('"' || request || '"', 'null') || '}', ',') as conversations,
        array_agg(channel_id) filter (where unread_count > 0) as unread_dms,
        array_agg(array[channel_id, last_message_id]) filter (where other_id is null and last_message_id > 0) as groups
      from conversations_of(u.id, ${CONVERSATIONS_MAX})
    ) talks`
  return new Map(
    rows.map(({ session_id, conversations, relations, notifications, reminders, ...rest }) => {
      const { ringing, unsent_ids, call_ids, unread_warnings, friend_ids, choice, ...row } = rest
      const { blocked_ids, groups, dms, ...user } = row
      const ownLists = { blocked_ids: blocked_ids ?? [], groups: (groups ?? []).flat(), dms: dms ?? [] }
      const own = { notifications, reminders, unsent_ids, ringing, call_ids, unread_warnings, choice }
      const lists = { conversations: conversations ?? '', relations: relations ?? '', ...own }
      return [session_id, { user, user_id: user.id, friend_ids: friend_ids ?? [], ...lists, ...ownLists }]
    }),
  )
}

/** The other participants of the dms and groups of accounts, by account. */
async function companyOf(sql: Sql, userIds: number[]): Promise<Map<number, number[]>> {
  if (userIds.length === 0) return new Map()
  const rows = await sql<{ user_id: number; others: number[] }[]>`
    select own.user_id, json_agg(distinct other.user_id) as others from participants own
    join participants other on other.channel_id = own.channel_id and other.user_id <> own.user_id
    where own.user_id = any(${userIds}) and own.is_open and other.is_open group by own.user_id`
  return new Map(rows.map(({ user_id, others }) => [user_id, others]))
}

/** Lists the presences of several accounts' friends and of the members of their servers, except offline ones. */
class Presences {
  readonly #lists: PresenceLists
  /** Caches the positions of a server's members. */
  readonly #near = new Map<readonly number[], number[]>()

  constructor(textOf: (user_id: number) => string | undefined) {
    this.#lists = new PresenceLists(textOf)
  }

  /** JSON of the presences in `ready`. */
  of(memberships: Membership[], friend_ids: number[]): string {
    return this.#lists.list([
      this.#lists.placesOf(friend_ids),
      ...memberships.map(({ view }) => this.#nearPlaces(view.near)),
    ])
  }

  #nearPlaces(near: readonly number[]): number[] {
    const knownPlaces = this.#near.get(near)
    if (knownPlaces) return knownPlaces
    const places = this.#lists.placesOf(near)
    this.#near.set(near, places)
    return places
  }
}

/** The threads whose parent channel the account can see. */
function visibleAmong(threads: (Channel & { follower_id: number })[] = [], { servers }: Access): Channel[] {
  if (threads.length === 0) return []
  const serverById = new Map(servers.map((server) => [server.id, server]))
  const isVisible = ({ server_id, parent_id }: Channel) => {
    const server = serverById.get(server_id ?? 0)
    return server !== undefined && channelIn(server, parent_id ?? 0) !== undefined
  }
  return threads.filter(isVisible).map((thread) => channelOf(thread))
}

/**
 * Reads the handshakes of several sockets. A client starts fresh if it cannot resume from its `s` or missed too much.
 * @param sql all reads must see the same snapshot of the database
 * @param load reads memberships in that snapshot
 * @param reading of read marks, begun before the snapshot
 * @param windowS how long events can be resumed from, in seconds
 * @returns in the sockets' order; undefined for a socket whose session has ended
 */
export async function loadHandshakes(
  sql: Sql,
  load: (userIds: number[]) => Promise<Loaded>,
  reading: MarkReading,
  sockets: Pick<SocketData, 'user_id' | 'session_id' | 'resumeS' | 'servers'>[],
  windowS: number,
  presence: Pick<Presence, 'statusOf' | 'textOf' | 'know'>,
): Promise<(Handshake | undefined)[]> {
  const userIds = sockets.map(({ user_id }) => user_id)
  const [{ mark, memberships }, accounts, threads, moved, marks] = await Promise.all([
    load(userIds),
    loadAccounts(
      sql,
      sockets.map(({ session_id }) => session_id),
    ),
    followedThreads(sql, [...new Set(userIds)]),
    reading.moved(sql, userIds),
    marksAt(
      sql,
      sockets.flatMap(({ resumeS }) => resumeS ?? []),
      windowS,
    ),
  ])
  // From here on others see those of them that are not invisible.
  for (const { user_id, choice } of accounts.values()) presence.know(user_id, choice ?? undefined)
  const accesses = sockets.map(({ user_id }) => accessOf(user_id, memberships.get(user_id) ?? []))
  const resuming = sockets.flatMap(({ resumeS }, at) => {
    const [since, access] = [resumeS === undefined ? undefined : marks.get(resumeS), accesses[at]]
    return since && access ? { mark: since, access } : []
  })
  const replays = await eventsSince(sql, resuming)
  const missedBy = new Map(resuming.map(({ access }, at) => [access, replays[at]]))
  const threadsByFollower = Map.groupBy(threads, (thread) => thread.follower_id)
  const visible = new Map(
    accesses.map((access) => [access.user_id, visibleAmong(threadsByFollower.get(access.user_id), access)]),
  )
  const threadsOf = (user_id: number) => visible.get(user_id) ?? []
  const presences = new Presences(presence.textOf)
  const knownAccounts = [...accounts.values()]
  const owners = knownAccounts.map(({ user_id }) => ({
    user_id,
    memberships: memberships.get(user_id) ?? [],
    threads: threadsByFollower.get(user_id) ?? [],
  }))
  const lists = await reading.load(sql, mark, owners, moved)
  const ownPlaces = knownAccounts.map((account, at) => {
    const own = { ...account, marks: found(lists.get(account.user_id)), threads: threadsOf(account.user_id) }
    return new OwnPlaces(own, found(owners[at]).memberships, account.notifications, reading.keeper)
  })
  const answers = await askAll(
    sql,
    ownPlaces.map(({ questions }) => questions),
  )
  for (const [at, places] of ownPlaces.entries()) places.settle(found(answers[at]))
  const companies = await companyOf(
    sql,
    sockets.flatMap(({ user_id, servers }) => (servers ? [user_id] : [])),
  )
  const placesOf = new Map(knownAccounts.map((account, at) => [account, ownPlaces[at]]))
  return accesses.map((access, at): Handshake | undefined => {
    const account = accounts.get(sockets[at]?.session_id ?? 0)
    if (!account) return undefined
    const accountMemberships = memberships.get(access.user_id) ?? []
    const missed = missedBy.get(access)
    const places = found(placesOf.get(account))
    const threads = threadsOf(access.user_id)
    const choice = sockets[at]?.servers
    const company = companies.get(access.user_id)?.filter((id) => presence.textOf(id) !== undefined)
    const toOpen = choice && places.toOpen(choice, missed !== undefined)
    const lazy = toOpen && new LazyServers(toOpen, accountMemberships, threads)
    const opened = lazy?.open ?? accountMemberships
    return {
      access,
      mark,
      missed: missed ?? [],
      snapshots: missed ? [] : snapshotsOf(opened, presence.statusOf(access.user_id)),
      ready: {
        user: JSON.stringify(account.user),
        conversations: `[${account.conversations}]`,
        relations: `[${account.relations}]`,
        presences: presences.of(opened, [...account.friend_ids, ...(lazy?.near(company) ?? [])]),
        notifications: `[${account.notifications}]`,
        reminders: `[${account.reminders}]`,
        unsent: JSON.stringify(account.unsent_ids),
        threads: JSON.stringify(lazy ? threads.filter(({ server_id }) => lazy.isOpen(server_id)) : threads),
        ringing: `[${account.ringing}]`,
        own_overwrites: JSON.stringify(opened.flatMap(ownOverwrites)),
        unread_warnings: String(account.unread_warnings),
        resumed: String(missed !== undefined),
      },
      places: places.start(choice, missed !== undefined, lazy),
      call_ids: account.call_ids,
      choice: account.choice ?? undefined,
    }
  })
}

const FIELDS = Ready.keyof().exclude(['servers', 'read_marks']).options

/** The members of calls, who are not in the database. */
export interface CallStates {
  /** The members present in these voice channels, as an account learns of them. */
  voiceStates(channelIds: number[], userId: number): Ready['voice_states']
  /** The numbers of listeners of the stages among these channels. */
  audiences(channelIds: number[]): Ready['audiences']
}

/**
 * Subscribes the socket and sends `ready`, synchronously: from here on the socket receives published events.
 * @param topics the topics of its access
 * @param choice the status to go by, which may be newer than the handshake
 * @param environment partly repeated to the client
 * @param voice who is present in the account's channels
 */
export function goLive(
  socket: Socket,
  { access, ready, places, call_ids }: Handshake,
  choice: Choice | undefined,
  topics: Iterable<string>,
  environment: Environment,
  voice: CallStates,
): void {
  for (const name of topics) subscribe(socket, name)
  socket.data.state = 'live'
  socket.data.servers = undefined
  const voiceIds = access.servers.flatMap((server) => server.voiceIds)
  const visibleStates = voice.voiceStates([...voiceIds, ...call_ids], socket.data.user_id)
  if (socket.takeReady)
    return socket.takeReady({
      userText: ready.user,
      serverIds: access.servers.map(({ id }) => id),
      voiceStates: visibleStates,
    })
  const session = { id: socket.data.session_id, heartbeat_ms: HEARTBEAT_MS, resume_window_s: environment.RESUME_WINDOW }
  const retention = {
    message_days: environment.MESSAGE_RETENTION_DAYS ?? null,
    file_days: environment.FILE_RETENTION_DAYS ?? null,
    file_bytes_min: environment.FILE_RETENTION_BYTES_MIN,
  }
  const fields: Record<Exclude<keyof Ready, keyof Placed>, string> = {
    session: JSON.stringify(session),
    ...ready,
    status: JSON.stringify(ownStatus(choice)),
    retention: JSON.stringify(retention),
    voice_states: JSON.stringify(visibleStates),
    audiences: JSON.stringify(voice.audiences(voiceIds)),
    server_time: JSON.stringify(new Date().toISOString()),
  }
  let end = ''
  for (const name of FIELDS) end += `,"${name}":${fields[name]}`
  socket.send(places.frame(`${end}}}`, socket.data.variant.isCompressed))
}
