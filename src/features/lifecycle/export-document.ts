import { z } from 'zod'
import type { Sql } from '../../database/database.ts'
import type { Read } from '../../database/replicas.ts'
import { found, Problem } from '../../core/errors.ts'
import { Id, Time } from '../../core/schema.ts'
import { ApplicationMark } from '../applications/model.ts'
import { CalendarEvent, Feed } from '../calendar/model.ts'
import { Warning } from '../cases/model.ts'
import { DirectMessage } from '../dms/model.ts'
import { CustomEmoji } from '../emoji/model.ts'
import { Sound } from '../sounds/model.ts'
import { Sticker } from '../stickers/model.ts'
import { File } from '../files/model.ts'
import { OwnBan } from '../members/model.ts'
import { Relation } from '../friends/model.ts'
import { Invite } from '../invites/model.ts'
import { Message } from '../messages/model.ts'
import { isAlert } from '../messages/notice.ts'
import { NotificationSetting } from '../notifications/model.ts'
import { Identity } from '../oidc/model.ts'
import { Passkey } from '../passkeys/model.ts'
import { Profile } from '../profiles/model.ts'
import { PushSettings, PushSubscription } from '../push/model.ts'
import { SavedMark } from '../saved/model.ts'
import { Scheduled } from '../scheduled/model.ts'
import { LoggedDevice, Session } from '../sessions/model.ts'
import type { Me } from '../sessions/store.ts'
import { OwnStatus } from '../status/model.ts'
import { Mark } from '../unread/model.ts'
import { FullUser, Privacy } from '../accounts/model.ts'
import { selectAccount } from './export-account.ts'
import { deviceLogPage } from './export-device-log.ts'
import { SetTopic, stageTopicPage } from './export-stages.ts'

/** Rows in memory per page. */
const PAGE_ROWS = 100

const JoinedServer = z.object({
  id: Id,
  name: z.string(),
  is_owner: z.boolean(),
  nickname: z.string().nullable(),
  joined_at: Time,
  roles: z.array(z.object({ id: Id, name: z.string() })).describe('besides everyone'),
  rules_version: z.int().nullable().describe('of the rules that it has accepted'),
  choices: z.array(z.string()).describe('its answers to the questions for new members'),
  temporary: z.enum(['call', 'day']).nullable().describe('what it came for, if its membership ends by itself'),
})

const Group = z.object({ id: Id, name: z.string(), is_owner: z.boolean(), joined_at: Time })

const CreatedItem = z.object({ id: Id, channel_id: Id, name: z.string(), created_at: Time })

/** Everything that an account owns. */
export const Export = z
  .object({
    exported_at: Time,
    account: FullUser.extend({
      privacy: Privacy,
      push_settings: PushSettings.nullable().describe('how its devices are notified; null: nothing is set'),
      profile: Profile.omit({ user_id: true }).describe('its picture is at `banner_url`'),
      status: OwnStatus.nullable().describe('that it chose'),
      dnd_caller_ids: z.array(Id).describe('friends whose calls ring although it is not to be disturbed'),
      totp_since: Time.nullable().describe('since when an authenticator app is needed at login'),
    }),
    passkeys: z.array(Passkey),
    identities: z.array(Identity).describe('of single sign-on, that it is linked with'),
    sessions: z.array(Session),
    addresses: z.array(z.object({ ip: z.string(), last_seen_at: Time })).describe('from which it was logged in to'),
    devices: z.array(z.object({ device: z.string(), last_seen_at: Time })).describe('by browser and system'),
    device_log: z.array(LoggedDevice).describe('changes of its devices for encrypted calls, as far as they are kept'),
    servers: z.array(JoinedServer),
    groups: z.array(Group).describe('that it is in'),
    relations: z.array(Relation),
    messages: z
      .array(Message)
      .describe(
        'that it wrote in channels and groups; of a message that it forwarded at most the id, and no ' +
          '`thread`: those are of others',
      ),
    direct_messages: z.array(DirectMessage).describe('that it sent'),
    files: z.array(File).describe('get their bytes by POST /api/files/download-urls'),
    invites: z.array(Invite).describe('that it made'),
    reactions: z.array(z.object({ message_id: Id, emoji: z.string(), created_at: Time })).describe('that it made'),
    votes: z
      .array(z.object({ message_id: Id, answer_ids: z.array(z.int()).nullable() }))
      .describe('in polls; null in an anonymous one, where nothing says what the vote was for'),
    events: z
      .array(CalendarEvent.omit({ creator: true, signup: true, dates: true, image_file_id: true }))
      .describe('that it created'),
    event_signups: z.array(z.object({ event_id: Id, n: z.int(), status: z.string(), role: z.int().nullable() })),
    calendar_feeds: z.array(Feed).describe('without their addresses'),
    sounds: z.array(Sound).describe('that it added to servers; each file is at its `url`'),
    emoji: z.array(CustomEmoji).describe('that it made for servers; each picture is at its `url`'),
    stickers: z.array(Sticker).describe('that it made for servers; each picture is at its `url`'),
    favourites: z
      .array(z.object({ id: Id, source_id: Id, file_id: Id, created_at: Time }))
      .describe('pictures that it keeps; the copies are among its files'),
    webhooks: z
      .array(CreatedItem)
      .describe('that it made, or whose URL it renewed last; their files are among its own'),
    read_marks: z.array(Mark),
    push_subscriptions: z
      .array(PushSubscription.extend({ endpoint: z.string() }))
      .describe('its devices that get notices'),
    notifications: z.array(NotificationSetting).describe('what it has set for servers and channels'),
    saved: z
      .array(SavedMark.omit({ server_id: true, due: true }))
      .describe('messages that it has saved, with its notes'),
    scheduled: z.array(Scheduled).describe('messages that it has scheduled'),
    threads: z.array(z.object({ id: Id, name: z.string(), created_at: Time })).describe('that it began'),
    followed_threads: z.array(z.object({ channel_id: Id })),
    stage_topics: z.array(SetTopic).describe('that it gave to stages'),
    reports: z
      .array(
        z.object({ message_id: Id.nullable(), user_id: Id, reason: z.string(), note: z.string(), created_at: Time }),
      )
      .describe('that it made; `message_id` is null for one of a profile'),
    ignored_reporters: z.array(z.object({ server_id: Id, user_id: Id, until: Time })).describe('as a moderator'),
    warnings: z.array(Warning).describe('that it got'),
    bans: z.array(OwnBan).describe('from servers that it was in'),
    applications: z.array(ApplicationMark).describe('whose bots it has made'),
  })
  .meta({ title: 'Export' })

type Section = Exclude<keyof z.infer<typeof Export>, 'exported_at' | 'account'>

/** Reads one page of a section: rows above a key, ordered by the key, each as JSON. */
type Page = (sql: Sql, me: Me, after: string, limit: number) => PromiseLike<{ key: string; body: string }[]>

/**
 * The sections. Each statement selects rows by the account's id only. Other accounts appear as a PublicUser in a
 * relation and as an id elsewhere; the account may know every id.
 */
const sections: Record<Section, Page> = {
  sessions: (sql, { id, session_id }, after, limit) => sql`
    select s.id::text as key, json_build_object('id', s.id, 'created_at', iso(s.created_at),
      'last_used_at', iso(s.last_used_at), 'expires_at', iso(s.expires_at), 'user_agent', s.user_agent, 'ip', s.ip,
      'current', s.id = ${session_id}, 'device_key', encode(s.device_key, 'hex'))::text as body
    from sessions s where s.user_id = ${id} and s.id > ${after}::bigint order by s.id limit ${limit}`,
  passkeys: (sql, { id }, after, limit) => sql`
    select id::text as key, json_build_object('id', id, 'name', name, 'created_at', iso(created_at),
      'last_used_at', iso(last_used_at))::text as body
    from passkeys where user_id = ${id} and id > ${after}::bigint order by id limit ${limit}`,
  identities: (sql, { id }, after, limit) => sql`
    select id::text as key, json_build_object('id', id, 'issuer', issuer, 'subject', subject, 'name', name,
      'created_at', iso(created_at), 'last_used_at', iso(last_used_at))::text as body
    from identities where user_id = ${id} and id > ${after}::bigint order by id limit ${limit}`,
  addresses: (sql, { id }, after, limit) => sql`
    select ip as key, json_build_object('ip', ip, 'last_seen_at', iso(seen_at))::text as body
    from known_addresses where user_id = ${id} and ip > ${after} order by ip limit ${limit}`,
  devices: (sql, { id }, after, limit) => sql`
    select device as key, json_build_object('device', device, 'last_seen_at', iso(seen_at))::text as body
    from known_devices where user_id = ${id} and device > ${after} order by device limit ${limit}`,
  device_log: deviceLogPage,
  servers: (sql, { id }, after, limit) => sql`
    select s.id::text as key, json_build_object('id', s.id, 'name', s.name, 'is_owner', s.owner_id = m.user_id,
      'nickname', m.nickname, 'joined_at', iso(m.joined_at), 'roles', coalesce((
        select json_agg(json_build_object('id', r.id, 'name', r.name) order by r.position)
        from member_roles mr join roles r on r.id = mr.role_id
        where mr.server_id = m.server_id and mr.user_id = m.user_id), '[]'::json),
      'rules_version', m.rules_version, 'temporary', (select ends from temporary_members t
        where t.server_id = m.server_id and t.user_id = m.user_id), 'choices', coalesce((
        select json_agg(option ->> 'label' order by chosen.option_id)
        from chosen_options chosen join onboardings o using (server_id)
        cross join json_array_elements(o.questions) question
        cross join json_array_elements(question -> 'options') option
        where chosen.server_id = m.server_id and chosen.user_id = m.user_id
          and (option ->> 'id')::int = chosen.option_id), '[]'::json))::text as body
    from members m join servers s on s.id = m.server_id
    where m.user_id = ${id} and m.server_id > ${after}::bigint order by m.server_id limit ${limit}`,
  groups: (sql, { id }, after, limit) => sql`
    select c.id::text as key, json_build_object('id', c.id, 'name', c.name, 'is_owner', c.owner_id = p.user_id,
      'joined_at', iso(p.joined_at))::text as body
    from participants p join channels c on c.id = p.channel_id
    where p.user_id = ${id} and c.type = 'group' and c.id > ${after}::bigint order by c.id limit ${limit}`,
  relations: (sql, { id }, after, limit) => sql`
    select r.other_id::text as key,
      json_build_object('user', public_user(u), 'state', r.state, 'since', iso(r.since))::text as body
    from relations_of r join users u on u.id = r.other_id
    where r.user_id = ${id} and r.state <> 'none' and r.other_id > ${after}::bigint order by r.other_id limit ${limit}`,
  messages: (sql, { id }, after, limit) => sql`
    select m.id::text as key, case when m.forwarded_id is null and not m.began_thread then message_json(m)::text
      else (message_json(m)::jsonb || '{"thread":null}' || case when m.forwarded_id is null then '{}'
        else jsonb_build_object('forwarded', jsonb_build_object('channel_id', null, 'author', null, 'content', null,
          'message_id', forwarded_json(m, ${id}) -> 'message_id')) end)::text end as body
    from messages m where m.author_id = ${id} and m.recipient_id is null and m.id > ${after}::bigint
      and not ${isAlert(sql)}
    order by m.id limit ${limit}`,
  direct_messages: (sql, { id }, after, limit) => sql`
    select m.id::text as key, message_json(m)::text as body from messages m
    where m.author_id = ${id} and m.recipient_id is not null and m.id > ${after}::bigint order by m.id limit ${limit}`,
  files: (sql, { id }, after, limit) => sql`
    select f.id::text as key, file_json(f)::text as body from files f
    where f.uploader_id = ${id} and f.id > ${after}::bigint and (f.copied_from is null or copy_stands(f))
    order by f.id limit ${limit}`,
  invites: (sql, { id }, after, limit) => sql`
    select i.id::text as key, json_build_object('id', i.id, 'code', i.code, 'server_id', i.server_id,
      'creator_id', i.creator_id, 'expires_at', iso(i.expires_at), 'max_uses', i.max_uses, 'uses', i.uses,
      'role_id', i.role_id, 'temporary', i.temporary, 'guest', i.guest,
      'created_at', iso(i.created_at))::text as body
    from invites i where i.creator_id = ${id} and i.deleted_at is null and i.id > ${after}::bigint
    order by i.id limit ${limit}`,
  reactions: (sql, { id }, after, limit) => sql`
    select mr.message_id || ' ' || mr.emoji as key, json_build_object('message_id', mr.message_id, 'emoji', mr.emoji,
      'created_at', iso(mr.created_at))::text as body
    from message_reactions mr where mr.user_id = ${id} and (mr.message_id, mr.emoji) > (
      split_part(${after}, ' ', 1)::bigint, split_part(${after}, ' ', 2) collate "C")
    order by mr.message_id, mr.emoji limit ${limit}`,
  votes: (sql, { id }, after, limit) => sql`
    select v.message_id::text as key, json_build_object('message_id', v.message_id, 'answer_ids',
      case when not p.anonymous then json_agg(v.answer_id order by v.answer_id) end)::text as body
    from poll_votes v join polls p using (message_id) where v.user_id = ${id} and v.message_id > ${after}::bigint
    group by v.message_id, p.anonymous order by v.message_id limit ${limit}`,
  events: (sql, { id }, after, limit) => sql`
    select e.id::text as key, json_build_object('id', e.id, 'server_id', e.server_id, 'title', e.title,
      'description', e.description, 'starts_at', iso(e.starts_at), 'ends_at', iso(e.ends_at), 'time_zone', e.time_zone,
      'recurrence', e.recurrence, 'place', json_strip_nulls(json_build_object('channel_id', e.channel_id,
      'text', e.place_text, 'url', e.place_url)), 'sequence', e.sequence)::text as body
    from calendar_events e where e.creator_id = ${id} and e.id > ${after}::bigint order by e.id limit ${limit}`,
  event_signups: (sql, { id }, after, limit) => sql`
    select event_id || ' ' || n as key,
      json_build_object('event_id', event_id, 'n', n, 'status', status, 'role', role)::text as body
    from event_signups where user_id = ${id} and (event_id, n) > (
      split_part(${after}, ' ', 1)::bigint, coalesce(nullif(split_part(${after}, ' ', 2), ''), '-1')::int)
    order by event_id, n limit ${limit}`,
  calendar_feeds: (sql, { id }, after, limit) => sql`
    select f.id::text as key,
      json_build_object('id', f.id, 'server_id', f.server_id, 'created_at', iso(f.created_at))::text as body
    from calendar_feeds f where f.user_id = ${id} and f.id > ${after}::bigint order by f.id limit ${limit}`,
  emoji: (sql, { id }, after, limit) => sql`
    select e.id::text as key, json_build_object('id', e.id, 'server_id', e.server_id, 'name', e.name,
      'url', '/media/emoji/' || e.key, 'creator_id', e.creator_id, 'created_at', iso(e.created_at))::text as body
    from emojis e where e.creator_id = ${id} and e.deleted_at is null and e.id > ${after}::bigint
    order by e.id limit ${limit}`,
  sounds: (sql, { id }, after, limit) => sql`
    select s.id::text as key, json_build_object('id', s.id, 'server_id', s.server_id, 'name', s.name,
      'emoji', s.emoji, 'url', '/media/sounds/' || s.key, 'duration_ms', s.duration_ms, 'creator_id', s.creator_id,
      'created_at', iso(s.created_at))::text as body
    from sounds s where s.creator_id = ${id} and s.id > ${after}::bigint order by s.id limit ${limit}`,
  stickers: (sql, { id }, after, limit) => sql`
    select s.id::text as key, row_to_json(made)::text as body
    from stickers s cross join lateral (select s.id, s.server_id, s.name, s.alt, s.tags,
      '/media/stickers/' || s.key as url, s.is_animated as animated, s.creator_id, iso(s.created_at) as created_at) made
    where s.creator_id = ${id} and s.deleted_at is null and s.id > ${after}::bigint order by s.id limit ${limit}`,
  favourites: (sql, { id }, after, limit) => sql`
    select v.id::text as key, json_build_object('id', v.id, 'source_id', v.source_id, 'file_id', v.file_id,
      'created_at', iso(v.created_at))::text as body
    from favourites v where v.user_id = ${id} and v.id > ${after}::bigint order by v.id limit ${limit}`,
  webhooks: (sql, { id }, after, limit) => sql`
    select w.id::text as key, json_build_object('id', w.id, 'channel_id', w.channel_id, 'name', u.display_name,
      'created_at', iso(w.created_at))::text as body
    from webhooks w join users u on u.id = w.id where w.creator_id = ${id} and w.id > ${after}::bigint
    order by w.id limit ${limit}`,
  read_marks: (sql, { id }, after, limit) => sql`
    select channel_id::text as key,
      json_build_object('channel_id', channel_id, 'message_id', message_id)::text as body
    from read_marks where user_id = ${id} and channel_id > ${after}::bigint order by channel_id limit ${limit}`,
  notifications: (sql, { id }, after, limit) => sql`
    select id::text as key, json_build_object('server_id', server_id, 'channel_id', channel_id, 'level', level,
      'muted_until', iso(muted_until), 'suppress_everyone', suppress_everyone, 'listed', listed)::text as body
    from notification_settings where user_id = ${id} and id > ${after}::bigint order by id limit ${limit}`,
  push_subscriptions: (sql, { id }, after, limit) => sql`
    select id::text as key, json_build_object('id', id, 'session_id', session_id, 'created_at', iso(created_at),
      'endpoint', endpoint)::text as body
    from push_subscriptions where user_id = ${id} and id > ${after}::bigint order by id limit ${limit}`,
  saved: (sql, { id }, after, limit) => sql`
    select s.message_id::text as key, json_build_object('message_id', s.message_id, 'channel_id', m.channel_id,
      'note', s.note, 'remind_at', iso(s.remind_at), 'saved_at', iso(s.saved_at))::text as body
    from saved_messages s join messages m on m.id = s.message_id
    where s.user_id = ${id} and s.message_id > ${after}::bigint order by s.message_id limit ${limit}`,
  scheduled: (sql, { id }, after, limit) => sql`
    select s.id::text as key, scheduled_json(s)::text as body from scheduled_messages s
    where s.author_id = ${id} and s.id > ${after}::bigint order by s.id limit ${limit}`,
  threads: (sql, { id }, after, limit) => sql`
    select c.id::text as key,
      json_build_object('id', c.id, 'name', c.name, 'created_at', iso(c.created_at))::text as body
    from channels c where c.owner_id = ${id} and c.type = 'thread' and c.parent_id is not null
      and c.id > ${after}::bigint order by c.id limit ${limit}`,
  followed_threads: (sql, { id }, after, limit) => sql`
    select channel_id::text as key, json_build_object('channel_id', channel_id)::text as body
    from thread_followers where user_id = ${id} and channel_id > ${after}::bigint order by channel_id limit ${limit}`,
  stage_topics: stageTopicPage,
  reports: (sql, { id }, after, limit) => sql`
    select o.report_id::text as key,
      json_build_object('message_id', case r.subject when 'message' then r.subject_id end, 'user_id', r.author_id,
        'reason', o.reason, 'note', o.note, 'created_at', iso(o.created_at))::text as body
    from report_reasons o join reports r on r.id = o.report_id
    where o.reporter_id = ${id} and o.report_id > ${after}::bigint order by o.report_id limit ${limit}`,
  ignored_reporters: (sql, { id }, after, limit) => sql`
    select server_id || ' ' || reporter_id as key,
      json_build_object('server_id', server_id, 'user_id', reporter_id, 'until', iso(until))::text as body
    from ignored_reporters where moderator_id = ${id} and (server_id, reporter_id) > (
      split_part(${after}, ' ', 1)::bigint, coalesce(nullif(split_part(${after}, ' ', 2), ''), '0')::bigint)
    order by server_id, reporter_id limit ${limit}`,
  warnings: (sql, { id }, after, limit) => sql`
    select c.id::text as key, json_build_object('id', c.id, 'server_id', c.server_id, 'server_name', s.name,
      'reason', c.reason, 'appeal_contact', s.appeal_contact, 'read_at', iso(c.read_at),
      'created_at', iso(c.created_at))::text as body
    from cases c join servers s on s.id = c.server_id
    where c.user_id = ${id} and c.kind = 'warning' and c.id > ${after}::bigint order by c.id limit ${limit}`,
  bans: (sql, { id }, after, limit) => sql`
    select b.server_id::text as key, json_build_object('server_id', b.server_id, 'server_name', s.name,
      'reason', nullif(b.reason, ''), 'until', iso(b.until), 'appeal_contact', s.appeal_contact,
      'created_at', iso(b.created_at))::text as body
    from bans b join servers s on s.id = b.server_id and s.owner_id is not null
    where b.user_id = ${id} and b.was_member and b.server_id > ${after}::bigint order by b.server_id limit ${limit}`,
  applications: (sql, { id }, after, limit) => sql`
    select a.id::text as key, json_build_object('id', a.id, 'name', bot.display_name, 'description', a.description,
      'created_at', iso(a.created_at), 'interactions_url', a.interactions_url)::text as body
    from applications a join users bot using (id) where a.owner_id = ${id} and a.id > ${after}::bigint
    order by a.id limit ${limit}`,
}

/** Sorts before every id and, as text, before every address and device. */
const BOTTOM = '-1'

/**
 * Yields the account's document in pieces. Each page is its own statement: no transaction, connection or lock is held
 * between pages, so changes made during the export may or may not appear.
 * @throws Problem `token_revoked` when the session has ended
 */
export async function* exportDocument(read: Read, me: Me): AsyncGenerator<string> {
  const user = await read('exports', (sql) => selectAccount(sql, me))
  yield `{"exported_at":"${new Date().toISOString()}","account":${JSON.stringify(found(user, 'token_revoked'))}`
  for (const [name, page] of Object.entries(sections)) {
    yield `,"${name}":[`
    for (let [after, rows] = [BOTTOM, PAGE_ROWS]; rows === PAGE_ROWS;) {
      const key = after
      const pageRows = await read('exports', async (sql) => {
        const [session] = await sql`select 1 from sessions where id = ${me.session_id}`
        if (!session) throw new Problem('token_revoked')
        return page(sql, me, key, PAGE_ROWS)
      })
      const isFirst = after === BOTTOM
      rows = pageRows.length
      after = pageRows.at(-1)?.key ?? after
      if (rows > 0) yield `${isFirst ? '' : ','}${pageRows.map((row) => row.body).join(',')}`
    }
    yield ']'
  }
  yield '}'
}
