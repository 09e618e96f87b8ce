import { basename } from 'node:path'
import { writeArchive, writeArchiveToStdout } from './archive.ts'
import { type Choice, openDump, type Progress, type Source } from './dump.ts'
import type { Kind } from './files.ts'
import { recordBackup } from './record.ts'

/** Destination of a backup. */
export interface Destination {
  kind: Kind
  /** Undefined writes to standard output. */
  path: string | undefined
  passphrase: string | undefined
  signal: AbortSignal
}

/**
 * Makes a backup and records it.
 * @param onProgress called once with counts that keep changing
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
  // Cancels the running statement, which may wait for a lock.
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
