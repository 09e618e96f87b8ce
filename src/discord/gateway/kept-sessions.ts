import type { Database } from '../../database/database.ts'

/** Sessions kept per bot; a further one drops the one that was unused for longest. */
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

/** Sessions of bots in the database. */
export class KeptSessions {
  constructor(private readonly sql: Database) {}

  async add(session: KeptSession): Promise<void> {
    const { sql } = this
    await sql`delete from discord_sessions where id in (
      select id from discord_sessions where user_id = ${session.user_id}
      order by seen_at desc offset ${SESSIONS_PER_BOT_MAX - 1})`
    const voice = session.voice && sql.json({ ...session.voice })
    await sql`insert into discord_sessions ${sql({ ...session, voice })}`
  }

  /**
   * The session that a bot has lost but not given up, because the server ended or the network failed. discord.js
   * forgets its session when it cannot connect at once.
   * @returns it, once
   */
  async succeed({
    user_id,
    session_id,
    shard_id,
    shard_count,
  }: Omit<KeptSession, 'id' | 'base_id' | 'sent_ids' | 'voice'>) {
    const [session] = await this.sql<TakenSession[]>`
      delete from discord_sessions where id = (
        select id from discord_sessions
        where user_id = ${user_id} and session_id = ${session_id} and shard_id = ${shard_id}
          and shard_count = ${shard_count} and sent_ids is not null
          and seen_at > now() - ${SUCCEEDED_SECONDS} * interval '1 second'
        order by seen_at desc limit 1)
      returning *`
    return session
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

  /** The newest event of the log; 0 if it is empty. */
  async newestEvent(): Promise<number> {
    const [row] = await this.sql<{ id: number }[]>`select coalesce(max(id), 0) as id from events`
    return row?.id ?? 0
  }
}
