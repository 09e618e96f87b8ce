import type { Sql, Transaction } from '../../database/database.ts'
import { claim } from '../../database/job-lock.ts'
import { errorFields } from '../../core/log.ts'
import type { Emit } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { clearPictures, lockServersShowing } from '../files/access.ts'

const PERIOD_MS = 5_000
/** Rows that one transaction deletes; bounds its locks. */
const ROWS_MAX = 1_000
/** Files among them: each locks its uploader's account and writes to the outbox. */
const FILES_MAX = 200

/** Threads without messages. */
const THREADS_MAX = 200

/** Deletes a part of a server's content. @returns how many rows; 0 when none is left */
type Step = (sql: Transaction, id: number, emit: Emit) => Promise<number>

/** Deletes messages with their files, and clears these where they are pictures. */
const removeMessages: Step = async (sql, id, emit) => {
  const page = await sql<{ id: number }[]>`
    with page as (
      select m.id, (select count(*) from files f where f.message_id = m.id) as files from messages m
      where m.channel_id in (select c.id from channels c where c.server_id = ${id}) limit ${ROWS_MAX}
    ), counted as (
      select page.id, files, sum(files) over (order by page.id) as files_so_far from page
    )
    select counted.id from counted where files_so_far - files < ${FILES_MAX}`
  const ids = page.map((message) => message.id)
  const files: ReturnType<Sql> = sql`f.message_id = any(${ids})`
  // Servers, messages, files, accounts: the order in which every transaction locks these.
  await lockServersShowing(sql, files)
  await sql`select count(*) from (select 1 from messages where id = any(${ids}) order by id for update) locked`
  await clearPictures(sql, emit, files)
  await sql`delete from messages where id = any(${ids})`
  return ids.length
}

/** What has no limit in a server, in the order in which it goes. */
const steps: Step[] = [
  removeMessages,
  async (sql, id) => {
    const gone = await sql`delete from message_nonces where ctid in (select n.ctid from message_nonces n
      where n.channel_id in (select c.id from channels c where c.server_id = ${id}) limit ${ROWS_MAX})`
    return gone.count
  },
  async (sql, id) => {
    const gone = await sql`delete from read_marks where ctid in (select r.ctid from read_marks r
      where r.channel_id in (select c.id from channels c where c.server_id = ${id}) limit ${ROWS_MAX})`
    return gone.count
  },
  async (sql, id) => {
    const gone = await sql`delete from audit_log where id in (
      select id from audit_log where server_id = ${id} limit ${ROWS_MAX})`
    return gone.count
  },
  async (sql, id) => {
    const gone = await sql`delete from thread_followers where ctid in (select f.ctid from thread_followers f
      where f.channel_id in (select c.id from channels c where c.server_id = ${id}) limit ${ROWS_MAX})`
    return gone.count
  },
  async (sql, id) => {
    const gone = await sql`delete from bans where server_id = ${id} and user_id in (
      select user_id from bans where server_id = ${id} limit ${ROWS_MAX})`
    return gone.count
  },
  // Their pictures follow by the outbox.
  async (sql, id) => {
    const gone = await sql`delete from emojis where id in (
      select id from emojis where server_id = ${id} limit ${FILES_MAX})`
    return gone.count
  },
  // Without its server, an event that is blank is not found again. The last event of the server stays for those who
  // resume.
  async (sql, id) => {
    const blanked = await sql`update events set body = null, server_id = null where id in (
      select id from events where server_id = ${id} and type <> 'server.deleted' limit ${ROWS_MAX})`
    return blanked.count
  },
  async (sql, id) => {
    const gone = await sql`delete from channels where id in (
      select id from channels where server_id = ${id} and type = 'thread' limit ${THREADS_MAX})`
    return gone.count
  },
  // With its overwrites, of which there is one a role at most; categories after the channels in them.
  async (sql, id) => {
    const gone = await sql`delete from channels where id in (
      select id from channels where server_id = ${id} order by parent_id is null, id limit 1)`
    return gone.count
  },
  async (sql, id) => (await sql`delete from servers where id = ${id} and owner_id is null`).count,
]

/** The background job that deletes the content of deleted servers, on one node at a time; after a crash it goes on. */
export class ServerRemoval {
  readonly #timer: Timer
  #running: Promise<void> | undefined
  #stopped = false

  constructor(private readonly parts: Pick<Parts, 'write' | 'log' | 'bus'>) {
    const begin = () => this.run().catch((error: unknown) => parts.log('warn', 'server.removal', errorFields(error)))
    this.#timer = setInterval(begin, PERIOD_MS)
    parts.bus.onNotice(async ({ kind }) => {
      // Not awaited: the deletion is answered meanwhile.
      if (kind === 'server_deleted') void begin()
    })
  }

  /** Deletes what there is to delete, batch by batch. */
  run(): Promise<void> {
    return (this.#running ??= this.#removeAll().finally(() => (this.#running = undefined)))
  }

  stop(): void {
    this.#stopped = true
    clearInterval(this.#timer)
  }

  async #removeAll(): Promise<void> {
    while (!this.#stopped && (await this.#removeBatch()));
  }

  /** @returns false when nothing was left to do, or another node does it */
  #removeBatch(): Promise<boolean> {
    return this.parts.write(async (sql, emit) => {
      if (!(await claim(sql, 'server removal'))) return false
      // A random server: one that fails must not block the others.
      const [server] = await sql<{ id: number }[]>`
        select id from servers where owner_id is null order by random() limit 1`
      if (!server) return false
      for (const step of steps) if ((await step(sql, server.id, emit)) > 0) break
      return true
    })
  }
}
