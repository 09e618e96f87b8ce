import { demandPassphrase, passphraseOf } from '../backup/passphrase.ts'
import { RefusesToBoot } from '../core/errors.ts'
import type { Environment } from '../environment.ts'

/** Reads the passphrase from BACKUP_PASSPHRASE_FILE or the terminal. @throws RefusesToBoot */
export async function askPassphrase(environment: Environment): Promise<string> {
  const filePassphrase = await passphraseOf(environment)
  if (filePassphrase !== undefined) return filePassphrase
  if (!process.stdin.isTTY)
    throw new RefusesToBoot('The backup is encrypted: name a file with the passphrase in BACKUP_PASSPHRASE_FILE.')
  return demandPassphrase(await typed('Passphrase: '), 'What you typed')
}

/** Reads a new passphrase, typed twice. @throws RefusesToBoot */
export async function askNewPassphrase(environment: Environment): Promise<string> {
  const passphrase = await askPassphrase(environment)
  if (environment.BACKUP_PASSPHRASE_FILE !== undefined) return passphrase
  if ((await typed('Repeat it: ')) !== passphrase) throw new RefusesToBoot('The two differ: nothing was written.')
  return passphrase
}

/** Reads a line from the terminal without showing it. */
function typed(question: string): Promise<string> {
  const { stdin, stderr } = process
  stderr.write(question)
  stdin.setRawMode(true)
  return new Promise((resolve, reject) => {
    let line = ''
    const end = () => {
      stdin.setRawMode(false)
      stdin.pause()
      stdin.off('data', readChunk)
      stderr.write('\n')
    }
    const readChunk = (chunk: Buffer) => {
      for (const sign of chunk.toString()) {
        if (sign === '\r' || sign === '\n') return void (end(), resolve(line))
        if (sign === '\u0003' || sign === '\u0004') return void (end(), reject(new RefusesToBoot('Interrupted.')))
        line = sign === '\u007F' || sign === '\b' ? line.slice(0, -1) : line + sign
      }
    }
    stdin.on('data', readChunk).resume()
  })
}
