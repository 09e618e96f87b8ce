import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { codeOf, messageOf, RefusesToBoot } from '../core/errors.ts'

/**
 * Waits for the lock of a file: the operating system's, which ends with this process however that ends. Waiting blocks
 * the event loop, so this is not for servers.
 * @param otherwise the error's message when another process holds the lock all the time
 * @returns releases the lock; keep a reference, or the garbage collector releases it
 * @throws RefusesToBoot
 */
function lockFile(path: string, seconds_max: number, otherwise: string): () => void {
  try {
    // Bun has no fcntl(2); SQLite does, with a time limit.
    const file = new Database(path)
    file.run(`pragma busy_timeout = ${seconds_max * 1000}`)
    file.run('begin exclusive')
    return () => file.close()
  } catch (error) {
    throw new RefusesToBoot(
      codeOf(error) === 'SQLITE_BUSY' ? otherwise : `${path} cannot be locked: ${messageOf(error)}.`,
    )
  }
}

/** Commands on one DATA_DIR take turns: without a running server, each starts and stops the PostgreSQL in it. */
const TURN_SECONDS_MAX = 60

/**
 * Waits until no other command uses the DATA_DIR.
 * @returns ends the turn
 * @throws RefusesToBoot when the others take too long
 */
export const takeTurn = (dataDirectory: string): (() => void) =>
  lockFile(join(dataDirectory, 'admin.lock'), TURN_SECONDS_MAX, 'Another command uses this DATA_DIR; try again.')
