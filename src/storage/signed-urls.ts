import { createHmac, timingSafeEqual } from 'node:crypto'
import { Problem } from '../core/errors.ts'

/** A signed URL lets its holder store one object of this size and type, or read one with these headers. */
export type Grant =
  | { method: 'PUT'; key: string; expires: number; size: number; type: string }
  | { method: 'GET'; key: string; expires: number; type: string; disposition: string }

const DIGITS = /^\d{1,12}$/

/** Signs and verifies the URLs of objects, with one secret. */
export class SignedUrls {
  constructor(private readonly secret: string) {}

  /** The object's path below the store's, with the signed parameters. */
  sign(grant: Grant): string {
    const parameters = Object.fromEntries(parametersOf(grant))
    const query = new URLSearchParams({ ...parameters, signature: this.signatureOf(grant) })
    return `${grant.key.split('/').map(encodeURIComponent).join('/')}?${query}`
  }

  /**
   * Reads and verifies a URL.
   * @param key decoded
   * @param nowS seconds since 1970
   * @throws Problem `forbidden` if the signature is wrong or the URL has expired
   */
  verify(method: 'PUT' | 'GET', key: string, query: URLSearchParams, nowS: number): Grant {
    const read = (name: string) => query.get(name) ?? ''
    const [expires, size, type] = [read('expires'), read('size'), read('type')]
    if (!DIGITS.test(expires) || (method === 'PUT' && !DIGITS.test(size))) throw invalid()
    const grant: Grant =
      method === 'PUT'
        ? { method, key, expires: Number(expires), size: Number(size), type }
        : { method, key, expires: Number(expires), type, disposition: read('disposition') }
    const [signature, ownSignature] = [Buffer.from(read('signature')), Buffer.from(this.signatureOf(grant))]
    if (signature.length !== ownSignature.length || !timingSafeEqual(signature, ownSignature)) throw invalid()
    if (grant.expires <= nowS) throw new Problem('forbidden', 'This link has expired')
    return grant
  }

  private signatureOf(grant: Grant): string {
    const parts = [grant.method, grant.key, ...parametersOf(grant)]
    return createHmac('sha256', this.secret).update(JSON.stringify(parts)).digest('base64url')
  }
}

const parametersOf = (grant: Grant): [string, string][] =>
  grant.method === 'PUT'
    ? [
        ['expires', String(grant.expires)],
        ['size', String(grant.size)],
        ['type', grant.type],
      ]
    : [
        ['expires', String(grant.expires)],
        ['type', grant.type],
        ['disposition', grant.disposition],
      ]

const invalid = () => new Problem('forbidden', 'This link is not valid')
