import { readFileSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { messageOf, RefusesToBoot } from './errors.ts'

/** PEM texts. */
export interface Certificate {
  cert: string
  key: string
}

/** The files of a certificate and its key, which may be renewed while the server runs. */
export class CertificateFiles {
  private modified: string
  current: Certificate

  private constructor(private readonly paths: readonly [cert: string, key: string]) {
    this.modified = this.readModified()
    this.current = this.read()
  }

  /**
   * Reads the files; undefined when none are named.
   * @param names the variables that name them
   * @throws RefusesToBoot when the files are not usable
   */
  static open(cert: string | undefined, key: string | undefined, names: string): CertificateFiles | undefined {
    if (cert === undefined || key === undefined) return undefined
    try {
      return new CertificateFiles([cert, key])
    } catch (error) {
      throw new RefusesToBoot(`${names} is not usable: ${messageOf(error)}.`)
    }
  }

  /**
   * Reads the files again when they have changed; undefined when they have not.
   * @throws Error when the changed files are not usable, once per change
   */
  readIfChanged(): Certificate | undefined {
    const modified = this.readModified()
    if (modified === this.modified) return undefined
    this.modified = modified
    this.current = this.read()
    return this.current
  }

  private readModified(): string {
    return this.paths.map((path) => statSync(path).mtimeMs).join()
  }

  private read(): Certificate {
    const [cert, key] = this.paths.map((path) => readFileSync(path, 'utf8'))
    createSecureContext({ cert, key })
    return { cert: cert ?? '', key: key ?? '' }
  }
}
