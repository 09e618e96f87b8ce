import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, messageOf, RefusesToBoot } from '../core/errors.ts'

/**
 * Checks that this user may read and write DATA_DIR and its files. A restore by another user may have left files that
 * belong to that user.
 * @throws RefusesToBoot
 */
export function demandAccess(dataDirectory: string): void {
  // PostgreSQL's files are checked when PostgreSQL starts.
  const checkedPaths = ['', 'secrets.json', 'objects'].map((name) => join(dataDirectory, name))
  for (const path of checkedPaths) demandAccessTo(path)
  const objects = checkedPaths.at(-1) ?? ''
  if (existsSync(objects)) for (const shard of readdirSync(objects)) demandAccessTo(join(objects, shard))
}

function demandAccessTo(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return
  const { R_OK, W_OK, X_OK } = constants
  try {
    // Files only need to be readable: they are replaced by a rename in their directory.
    accessSync(path, stat.isDirectory() ? R_OK | W_OK | X_OK : R_OK)
  } catch (error) {
    throw new RefusesToBoot(`DATA_DIR is not usable: ${reason(path, stat.uid, error)}.`)
  }
}

function reason(path: string, owner: number, error: unknown): string {
  if (codeOf(error) === 'EROFS') return `${path} lies on a read-only file system`
  const uid = process.getuid?.()
  if (owner === uid) return messageOf(error)
  return `${path} belongs to the user with id ${owner}, and the server runs as ${uid}: chown -R it, or run as its owner`
}
