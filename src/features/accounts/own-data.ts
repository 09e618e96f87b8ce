import { Elysia } from 'elysia'
import type { WindowPolicy } from '../../http/limits/limiter.ts'
import { errorFields } from '../../core/log.ts'
import { contentDisposition } from '../../storage/object-store.ts'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, found, Problem, TOKEN_CODES } from '../../core/errors.ts'
import { Semaphore } from '../../core/semaphore.ts'
import { answers, Nothing } from '../../core/schema.ts'
import { sessionCookie, signedIn } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'
import { deleteAccount } from './deletion.ts'
import { erase } from './erasure.ts'
import { Export, exportDocument } from './export-document.ts'
import { guess } from './limits.ts'
import { Farewell } from './model.ts'
import { verifyPassword } from './passwords.ts'

const tags = ['Accounts']

/** Each reads all that an account has ever written. */
const EXPORTS: WindowPolicy = { name: 'export', max: 5, window_s: 3600 }
/**
 * Those that run on this node; each has a page of rows in memory, and a connection only while it reads that. Whose
 * reader stands still is cut by Bun's idle limit.
 */
const EXPORTS_AT_ONCE_MAX = 32
const EXPORT_SECONDS_MAX = 3600
const REMOVALS_AT_ONCE = 8
/** Of files, before the deletion answers. */
const BATCHES_AT_ONCE = 5

const FAREWELL = `At once and for good its sessions, memberships, relations and requests are gone, and its name and
e-mail address are free; its files go then, a few at a time where they are many. What it wrote stays, by "Deleted user";
invites that it made stay with their servers.`
const STREAMED = `Streamed as fast as it is read. It is whole when it ends with its last brace: where the session or
the server ends meanwhile, the connection is cut. What changes meanwhile may be in it or not.`

/** Leaving, and taking along what is one's own. Source: contract.md §4. */
export const ownDataRoutes = (parts: Parts, sessions: Sessions) => {
  const exports = openExports(parts)
  return new Elysia({ prefix: '/api/auth' })
    .use(signedIn(parts, sessions))
    .delete(
      '/me',
      async ({ me, caller, body, status }) => {
        const [account] = await parts.sql<{ password_hash: string }[]>`
          select password_hash from users where id = ${me.id} and deleted_at is null`
        const { password_hash } = found(account, 'token_revoked')
        await guess(parts, caller, me.id, () => verifyPassword(body.password, password_hash))
        const uploads = await parts.write((sql, emit, notify) => deleteAccount(sql, emit, notify, me.id, password_hash))
        await removeAll(parts, me.id, uploads)
        caller.headers['set-cookie'] = sessionCookie(caller.base, '', 0)
        return status(204, undefined)
      },
      {
        body: Farewell,
        detail: { summary: 'Delete the account', description: FAREWELL, tags },
        response: answers({ 204: Nothing }, 'invalid_credentials', 'owns_servers', ...BODY_CODES, ...TOKEN_CODES),
      },
    )
    .get(
      '/export',
      async ({ me, caller }) => {
        exports.demandRoom(me.id)
        await parts.limits.take(caller, EXPORTS, `user:${me.id}`)
        const headers = {
          'content-type': 'application/json',
          'content-disposition': contentDisposition('attachment', 'parley-export.json'),
        }
        return new Response(exports.open(me.id, exportDocument(parts.sql, me)), { headers }) as never
      },
      {
        detail: { summary: 'Everything that the account owns, as one document', description: STREAMED, tags },
        response: answers({ 200: Export }, ...TOKEN_CODES),
      },
    )
}

/** What a deletion has left behind, as far as it can be done at once; the rest comes of itself. */
async function removeAll({ write, objects, log }: Parts, user_id: number, uploads: string[]): Promise<void> {
  const failed = (error: unknown) => log('warn', 'deletion.rest', errorFields(error))
  // Not waited for: the object store may be away.
  const gate = new Semaphore(REMOVALS_AT_ONCE, Infinity)
  for (const key of uploads) gate.run(() => objects.delete(key)).catch(failed)
  await erase({ write }, BATCHES_AT_ONCE, user_id).catch(failed)
}

/** The exports that run on this node: one an account, so many in all, each for so long at most. */
function openExports({ log }: Parts) {
  const running = new Set<number>()
  /** @throws Problem `unavailable` */
  const demandRoom = (user_id: number): void => {
    if (running.has(user_id)) throw new Problem('unavailable', 'An export is running already', { retry_after: 30 })
    if (running.size >= EXPORTS_AT_ONCE_MAX) throw new Problem('unavailable', 'Too many exports', { retry_after: 30 })
  }
  /** @throws Problem `unavailable` */
  const open = (user_id: number, document: AsyncGenerator<string>): ReadableStream<Uint8Array> => {
    demandRoom(user_id)
    running.add(user_id)
    const encoder = new TextEncoder()
    let timer: Timer | undefined
    let ended = false
    const end = () => {
      if (ended) return
      ended = true
      clearTimeout(timer)
      running.delete(user_id)
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
            // What comes after the end comes of it: the stream is closed.
            if (!ended && !(error instanceof Problem)) log('warn', 'export', errorFields(error))
            end()
            controller.error(error)
          }
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    )
  }
  return { demandRoom, open }
}
