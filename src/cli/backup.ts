import { join, relative, resolve } from 'node:path'
import type { Progress } from '../backup/dump.ts'
import { backupDirectory, backupName } from '../backup/files.ts'
import { makeBackup } from '../backup/make-backup.ts'
import type { ObjectChoice } from '../backup/manifest.ts'
import { readHead } from '../backup/restore.ts'
import { sourceOf } from '../backup/source.ts'
import { RefusesToBoot } from '../core/errors.ts'
import { written } from '../core/program.ts'
import type { Environment } from '../environment.ts'
import { runCommand } from './command.ts'
import { openInstallation } from './installation.ts'
import { askNewPassphrase, askPassphrase } from './passphrase.ts'
import { bytesInWords, showProgress } from './progress.ts'

const TEXT = `${written('backup')} [<file>|-] [--encrypt] [--objects=all|none] [--objects=since --since <file>]
      [--no-secrets]
  Writes one file with the whole installation as it is at one moment, whether the server runs or not: the database, the
  files that people have uploaded, and the secrets. Without <file> it goes into BACKUP_DIR; - is the standard output.

  --encrypt          with the passphrase in BACKUP_PASSPHRASE_FILE, or one that you type
  --objects=all      also the uploaded files: the default, but with S3_ENDPOINT
  --objects=none     without the uploaded files: the default with S3_ENDPOINT
  --objects=since    with the files that were uploaded since the backup that --since names
  --no-secrets       without secrets: relay passwords and links to files that were handed out end with a restore, and
                     authenticator apps no longer fit: people log in by recovery codes and passkeys`

/** Which objects to back up. @throws RefusesToBoot */
async function objectsOf(
  given: string | undefined,
  since: string | undefined,
  environment: Environment,
): Promise<ObjectChoice> {
  const choice = given ?? (since !== undefined ? 'since' : environment.S3_ENDPOINT ? 'none' : 'all')
  if (choice !== 'all' && choice !== 'none' && choice !== 'since')
    throw new RefusesToBoot('--objects is all, none or since.')
  if ((choice === 'since') !== (since !== undefined))
    throw new RefusesToBoot('--objects=since and --since <file> belong together.')
  if (since === undefined || choice !== 'since') return choice === 'none' ? 'none' : 'all'
  const { at } = await readHead(since, () => askPassphrase(environment))
  return { since: at }
}

const newPath = (environment: Environment, isSealed: boolean): string =>
  join(backupDirectory(environment), backupName('manual', new Date(), isSealed))

await runCommand(
  {
    text: TEXT,
    options: {
      encrypt: { type: 'boolean', default: false },
      objects: { type: 'string' },
      since: { type: 'string' },
      'no-secrets': { type: 'boolean', default: false },
    },
    positionals: [0, 1],
  },
  'no backup was written.',
  async ({ values, positionals: [named] }, environment, signal) => {
    const objects = await objectsOf(values.objects, values.since, environment)
    const isSealed = values.encrypt || environment.BACKUP_PASSPHRASE_FILE !== undefined
    const passphrase = isSealed ? await askNewPassphrase(environment) : undefined
    const path = named === '-' ? undefined : named === undefined ? newPath(environment, isSealed) : resolve(named)
    const installation = await openInstallation(environment)
    let progress: Progress | undefined
    const sum = showProgress(() => progress)
    try {
      const source = await sourceOf(environment, installation.address)
      const choice = { objects, secrets: !values['no-secrets'] }
      const { bytes } = await makeBackup(source, choice, { kind: 'manual', path, passphrase, signal }, (counts) => {
        progress = counts
      })
      process.stderr.write(`${sum()}\n${bytesInWords(bytes)} in ${path ?? 'the standard output'}\n`)
    } finally {
      sum()
      await installation.close()
    }
    if (progress?.missing)
      process.stderr.write(`The object store has lost ${progress.missing} objects: they are not in the backup.\n`)
    if (objects === 'none') process.stderr.write('Uploaded files are not in the backup (--objects=all).\n')
    if (values['no-secrets'])
      process.stderr.write('Secrets are not in the backup: relay passwords and links to files end with a restore.\n')
    if (path !== undefined && !relative(environment.DATA_DIR, path).startsWith('..'))
      process.stderr.write('Keep a copy elsewhere: this one is lost with DATA_DIR.\n')
  },
)
