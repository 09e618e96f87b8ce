import type { Json, Transaction } from '../../database/database.ts'
import { type ErrorCode, Problem } from '../../core/errors.ts'
import type { Emit, Notify, Write } from '../../events/write.ts'
import type { Me } from '../sessions/store.ts'
import { changeStanding, demandNoOperator, demandOperator, shareStanding } from './standing.ts'

/** An operator: a user of the operating system at the command line, or an account on the operator's page. */
export type Actor = { name: string; me?: never } | { me: Me; name?: never }

/** The context of an act. Its change and its entry in the admin log share the transaction. */
export interface ActContext {
  sql: Transaction
  emit: Emit
  notify: Notify
  actor: Actor
}

export type Target = [type: 'account' | 'message' | 'dm' | 'file' | 'server' | 'invite' | 'report', id: number]

export interface Act<T = unknown> {
  result: T
  /** `target` and `changes` are written to the admin log, so they must not contain a name, an address or content. */
  target?: Target
  changes?: Json
}

/** The act is impossible, and nothing has changed. The message is one sentence with the reason. */
export class Refusal extends Problem {
  constructor(sentence: string, code: ErrorCode = 'not_found') {
    super(code, sentence)
  }
}

/** @returns the row @throws Refusal with the message `otherwise` if there is none */
export function must<T>(row: T | undefined, otherwise: string): T {
  if (row === undefined) throw new Refusal(otherwise)
  return row
}

/** Writes an entry into the admin log, in the transaction of the act. */
async function record(
  sql: Transaction,
  { me, name }: Actor,
  action: string,
  { target, changes = {} }: Pick<Act, 'target' | 'changes'>,
): Promise<void> {
  const [target_type, target_id] = target ?? [null, null]
  const fields = { operator: me ? `account ${me.id}` : name, operator_id: me?.id ?? null }
  await sql`insert into admin_log ${sql({ ...fields, action, target_type, target_id, changes: sql.json(changes) })}`
}

/**
 * Runs an act and records it in the admin log, in one transaction. A refused act is recorded as well. An acting account
 * must be an operator with a proven session until the commit.
 * @param action its name in the log
 * @throws Problem, and errors of the database
 */
export async function act<A extends Pick<Act, 'target' | 'changes'>>(
  write: Write,
  actor: Actor,
  action: string,
  run: (context: ActContext) => Promise<A>,
): Promise<A> {
  try {
    return await write(async (sql, emit, notify) => {
      if (actor.me) {
        await shareStanding(sql, actor.me.id)
        await demandOperator(sql, actor.me)
      }
      const outcome = await run({ sql, emit, notify, actor })
      await record(sql, actor, action, outcome)
      return outcome
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await write((sql) => record(sql, actor, action, { changes: { refused: error.message } }))
    throw error
  }
}

/**
 * Begins an act on an account, before every other lock. An account cannot act on an operator; the command line can, and
 * waits until that operator's running acts have ended.
 * @throws Problem `forbidden`
 */
export const beginOn = ({ sql, actor }: ActContext, id: number): Promise<unknown> =>
  actor.me ? demandNoOperator(sql, id) : changeStanding(sql, id)
