import type { Database } from '../../database/database.ts'

/**
 * Sessions kept per bot, or as many as it has shards if these are more; a further one drops the one that was unused for
 * longest.
 */
const SESSIONS_PER_BOT_MAX = 100

/** A bot that comes without its session within this time gets the messages that it has missed. */
const SUCCEEDED_SECONDS = 300

/** The call that a bot is in. */
export interface KeptVoice {
  server_id: number
  /** The server's Discord id. */
  guild_id: string
  channel_id: number
  self_mute: boolean
  self_deaf: boolean
}

/** A session as it is kept while its bot is away, also over a restart of the server. */
export interface KeptSession {
  id: string
  user_id: number
  /** The login of the bot's token; a new token ends it. */
  session_id: number
  /** `s` counts from this event of the log: event 1007 is 7 in a session with base 1000. */
  base_id: number
  intents: number
  shard_id: number
  shard_count: number
  /** The newest events that were sent; null if the server ended before it could keep them. */
  sent_ids: number[] | null
  /** The bot's call, which it enters again after a restart of the server. */
  voice: KeptVoice | null
}

/** A session that a bot comes back to. */
export interface TakenSession extends KeptSession {
  /** Since when its bot has been away, or connected if the server ended unexpectedly. */
  seen_at: string
}

/** A session that begins. */
type NewSession = Omit<KeptSession, 'base_id' | 'sent_ids' | 'voice'>

/** The fields of a session that depend on the lost one that it follows. */
interface BegunSession extends Pick<KeptSession, 'sent_ids' | 'voice'> {
  /** The newest event that was sent; without a lost session, the newest of the log. */
  newest_id: number
  /** Since when the bot has been away; null without a lost session. */
  seen_at: string | null
}

/** Sessions of bots in the database. */
export class KeptSessions {
  constructor(private readonly sql: Database) {}

  /**
   * Begins a session. It follows one that the bot has lost but not given up, because the server ended or the network
   * failed: discord.js forgets its session when it cannot connect at once. A lost session is followed once.
   */
  async begin({ id, user_id, session_id, intents, shard_id, shard_count }: NewSession): Promise<BegunSession> {
    const { sql } = this
    const keptMax = Math.max(SESSIONS_PER_BOT_MAX, shard_count)
    // One statement: each one leaves garbage among the objects of the bots that connect at the same time. It waits for
    // no row: all shards of a large bot begin at once, and would wait for each other in a circle.
    const [row] = await sql<[BegunSession]>`
      with lost as (
        delete from discord_sessions where id = (
          select id from discord_sessions
          where user_id = ${user_id} and session_id = ${session_id} and shard_id = ${shard_id}
            and shard_count = ${shard_count} and sent_ids is not null
            and seen_at > now() - ${SUCCEEDED_SECONDS} * interval '1 second'
          order by seen_at desc limit 1 for update skip locked)
        returning *
      ), surplus as (
        delete from discord_sessions where id in (
          select id from discord_sessions where id in (
            select id from discord_sessions where user_id = ${user_id} order by seen_at desc offset ${keptMax - 1})
          for update skip locked)
      ), start as (
        select lost.sent_ids, lost.seen_at, lost.voice,
          case when lost.id is null then (select coalesce(max(events.id), 0) from events)
            else greatest(lost.base_id + 1, (select max(sent) from unnest(lost.sent_ids) as sent)) end as newest_id
        from (select) as always left join lost on true
      ), begun as (
        insert into discord_sessions (id, user_id, session_id, base_id, intents, shard_id, shard_count, voice)
        select ${id}::text, ${user_id}::bigint, ${session_id}::bigint, newest_id - 1, ${intents}::int,
          ${shard_id}::int, ${shard_count}::int, voice
        from start
      )
      select newest_id, sent_ids, seen_at, voice from start`
    return row
  }

  /** A session of this bot and login. The next disconnection keeps its events anew. */
  async take(id: string, { user_id, session_id }: Pick<KeptSession, 'user_id' | 'session_id'>) {
    const [session] = await this.sql<TakenSession[]>`
      with kept as (
        select * from discord_sessions where id = ${id} and user_id = ${user_id} and session_id = ${session_id}
      ), used as (
        update discord_sessions set sent_ids = null, seen_at = now() where id in (select id from kept)
      )
      select * from kept`
    return session
  }

  async keep(id: string, sentIds: number[]): Promise<void> {
    await this.sql`
      update discord_sessions set sent_ids = ${sentIds}::bigint[], seen_at = now() where id = ${id}`
  }

  async keepVoice(id: string, voice: KeptVoice | null): Promise<void> {
    const { sql } = this
    await sql`update discord_sessions set voice = ${voice === null ? null : sql.json({ ...voice })} where id = ${id}`
  }

  async end(id: string): Promise<void> {
    await this.sql`delete from discord_sessions where id = ${id}`
  }
}
