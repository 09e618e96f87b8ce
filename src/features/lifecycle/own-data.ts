import { Elysia } from 'elysia'
import type { WindowPolicy } from '../../http/limits/limiter.ts'
import { errorFields } from '../../core/log.ts'
import { contentDisposition } from '../../storage/object-store.ts'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, Problem, TOKEN_CODES } from '../../core/errors.ts'
import { Semaphore } from '../../core/semaphore.ts'
import { answers, Nothing } from '../../core/schema.ts'
import { demandOwner } from '../proof/owner.ts'
import { demandProof } from '../proof/proof.ts'
import { sessionCookie, signedIn } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'
import { deleteAccount } from './deletion.ts'
import { erase } from './erasure.ts'
import { Export, exportDocument } from './export-document.ts'
import { AccountDeletion } from '../accounts/model.ts'

const tags = ['Accounts']

/** Low, because an export reads everything that the account has written. */
const EXPORTS: WindowPolicy = { name: 'export', max: 5, windowS: 3600 }
/**
 * Exports on this process. Each keeps one page of rows in memory, and uses a connection only while it reads a page.
 * Bun's idle timeout ends an export whose client stops reading.
 */
const EXPORTS_AT_ONCE_MAX = 32
const EXPORT_SECONDS_MAX = 3600
const REMOVALS_AT_ONCE = 8
/** Batches of files deleted before the request is answered; background jobs delete the rest. */
const BATCHES_AT_ONCE = 5

const DELETION = `Sessions, memberships, relations and friend requests are deleted at once, and the username and
e-mail address become free. Files are deleted soon after. Messages stay, with the author "Deleted user"; invites stay
with their servers. Needs a proof if a second factor is on, or if the account has no password.`
const STREAMED = `Streamed as fast as the client reads. The document is complete if it ends with its last brace: the
connection is cut if the session or the server ends. Changes during the export may or may not be included. Needs a
proof.`

export const ownDataRoutes = (parts: Parts, sessions: Sessions) => {
  const exports = openExports(parts)
  return new Elysia({ prefix: '/api/auth' })
    .use(signedIn(parts, sessions))
    .delete(
      '/me',
      async ({ me, caller, body, status }) => {
        const passwordHash = await demandOwner(parts, caller, me, 'password', body.password)
        const uploads = await parts.write((sql, emit, notify) => deleteAccount(sql, emit, notify, me.id, passwordHash))
        await removeLeftovers(parts, me.id, uploads)
        caller.headers['set-cookie'] = sessionCookie(caller.base, '', 0)
        return status(204, undefined)
      },
      {
        body: AccountDeletion,
        detail: { summary: 'Delete the account', description: DELETION, tags },
        response: answers(
          { 204: Nothing },
          'invalid_credentials',
          'proof_required',
          'owns_servers',
          ...BODY_CODES,
          ...TOKEN_CODES,
        ),
      },
    )
    .get(
      '/export',
      async ({ me, caller }) => {
        await demandProof(parts.sql, me)
        exports.demandTurn(me.id)
        await parts.limits.take(caller, EXPORTS, `user:${me.id}`)
        const headers = {
          'content-type': 'application/json',
          'content-disposition': contentDisposition('attachment', 'parley-export.json'),
        }
        return new Response(exports.open(me.id, exportDocument(parts.read, me)), { headers })
      },
      {
        detail: { summary: 'Export everything that the account owns, as one document', description: STREAMED, tags },
        response: answers({ 200: Export }, 'export_running', 'proof_required', ...TOKEN_CODES),
      },
    )
}

/** Deletes some of the deleted account's objects and files at once; background jobs delete the rest. */
export async function removeLeftovers(
  { write, objects, log }: Parts,
  userId: number,
  uploads: string[],
): Promise<void> {
  const logFailure = (error: unknown) => log('warn', 'deletion.rest', errorFields(error))
  // Not awaited, because the object store may be unreachable.
  const semaphore = new Semaphore(REMOVALS_AT_ONCE, Infinity)
  for (const key of uploads) semaphore.run(() => objects.delete(key)).catch(logFailure)
  await erase({ write }, BATCHES_AT_ONCE, userId).catch(logFailure)
}

/** The running exports of this process: one per account, with bounds on number and duration. */
function openExports({ log }: Parts) {
  const runningIds = new Set<number>()
  /** @throws Problem `export_running`, `unavailable` */
  const demandTurn = (userId: number): void => {
    if (runningIds.has(userId)) throw new Problem('export_running', undefined, { retry_after: 30 })
    if (runningIds.size >= EXPORTS_AT_ONCE_MAX)
      throw new Problem('unavailable', 'Too many exports', { retry_after: 30 })
  }
  /** @throws Problem `export_running`, `unavailable` */
  const open = (userId: number, document: AsyncGenerator<string>): ReadableStream<Uint8Array> => {
    demandTurn(userId)
    runningIds.add(userId)
    const encoder = new TextEncoder()
    let timer: Timer | undefined
    let isEnded = false
    const end = () => {
      if (isEnded) return
      isEnded = true
      clearTimeout(timer)
      runningIds.delete(userId)
    }
    return new ReadableStream(
      {
        start(controller) {
          timer = setTimeout(() => {
            end()
            controller.error()
          }, EXPORT_SECONDS_MAX * 1000)
        },
        async pull(controller) {
          try {
            const { value, done } = await document.next()
            if (!done) return controller.enqueue(encoder.encode(value))
            end()
            controller.close()
          } catch (error) {
            // An error after the end only says that the stream is closed.
            if (!isEnded && !(error instanceof Problem)) log('warn', 'export', errorFields(error))
            end()
            controller.error(error)
          }
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    )
  }
  return { demandTurn, open }
}
