import { Job } from '../../core/job.ts'
import { topic } from '../../core/events.ts'
import { claim } from '../../database/job-lock.ts'
import type { Parts } from '../../parts.ts'

const PERIOD_MS = 60_000
/** Dms per run; the next run continues. */
const DELETIONS_MAX = 500
/** A dm without a message is deleted after this time. */
const UNUSED_HOURS = 24

/** Deletes dms that never had a message. Runs on one process. */
export class UnusedDms extends Job {
  constructor(private readonly parts: Pick<Parts, 'sql' | 'write' | 'log'>) {
    super(PERIOD_MS, 'dms', parts.log)
  }

  protected async work(): Promise<void> {
    const { sql } = this.parts
    const unusedDms = await sql<{ id: number; user_id: number; other_id: number }[]>`
      select c.id, p.user_id, p.other_id from participants p join channels c on c.id = p.channel_id
      where p.other_id is not null and p.last_message_id is null and p.is_open
        and c.newest_deleted_id is null and c.pruned_before_id is null
        and c.created_at < now() - ${UNUSED_HOURS} * interval '1 hour'
      order by c.id limit ${DELETIONS_MAX}`
    for (const dm of unusedDms) if (!(await this.#delete(dm))) return
  }

  /** @returns false if another process runs this job */
  #delete({ id, user_id, other_id }: { id: number; user_id: number; other_id: number }): Promise<boolean> {
    return this.parts.write(async (sql, emit, notify) => {
      if (!(await claim(sql, 'unused dms'))) return false
      await sql`select lock_pair(${user_id}, ${other_id})`
      const openers = await sql<{ user_id: number }[]>`
        select user_id from participants where channel_id = ${id} and is_open order by user_id`
      const [deletedDm] = await sql`delete from channels c where id = ${id}
        and not exists (select from messages m where m.channel_id = c.id) and c.newest_deleted_id is null
        and not exists (select from calls k where k.channel_id = c.id and k.ended_at is null) returning 1`
      if (!deletedDm) return true
      for (const opener of openers) emit(topic.user(opener.user_id), 'channel.deleted', { id, server_id: null })
      notify({ kind: 'channel_deleted', channel_id: id })
      return true
    })
  }
}
