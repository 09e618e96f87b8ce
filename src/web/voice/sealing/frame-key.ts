import type { Bytes } from './bytes.ts'
import { SmallGcm } from './small-gcm.ts'
import type { Soon } from './soon.ts'

/**
 * Frames up to this length are sealed in the worker's own thread, bytes. WebCrypto hands every frame to another thread
 * and back, which costs more than the encryption of sound and of most pictures.
 */
export const SMALL_BYTES_MAX = 8_192

/** The parameters of one frame. */
export interface FrameParameters {
  /** 12 bytes. */
  nonce: Bytes
  authenticated: Bytes
  tagBytes: number
}

/** A key of AES-128-GCM. Both ways make the same bytes. */
export class FrameKey {
  private constructor(
    private readonly webKey: CryptoKey,
    private readonly small: SmallGcm | undefined,
  ) {}

  /** @param bytes 16 bytes */
  static async from(bytes: Bytes): Promise<FrameKey> {
    const webKey = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
    return new FrameKey(webKey, SmallGcm.from(bytes))
  }

  /** @returns the ciphertext, then the tag */
  seal(parameters: FrameParameters, text: Bytes): Soon<Bytes> {
    const { nonce, authenticated, tagBytes } = parameters
    if (this.small && isSmall(parameters, text)) return this.small.encrypt(nonce, authenticated, text, tagBytes)
    return crypto.subtle.encrypt(webParameters(parameters), this.webKey, text).then((sealed) => new Uint8Array(sealed))
  }

  /** @returns undefined if it is not genuine: forged, damaged, or sealed by somebody else */
  open(parameters: FrameParameters, sealed: Bytes): Soon<Bytes | undefined> {
    const { nonce, authenticated, tagBytes } = parameters
    if (this.small && isSmall(parameters, sealed)) return this.small.decrypt(nonce, authenticated, sealed, tagBytes)
    return crypto.subtle.decrypt(webParameters(parameters), this.webKey, sealed).then(
      (text) => new Uint8Array(text),
      () => undefined,
    )
  }
}

/** A readable part, which is authenticated, may be of any length. */
const isSmall = ({ authenticated }: FrameParameters, text: Bytes): boolean =>
  authenticated.length + text.length <= SMALL_BYTES_MAX

const webParameters = ({ nonce: iv, authenticated: additionalData, tagBytes }: FrameParameters): AesGcmParams => ({
  name: 'AES-GCM',
  iv,
  tagLength: 8 * tagBytes,
  additionalData,
})
