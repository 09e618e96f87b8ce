import type { Caller } from '../../http/caller.ts'
import { columns, type Transaction } from '../../database/database.ts'
import { found, type PendingLogin } from '../../core/errors.ts'
import type { Emit, Notify } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { sessionCookie } from '../sessions/identity.ts'
import { SESSION_SECONDS } from '../sessions/model.ts'
import type { Sessions } from '../sessions/store.ts'
import { type FullUser, User } from './model.ts'

/** The login needs a second step: no session is opened, and the writes of `prove` are committed. */
export class SecondStep {
  constructor(readonly pending: PendingLogin) {}
}

interface SignInResult {
  user: FullUser
  token: string
}
type SignInParameters<Proof> = [
  parts: Pick<Parts, 'write'>,
  sessions: Sessions,
  entry: { caller: Caller; request: Request },
  user_id: number,
  prove: (sql: Transaction, emit: Emit, notify: Notify) => Promise<Proof>,
]

/**
 * Locks the account, runs `prove` in the same transaction, and opens a session, whose token is also set as a cookie.
 * @param prove throws to refuse, or returns the second step that is required
 * @throws Problem `invalid_credentials` when the account is gone, `account_suspended`, and errors of `prove`
 */
export async function signIn(...parameters: SignInParameters<void>): Promise<SignInResult>
export async function signIn(...parameters: SignInParameters<SecondStep | void>): Promise<SignInResult | SecondStep>
export async function signIn(
  ...[{ write }, sessions, { caller, request }, userId, prove]: SignInParameters<SecondStep | void>
): Promise<SignInResult | SecondStep> {
  const answer = await write(async (sql, emit, notify) => {
    const [row] = await sql<FullUser[]>`
      select ${columns(sql, User)} from users
      where id = ${userId} and deleted_at is null and kind <> 'imported' for update`
    const user = found(row, 'invalid_credentials')
    const step = await prove(sql, emit, notify)
    if (step) return step
    return { user, token: await sessions.create(sql, emit, notify, userId, caller, request.headers.get('user-agent')) }
  })
  if (!(answer instanceof SecondStep))
    caller.headers['set-cookie'] = sessionCookie(caller.base, answer.token, SESSION_SECONDS)
  return answer
}
