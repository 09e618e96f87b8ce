import { basename } from 'node:path'
import { writeArchive, writeArchiveToStdout } from './archive.ts'
import { type Choice, openDump, type Progress, type Source } from './dump.ts'
import type { Kind } from './files.ts'
import { recordBackup } from './record.ts'

/** Where a backup goes. */
export interface Destination {
  kind: Kind
  /** The standard output when there is none. */
  path: string | undefined
  passphrase: string | undefined
  signal: AbortSignal
}

/**
 * Makes a backup and remembers it.
 * @param onProgress called with the counts, which then change
 * @throws RefusesToBoot, errors of the database, the object store and the file system; then no file is left
 */
export async function makeBackup(
  source: Source,
  choice: Choice,
  { kind, path, passphrase, signal }: Destination,
  onProgress: (progress: Progress) => void = () => {},
): Promise<{ bytes: number }> {
  const dump = await openDump(source, choice)
  onProgress(dump.progress)
  // Fails the statement under way, which may wait for a lock.
  const interrupt = () => void dump.close()
  signal.addEventListener('abort', interrupt)
  try {
    signal.throwIfAborted()
    const bytes =
      path === undefined
        ? await writeArchiveToStdout(dump.archive, passphrase, signal)
        : await writeArchive(path, dump.archive, passphrase, signal)
    const file = path === undefined ? null : basename(path)
    await recordBackup(dump.sql, { at: dump.at(), kind, file, bytes, is_encrypted: passphrase !== undefined })
    return { bytes }
  } finally {
    signal.removeEventListener('abort', interrupt)
    await dump.close()
  }
}
