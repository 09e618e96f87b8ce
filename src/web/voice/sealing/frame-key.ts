import type { Bytes } from './bytes.ts'
import { SmallGcm } from './small-gcm.ts'

/**
 * Frames up to this length are sealed in the worker's own thread, bytes. WebCrypto hands every frame to another thread
 * and back, which costs more than the encryption of a frame of sound; it is faster for pictures.
 */
export const SMALL_BYTES_MAX = 512

/** The parameters of one frame. */
export interface FrameParameters {
  nonce: Bytes
  authenticated: Bytes
  tagBytes: number
}

/** A key of AES-128-GCM. Both ways make the same bytes. */
export class FrameKey {
  private constructor(
    private readonly webKey: CryptoKey,
    private readonly small: SmallGcm,
  ) {}

  /** @param bytes 16 bytes */
  static async from(bytes: Bytes): Promise<FrameKey> {
    const webKey = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
    return new FrameKey(webKey, new SmallGcm(bytes))
  }

  /** @returns the ciphertext, then the tag */
  seal(parameters: FrameParameters, text: Bytes): Bytes | Promise<Bytes> {
    const { nonce, authenticated, tagBytes } = parameters
    if (text.length <= SMALL_BYTES_MAX) return this.small.encrypt(nonce, authenticated, text, tagBytes)
    return crypto.subtle.encrypt(webParameters(parameters), this.webKey, text).then((sealed) => new Uint8Array(sealed))
  }

  /** @returns undefined if it is not genuine: forged, damaged, or sealed by somebody else */
  open(parameters: FrameParameters, sealed: Bytes): Bytes | undefined | Promise<Bytes | undefined> {
    const { nonce, authenticated, tagBytes } = parameters
    if (sealed.length <= SMALL_BYTES_MAX) return this.small.decrypt(nonce, authenticated, sealed, tagBytes)
    return crypto.subtle.decrypt(webParameters(parameters), this.webKey, sealed).then(
      (text) => new Uint8Array(text),
      () => undefined,
    )
  }
}

const webParameters = ({ nonce: iv, authenticated: additionalData, tagBytes }: FrameParameters): AesGcmParams => ({
  name: 'AES-GCM',
  iv,
  tagLength: 8 * tagBytes,
  additionalData,
})
