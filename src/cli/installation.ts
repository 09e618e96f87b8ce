import { openLog } from '../core/log.ts'
import type { DatabaseAddress } from '../database/database.ts'
import { demandInstallation, servedInstance } from '../database/embedded-instance.ts'
import { startEmbeddedPostgres } from '../database/embedded-postgres.ts'
import { takeTurn } from '../database/file-lock.ts'
import type { Environment } from '../environment.ts'

/** The PostgreSQL of an installation, while a command needs it. */
export interface OpenInstallation {
  address: DatabaseAddress
  close(): Promise<void>
}

/**
 * Opens the installation's PostgreSQL: the running server's, or one started for this command. Never creates one.
 * @throws RefusesToBoot
 */
export async function openInstallation({ DATABASE_URL, DATA_DIR }: Environment): Promise<OpenInstallation> {
  if (DATABASE_URL) return { address: { url: DATABASE_URL }, close: async () => {} }
  demandInstallation(DATA_DIR)
  const release = await takeTurn(DATA_DIR)
  const servedSocket = await servedInstance(DATA_DIR)
  if (servedSocket !== undefined) {
    // Commands on a running server do not take turns.
    release()
    return { address: { socket: servedSocket }, close: async () => {} }
  }
  const { socket, stop } = await startEmbeddedPostgres(DATA_DIR, openLog('silent'))
  return { address: { socket }, close: () => stop().finally(release) }
}
