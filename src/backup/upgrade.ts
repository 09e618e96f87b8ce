import { join } from 'node:path'
import { messageOf, RefusesToBoot } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { type DatabaseAddress, openLongConnection } from '../database/database.ts'
import type { Environment } from '../environment.ts'
import { backupDirectory, backupName, removeOld, removePartial } from './files.ts'
import { makeBackup } from './make-backup.ts'
import { passphraseOf } from './passphrase.ts'
import { demandSpace } from './space.ts'
import { sourceOf } from './source.ts'

/** Number of upgrade backups to keep. */
const KEEP = 3

/**
 * Backs up the database and the secrets before migrations change them. Uploaded files are not included: no migration
 * touches them.
 * @throws RefusesToBoot if the backup fails and UPGRADE_BACKUP is `required`
 */
export async function backUpBeforeUpgrade(environment: Environment, address: DatabaseAddress, log: Log): Promise<void> {
  if (environment.UPGRADE_BACKUP === 'off') return
  const sql = openLongConnection(address, 'parley-backup')
  try {
    const [account] = await sql`select from users limit 1`
    if (!account) return
    const directory = backupDirectory(environment)
    removePartial(directory, 'upgrade')
    await demandSpace(sql, directory, false)
    const passphrase = await passphraseOf(environment)
    const name = backupName('upgrade', new Date(), passphrase !== undefined)
    const source = await sourceOf(environment, address)
    const path = join(directory, name)
    const signal = new AbortController().signal
    const destination = { kind: 'upgrade' as const, path, passphrase, signal }
    const { bytes } = await makeBackup(source, { objects: 'none', secrets: true }, destination)
    log('info', 'upgrade.backup', { file: path, bytes })
    removeOld(directory, 'upgrade', KEEP)
  } catch (error) {
    if (environment.UPGRADE_BACKUP === 'required')
      throw new RefusesToBoot(
        `The backup before the upgrade failed, and UPGRADE_BACKUP requires it: ${messageOf(error)}`,
      )
    log('warn', 'upgrade.no_backup', { message: messageOf(error) })
  } finally {
    await sql.end({ timeout: 1 })
  }
}
