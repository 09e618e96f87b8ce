import { join, relative, resolve } from 'node:path'
import type { Progress } from '../backup/dump.ts'
import { backupDirectory, backupName } from '../backup/files.ts'
import { makeBackup } from '../backup/make-backup.ts'
import type { ObjectChoice } from '../backup/manifest.ts'
import { readHead } from '../backup/restore.ts'
import { sourceOf } from '../backup/source.ts'
import { RefusesToBoot } from '../core/errors.ts'
import { typedCommand } from '../core/program.ts'
import type { Environment } from '../environment.ts'
import { runCommand } from './command.ts'
import { openInstallation } from './installation.ts'
import { askNewPassphrase, askPassphrase } from './passphrase.ts'
import { bytesInWords, showProgress } from './progress.ts'

const TEXT = `${typedCommand('backup')} [<file>|-] [--encrypt] [--objects=all|none] [--objects=since --since <file>]
      [--no-secrets]
  Writes the whole installation, as of one moment, to one file: the database, the uploaded files, and the secrets. The
  server may be running or stopped. Without <file> the backup goes into BACKUP_DIR; - is the standard output.

  --encrypt          encrypted with the passphrase in BACKUP_PASSPHRASE_FILE, or one that you type
  --objects=all      with the uploaded files: the default without S3_ENDPOINT
  --objects=none     without the uploaded files: the default with S3_ENDPOINT
  --objects=since    with only the files uploaded since the backup named by --since
  --no-secrets       without secrets: a restore invalidates relay passwords, links to files and authenticator apps, so
                     that people have to log in with recovery codes and passkeys`

/** Which objects to back up. @throws RefusesToBoot */
async function objectsOf(
  objectsOption: string | undefined,
  since: string | undefined,
  environment: Environment,
): Promise<ObjectChoice> {
  const choice = objectsOption ?? (since !== undefined ? 'since' : environment.S3_ENDPOINT ? 'none' : 'all')
  if (choice !== 'all' && choice !== 'none' && choice !== 'since')
    throw new RefusesToBoot('--objects must be all, none or since.')
  if ((choice === 'since') !== (since !== undefined))
    throw new RefusesToBoot('Use --objects=since and --since <file> together.')
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
  async ({ values, positionals: [pathArgument] }, environment, signal) => {
    const objects = await objectsOf(values.objects, values.since, environment)
    const isSealed = values.encrypt || environment.BACKUP_PASSPHRASE_FILE !== undefined
    const passphrase = isSealed ? await askNewPassphrase(environment) : undefined
    const path =
      pathArgument === '-'
        ? undefined
        : pathArgument === undefined
          ? newPath(environment, isSealed)
          : resolve(pathArgument)
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
      process.stderr.write(`${progress.missing} objects are missing from the object store and from the backup.\n`)
    if (objects === 'none') process.stderr.write('Uploaded files are not in the backup (--objects=all).\n')
    if (values['no-secrets'])
      process.stderr.write('Secrets are not in the backup: a restore invalidates relay passwords and links to files.\n')
    if (path !== undefined && !relative(environment.DATA_DIR, path).startsWith('..'))
      process.stderr.write('Keep a copy elsewhere: this one is in DATA_DIR and would be lost with it.\n')
  },
)
