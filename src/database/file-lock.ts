import { Database } from 'bun:sqlite'
import { RefusesToBoot } from '../core/errors.ts'

/**
 * Waits for a file's lock: the operating system's own, which ends with this process however that ends. It stands still
 * meanwhile, so it is for programs that serve nobody.
 * @param otherwise what to say when it is held all the time
 * @returns what gives it back; forgotten, it goes when it is collected
 * @throws RefusesToBoot
 */
export function lockFile(path: string, seconds_max: number, otherwise: string): () => void {
  try {
    // SQLite brings what Bun does not have: fcntl(2), with a time limit.
    const file = new Database(path)
    file.run(`pragma busy_timeout = ${seconds_max * 1000}`)
    file.run('begin exclusive')
    return () => file.close()
  } catch (error) {
    const isBusy = (error as { code?: string }).code === 'SQLITE_BUSY'
    throw new RefusesToBoot(isBusy ? otherwise : `${path} cannot be locked: ${(error as Error).message}.`)
  }
}
