import type { Progress } from '../backup/dump.ts'
import { fillInstallation } from '../backup/empty-installation.ts'
import { demandSessions, readHead, restore } from '../backup/restore.ts'
import { openTarget } from '../backup/target.ts'
import { RefusesToBoot } from '../core/errors.ts'
import { typedCommand } from '../core/program.ts'
import { runCommand } from './command.ts'
import { askPassphrase } from './passphrase.ts'
import { showProgress } from './progress.ts'

const TEXT = `${typedCommand('restore')} <file> [<earlier file>…] [--keep-sessions]
  Restores a backup into an empty installation, selected by DATA_DIR or DATABASE_URL and S3_ENDPOINT: everything, or
  nothing if it fails. Everybody has to log in again. A backup made with --objects=since also needs the earlier files,
  of which only the uploaded files are restored.

  --keep-sessions    for a move: nobody has to log in again. Only for a backup of a stopped server`

await runCommand(
  { text: TEXT, options: { 'keep-sessions': { type: 'boolean', default: false } }, positionals: [1, 100] },
  'nothing was restored.',
  async ({ values, positionals: [file = '', ...earlier] }, environment, signal) => {
    let passphrase: Promise<string> | undefined
    const ask = () => (passphrase ??= askPassphrase(environment))
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
