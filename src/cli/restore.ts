import type { Progress } from '../backup/dump.ts'
import { fillInstallation } from '../backup/empty-installation.ts'
import { demandSessions, readHead, restore } from '../backup/restore.ts'
import { openTarget } from '../backup/target.ts'
import { RefusesToBoot } from '../core/errors.ts'
import { typedCommand } from '../core/program.ts'
import type { Environment } from '../environment.ts'
import { NotUnderstood, runCommand } from './command.ts'
import { askPassphrase } from './passphrase.ts'
import { showProgress } from './progress.ts'

const TEXT = `${typedCommand('restore')} <file> [<earlier file>…] [--keep-sessions]
${typedCommand('restore')} --to <time>|latest
  Restores a backup into an empty installation, selected by DATA_DIR or DATABASE_URL and S3_ENDPOINT: everything, or
  nothing if it fails. Everybody has to log in again. A backup made with --objects=since also needs the earlier files,
  of which only the uploaded files are restored.

  --keep-sessions    for a move: nobody has to log in again. Only for a backup of a stopped server
  --to <time>        the state of that moment, from WAL_ARCHIVE into an empty DATA_DIR: 2026-11-30T19:45:12Z, in UTC
                     unless it names an offset, or latest. Exit code 3 if the archive is damaged and an earlier state
                     was restored`

/** Exit code if less was restored than asked for. */
const LESS = 3

/** `--to`: restores from the archive. */
async function fromArchive(environment: Environment, time: string, ask: () => Promise<string>, signal: AbortSignal) {
  if (environment.DATABASE_URL !== undefined)
    throw new RefusesToBoot('Only the embedded database has an archive: unset DATABASE_URL.')
  const { parseTo, restoreTo } = await import('../backup/wal/restore-to.ts')
  const say = (line: string) => void process.stderr.write(`${line}.\n`)
  const restored = await restoreTo(environment, parseTo(time), ask, signal, say)
  for (const sentence of restored.passed) say(`${sentence}; an earlier copy was used`)
  const { objects, missing, last, at, shortage } = restored
  if (!restored.hasSecrets) say('The secrets are missing: links to files and authenticator apps no longer work')
  say(`Uploaded files: ${objects} from the archive, ${missing} missing or damaged`)
  say(`Restored to ${at}${last === null ? '' : `, with the last change at ${last}`}. Everybody has to log in again`)
  if (shortage === undefined) return
  say(`${shortage}: nothing after ${at} was restored`)
  process.exit(LESS)
}

await runCommand(
  {
    text: TEXT,
    options: { 'keep-sessions': { type: 'boolean', default: false }, to: { type: 'string' } },
    positionals: [0, 100],
  },
  'nothing was restored.',
  async ({ values, positionals: [file, ...earlier] }, environment, signal) => {
    let passphrase: Promise<string> | undefined
    const ask = () => (passphrase ??= askPassphrase(environment))
    if (values.to !== undefined) {
      if (file !== undefined || values['keep-sessions'])
        throw new NotUnderstood('--to takes neither a file nor --keep-sessions.')
      return fromArchive(environment, values.to, ask, signal)
    }
    if (file === undefined) throw new NotUnderstood('Name a backup, or a time with --to.')
    // Check that the backup can be restored, before creating anything.
    const head = await readHead(file, ask)
    if (values['keep-sessions']) demandSessions(head)
    const { objects, since } = head
    if (objects === 'since' && earlier.length === 0 && !environment.S3_ENDPOINT)
      throw new RefusesToBoot(`This backup only has files uploaded since ${since}: name the earlier backups too.`)
    let progress: Progress | undefined
    const sum = showProgress(() => progress)
    const options = { ask, keepSessions: values['keep-sessions'], earlier, check: false, signal }
    try {
      const target = await openTarget(environment)
      await fillInstallation(environment, (address) =>
        restore(file, address, target, options, (counts) => (progress = counts)),
      )
      process.stderr.write(`${sum()}\nRestored. ${values['keep-sessions'] ? '' : 'Everybody has to log in again.'}\n`)
    } finally {
      sum()
    }
    if (objects !== 'all')
      process.stderr.write('Files that are not in this backup must already be in the object store.\n')
  },
)
