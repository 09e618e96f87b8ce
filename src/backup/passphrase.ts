import { readFile } from 'node:fs/promises'
import { messageOf, RefusesToBoot } from '../core/errors.ts'
import type { Environment } from '../environment.ts'

const LENGTH_MIN = 8
const LENGTH_MAX = 1024

/** @throws RefusesToBoot if the passphrase is too short or too long */
export function demandPassphrase(passphrase: string, from: string): string {
  if (passphrase.length < LENGTH_MIN || passphrase.length > LENGTH_MAX)
    throw new RefusesToBoot(`${from} is no valid passphrase: use ${LENGTH_MIN} to ${LENGTH_MAX} characters.`)
  return passphrase
}

/** The first line of BACKUP_PASSPHRASE_FILE, if it is set. @throws RefusesToBoot */
export async function passphraseOf({
  BACKUP_PASSPHRASE_FILE: path,
}: Pick<Environment, 'BACKUP_PASSPHRASE_FILE'>): Promise<string | undefined> {
  if (path === undefined) return undefined
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new RefusesToBoot(`BACKUP_PASSPHRASE_FILE is not usable: ${messageOf(error)}.`)
  })
  return demandPassphrase(text.split(/\r?\n/, 1)[0] ?? '', 'The first line of BACKUP_PASSPHRASE_FILE')
}
