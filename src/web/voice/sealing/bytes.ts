export type Bytes = Uint8Array<ArrayBuffer>

export function joined(...parts: Bytes[]): Bytes {
  let length = 0
  for (const part of parts) length += part.length
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
