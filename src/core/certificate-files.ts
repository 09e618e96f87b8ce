import { readFileSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { RefusesToBoot } from '../core/errors.ts'
import type { Environment } from '../environment.ts'
import type { Certificate } from './server/streams.ts'

/** The files of TURN_TLS_CERT and TURN_TLS_KEY. */
export class CertificateFiles {
  private modified: string
  current: Certificate

  private constructor(private readonly paths: readonly [cert: string, key: string]) {
    this.modified = this.readModified()
    this.current = this.read()
  }

  /**
   * Reads the certificate that the environment names; undefined when it names none.
   * @throws RefusesToBoot when the files are not usable
   */
  static open({ TURN_TLS_CERT, TURN_TLS_KEY }: Environment): CertificateFiles | undefined {
    if (TURN_TLS_CERT === undefined || TURN_TLS_KEY === undefined) return undefined
    try {
      return new CertificateFiles([TURN_TLS_CERT, TURN_TLS_KEY])
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new RefusesToBoot(`TURN_TLS_CERT with TURN_TLS_KEY is not usable: ${reason}.`)
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
