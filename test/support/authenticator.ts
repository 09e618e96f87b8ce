import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { Assertion, CreationOptions, NewCredential, RequestOptions } from '../../src/features/passkeys/model.ts'

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data).digest()

/** Flags of WebAuthn §6.1: user present, user verified, credential data included. */
const [PRESENT, VERIFIED, ATTESTED] = [1, 4, 64]

/** Deviations of an attacker's authenticator. */
export interface Odd {
  origin?: string
  rp_id?: string
  type?: string
  unverified?: boolean
  /** It was asked in a frame of another site's page. */
  crossOrigin?: boolean
  /** The counter that it says, in place of the next. */
  count?: number
  challenge?: string
  userHandle?: string
}

/** An authenticator in software, which does whatever a test asks: Chromium's own refuses what an attacker tries. */
export class Authenticator {
  private readonly id = randomBytes(32)
  private readonly privateKey: KeyObject
  private readonly publicKey: KeyObject
  private handle = ''
  count = 0

  constructor(private readonly origin: string) {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.privateKey = pair.privateKey
    this.publicKey = pair.publicKey
  }

  private clientData(type: string, challenge: string, odd: Odd): Buffer {
    const { origin = this.origin, crossOrigin = false } = odd
    const clientData = { type: odd.type ?? type, challenge: odd.challenge ?? challenge }
    return Buffer.from(JSON.stringify({ ...clientData, origin, crossOrigin }))
  }

  /** WebAuthn §6.1. */
  private data(rpId: string, odd: Odd, attested = Buffer.alloc(0)): Buffer {
    const flags = PRESENT | (odd.unverified ? 0 : VERIFIED) | (attested.length > 0 ? ATTESTED : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(odd.count ?? ++this.count)
    return Buffer.concat([sha256(odd.rp_id ?? rpId), Buffer.from([flags]), count, attested])
  }

  make({ challenge, rp, user }: CreationOptions, odd: Odd = {}, fmt = 'none'): NewCredential {
    this.handle = user.id
    const { x = '', y = '' } = this.publicKey.export({ format: 'jwk' })
    // RFC 9053 §7.1.1: EC2, ES256, P-256.
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ])
    const attested = [Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, isoCBOR.encode(key as never)]
    const object = new Map<string, unknown>([
      ['fmt', fmt],
      ['attStmt', new Map()],
      ['authData', this.data(rp.id, odd, Buffer.concat(attested))],
    ])
    const id = base64url(this.id)
    const clientDataJSON = base64url(this.clientData('webauthn.create', challenge, odd))
    const attestationObject = base64url(isoCBOR.encode(object as never))
    return { id, rawId: id, type: 'public-key', response: { clientDataJSON, attestationObject, transports: ['usb'] } }
  }

  answer({ challenge, rpId }: RequestOptions, odd: Odd = {}): Assertion {
    const client = this.clientData('webauthn.get', challenge, odd)
    const data = this.data(rpId, odd)
    const signature = createSign('sha256').update(data).update(sha256(client)).sign(this.privateKey)
    const id = base64url(this.id)
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle: odd.userHandle ?? this.handle,
      },
    }
  }
}
