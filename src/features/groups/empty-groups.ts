import { errorFields } from '../../core/log.ts'
import { claim } from '../../database/job-lock.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit, Notify } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { clearPictures } from '../files/access.ts'

const PERIOD_MS = 5_000
/** Groups of one run; the next run goes on. */
const GROUPS_MAX = 50

/** Deletes groups that the last participant has left, with their messages and files; one node at a time. */
export class EmptyGroups {
  readonly #timer: Timer
  #running: Promise<void> | undefined

  constructor(private readonly parts: Pick<Parts, 'write' | 'log'>) {
    this.#timer = setInterval(() => {
      this.run().catch((error: unknown) => parts.log('warn', 'groups', errorFields(error)))
    }, PERIOD_MS)
  }

  /** Runs once now; a second caller waits for the run that is under way. */
  run(): Promise<void> {
    return (this.#running ??= this.#deleteAll().finally(() => (this.#running = undefined)))
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #deleteAll(): Promise<void> {
    const next = () =>
      this.parts.write(async (sql, emit, notify) => (await claim(sql, 'groups')) && deleteEmpty(sql, emit, notify))
    for (let n = 0; n < GROUPS_MAX; n++) if (!(await next())) return
  }
}

/** Deletes one group without participants. @returns false when there is none */
async function deleteEmpty(sql: Transaction, emit: Emit, notify: Notify): Promise<boolean> {
  const [empty] = await sql<{ id: number }[]>`
    select id from channels where type = 'group' and participant_count = 0 limit 1`
  if (!empty) return false
  const files: ReturnType<Sql> = sql`f.message_id in (select id from messages where channel_id = ${empty.id})`
  await sql`select change_group(${empty.id})`
  await clearPictures(sql, emit, files)
  await sql`delete from channels where id = ${empty.id}`
  notify({ kind: 'channel_deleted', channel_id: empty.id })
  return true
}
