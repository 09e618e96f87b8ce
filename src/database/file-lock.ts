import { Database } from 'bun:sqlite'
import { closeSync, constants, fchownSync, openSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf, messageOf, RefusesToBoot } from '../core/errors.ts'

const POLL_MS = 50

/**
 * Waits for a file lock of the operating system, which is released when this process ends for any reason.
 * @param otherwise the error's message if another process keeps the lock
 * @returns releases the lock; keep a reference, or garbage collection releases it
 * @throws RefusesToBoot
 */
async function lockFile(path: string, secondsMax: number, otherwise: string): Promise<() => void> {
  for (const since = performance.now(); ; await Bun.sleep(POLL_MS)) {
    const release = tryLockFile(path)
    if (release) return release
    if (performance.now() - since > secondsMax * 1000) throw new RefusesToBoot(otherwise)
  }
}

/** @returns undefined while another process holds the lock */
function tryLockFile(path: string): (() => void) | undefined {
  try {
    makeFile(path)
    // Bun has no fcntl(2); SQLite does.
    const file = new Database(path)
    try {
      file.run('begin exclusive')
      return () => file.close()
    } catch (error) {
      file.close()
      if (codeOf(error) === 'SQLITE_BUSY') return undefined
      throw error
    }
  } catch (error) {
    throw new RefusesToBoot(`${path} cannot be locked: ${messageOf(error)}.`)
  }
}

/** A file made by root must belong to the directory's owner, who locks it at other times. */
function makeFile(path: string): void {
  const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  try {
    const file = openSync(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    const { uid, gid } = statSync(dirname(path))
    if (process.getuid?.() === 0) fchownSync(file, uid, gid)
    closeSync(file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/** Commands on one DATA_DIR take turns: without a running server, each starts and stops its PostgreSQL. */
const TURN_SECONDS_MAX = 60

/**
 * Waits until no other command uses the DATA_DIR.
 * @returns ends the turn
 * @throws RefusesToBoot if the other commands take too long
 */
export const takeTurn = (dataDirectory: string): Promise<() => void> =>
  lockFile(join(dataDirectory, 'admin.lock'), TURN_SECONDS_MAX, 'Another command uses this DATA_DIR; try again.')

/** A server that is being replaced ends within this time. */
const SERVER_SECONDS_MAX = 2

/**
 * Locks a DATA_DIR against other servers: two servers would remove each other's files.
 * @returns releases the lock
 * @throws RefusesToBoot if another server uses it
 */
export const lockDataDirectory = (dataDirectory: string): Promise<() => void> =>
  lockFile(join(dataDirectory, 'server.lock'), SERVER_SECONDS_MAX, 'Another Parley uses this DATA_DIR.')
