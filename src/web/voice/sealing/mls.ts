import {
  type Capabilities,
  type CiphersuiteImpl,
  decodeMlsMessage,
  encodeMlsMessage,
  getCiphersuiteFromName,
  getCiphersuiteImpl,
  type MLSMessage,
} from 'ts-mls'

// The part of MLS (RFC 9420) that calls use.

const SUITE = 'MLS_128_DHKEMX25519_AES128GCM_SHA256_Ed25519'
let loading: Promise<CiphersuiteImpl> | undefined
export const suite = (): Promise<CiphersuiteImpl> => (loading ??= getCiphersuiteImpl(getCiphersuiteFromName(SUITE)))

/** Only what calls use, because every leaf lists it, and a welcome with 64 leaves has to fit into a frame. */
export const CAPABILITIES: Capabilities = {
  versions: ['mls10'],
  ciphersuites: [SUITE],
  extensions: [],
  proposals: [],
  credentials: ['basic'],
}

export const encoded = (message: MLSMessage): string =>
  btoa(Array.from(encodeMlsMessage(message), (byte) => String.fromCharCode(byte)).join(''))

/** @throws Error if the text is not one message */
export function decoded(text: string): MLSMessage {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  const [message, length] = decodeMlsMessage(bytes, 0) ?? []
  if (!message || length !== bytes.length) throw new Error('A message of the group is malformed')
  return message
}

export const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at])
