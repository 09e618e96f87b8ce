/** A new id of a request, which is in no other: 32 digits. `crypto.randomUUID` is missing in pages without HTTPS. */
export const newNonce = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
