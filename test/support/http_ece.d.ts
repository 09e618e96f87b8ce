declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'
  /** Source: the package's README. */
  export function decrypt(body: Buffer, options: { version: string; privateKey: ECDH; authSecret: string }): Buffer
}
