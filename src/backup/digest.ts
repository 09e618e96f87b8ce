import { createHash } from 'node:crypto'

const NEWLINE = 10

/** Running length, SHA-256 and line count of a stream. */
export class RunningDigest {
  private readonly hash = createHash('sha256')
  private bytes = 0
  lines = 0

  update(chunk: Buffer): void {
    this.hash.update(chunk)
    this.bytes += chunk.length
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) this.lines++
  }

  /** Finishes the digest. */
  part(): { bytes: number; sha256: string } {
    return { bytes: this.bytes, sha256: this.hash.digest('hex') }
  }
}

/** The length and SHA-256 of these bytes. */
export function digestOf(bytes: Buffer): { bytes: number; sha256: string } {
  const digest = new RunningDigest()
  digest.update(bytes)
  return digest.part()
}
