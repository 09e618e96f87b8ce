import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { RefusesToBoot, refuseToBoot } from '../core/errors.ts'
import { openLog } from '../core/log.ts'
import type { DatabaseAddress } from '../database/database.ts'
import { clusterOf, servedInstance } from '../database/embedded-instance.ts'
import { startEmbeddedPostgres } from '../database/embedded-postgres.ts'
import { takeTurn } from '../database/file-lock.ts'
import type { Environment } from '../environment.ts'

/**
 * Works on the database of an installation to be filled. Creates an embedded one if needed, and removes it if the work
 * fails.
 * @throws RefusesToBoot if a server is running on it
 */
export async function fillInstallation<T>(
  { DATABASE_URL, DATA_DIR }: Pick<Environment, 'DATABASE_URL' | 'DATA_DIR'>,
  work: (address: DatabaseAddress) => Promise<T>,
): Promise<T> {
  if (DATABASE_URL !== undefined) return work({ url: DATABASE_URL })
  const home = join(DATA_DIR, 'postgres')
  const isNew = !existsSync(join(clusterOf(home), 'PG_VERSION'))
  const isNewDirectory = !existsSync(DATA_DIR)
  try {
    mkdirSync(DATA_DIR, { recursive: true, mode: 0o700 })
  } catch (error) {
    refuseToBoot('DATA_DIR')(error)
  }
  if (!isNew && (await servedInstance(DATA_DIR)) !== undefined)
    throw new RefusesToBoot('A server runs on this installation: stop it first.')
  const release = await takeTurn(DATA_DIR)
  try {
    // From here on nothing else uses the directory.
    const { socket, stop } = await startEmbeddedPostgres(DATA_DIR, openLog('silent'))
    return await work({ socket })
      .finally(stop)
      .catch((error: unknown) => {
        if (isNew) rmSync(home, { recursive: true, force: true })
        if (isNewDirectory) rmSync(DATA_DIR, { recursive: true, force: true })
        throw error
      })
  } finally {
    release()
  }
}
