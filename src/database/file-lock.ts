import { Database } from 'bun:sqlite'
import { codeOf, messageOf, RefusesToBoot } from '../core/errors.ts'

/**
 * Waits for the lock of a file: the operating system's, which ends with this process however that ends. Waiting blocks
 * the event loop, so this is not for servers.
 * @param otherwise the error's message when another process holds the lock all the time
 * @returns releases the lock; keep a reference, or the garbage collector releases it
 * @throws RefusesToBoot
 */
export function lockFile(path: string, seconds_max: number, otherwise: string): () => void {
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
