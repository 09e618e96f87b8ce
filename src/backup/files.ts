import {
  closeSync,
  constants,
  fchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { refuseToBoot } from '../core/errors.ts'
import type { Environment } from '../environment.ts'

/** Why a backup was made. Part of the file's name; old backups are removed per kind. */
export type Kind = 'manual' | 'automatic' | 'upgrade'

type Configured = Pick<Environment, 'BACKUP_DIR' | 'DATA_DIR'>

/** The directory of backups; created if missing. @throws RefusesToBoot */
export function backupDirectory({ BACKUP_DIR, DATA_DIR }: Configured): string {
  const directory = BACKUP_DIR ?? join(DATA_DIR, 'backups')
  try {
    const firstCreated = mkdirSync(directory, { recursive: true, mode: 0o700 })
    // If root creates the directory, the server's user must still be able to write to it.
    if (firstCreated !== undefined && BACKUP_DIR === undefined && process.getuid?.() === 0)
      giveAway(directory, DATA_DIR)
  } catch (error) {
    refuseToBoot('BACKUP_DIR')(error)
  }
  return directory
}

/** Gives a directory the same owner as another one. */
function giveAway(directory: string, other: string): void {
  const { uid, gid } = statSync(other)
  // Refuse a link that the owner may have put there meanwhile.
  const fd = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    fchownSync(fd, uid, gid)
  } finally {
    closeSync(fd)
  }
}

/** The name of a new backup: `parley-<kind>-<UTC to the millisecond>.tar.zst`, with `.sealed` if it is encrypted. */
export function backupName(kind: Kind, now: Date, isSealed: boolean): string {
  const time = now.toISOString().replace(/[-:]/g, '')
  return `parley-${kind}-${time}.tar.zst${isSealed ? '.sealed' : ''}`
}

/** Backups of a kind, oldest first. */
const backupsIn = (directory: string, kind: Kind): string[] =>
  readdirSync(directory)
    .filter((name) => name.startsWith(`parley-${kind}-`) && /\.tar\.zst(\.sealed)?$/.test(name))
    .sort()

/** Removes all but the newest backups of a kind, and partial files of a killed process. */
export function removeOld(directory: string, kind: Kind, keep: number): void {
  for (const name of backupsIn(directory, kind).slice(0, -keep)) rmSync(join(directory, name))
  removePartial(directory, kind)
}

/** Removes partial files of a killed process. No backup of this kind may be running. */
export function removePartial(directory: string, kind: Kind): void {
  for (const name of readdirSync(directory))
    if (name.startsWith(`parley-${kind}-`) && name.endsWith('.partial')) rmSync(join(directory, name), { force: true })
}

/** Bytes that the server may still write in the directory. */
export function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}
