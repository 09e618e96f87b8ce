import { expect } from 'bun:test'
import type { Person } from './harness.ts'

/** A PNG of the given size in pixels. */
export async function png(width: number, height: number): Promise<Uint8Array> {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  return new Bun.Image(Buffer.from(pixel, 'base64')).resize(width, height, { fit: 'fill' }).png().bytes()
}

/** A progressive JPEG of grey pixels with the given number of scans. */
export function jpeg(scans: number, edge = 8): Uint8Array {
  const codes = (table: number, symbol: number) => [0xff, 0xc4, 0, 20, table, 1, ...Array(15).fill(0), symbol]
  // A bit for each block of 8 × 8 pixels.
  const blocks = new Uint8Array(Math.ceil(Math.ceil(edge / 8) ** 2 / 8))
  const scan = (from: number, to: number) =>
    Buffer.concat([Uint8Array.of(0xff, 0xda, 0, 8, 1, 1, 0, from, to, 0), blocks])
  const size = [edge >> 8, edge & 255]
  const frame = [0xff, 0xc2, 0, 11, 8, ...size, ...size, 1, 1, 0x11, 0]
  const quantisation = [0xff, 0xdb, 0, 67, 0, ...Array(64).fill(1)]
  const head = Uint8Array.from([0xff, 0xd8, ...quantisation, ...frame, ...codes(0, 0), ...codes(0x10, 0)])
  const rest = Array.from({ length: scans - 1 }, () => scan(1, 63))
  return Buffer.concat([head, scan(0, 0), ...rest, Uint8Array.of(0xff, 0xd9)])
}

/** Announces an upload. */
export async function announce(person: Person, filename: string, content_type: string, size: number) {
  const answer = await person.post('/api/files/upload-url', { filename, content_type, size })
  expect(answer.status).toBe(201)
  return answer.body as { upload_url: string; headers: Record<string, string>; key: string }
}

/** Uploads bytes to an announced URL. */
export const put = (upload: { upload_url: string; headers: Record<string, string> }, bytes: Uint8Array) =>
  fetch(upload.upload_url, { method: 'PUT', headers: upload.headers, body: bytes as Uint8Array<ArrayBuffer> })

/** Announces, uploads and records a file. */
export async function upload(person: Person, filename: string, content_type: string, bytes: Uint8Array) {
  const announced = await announce(person, filename, content_type, bytes.length)
  expect((await put(announced, bytes)).status).toBe(200)
  const record = await person.post('/api/files', { key: announced.key })
  expect(record.status).toBe(201)
  return record.body as { id: number; width: number | null; height: number | null; alt: string | null }
}

/** Downloads a file by its download URL. */
export async function download(person: Person, id: number, query = '', headers: Record<string, string> = {}) {
  const answer = await person.get(`/api/files/${id}/download-url${query}`)
  expect(answer.status).toBe(200)
  return fetch(answer.body.download_url, { headers })
}

const AVIF = `
AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAA
AGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAB0AAAAoaWluZgAAAAAAAQAAABppbmZl
AgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAAIAAAACAAAAEHBpeGkAAAAAAwgICAAAAAxh
djFDgQ0MAAAAABNjb2xybmNseAACAAIAAYAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAACVtZGF0EgAKCBgANogQEAwgMg8f8D//
/8WfhwB8+ErK42A=`

/** An AVIF picture of 2 by 2 pixels. */
export const avif = (): Uint8Array => Buffer.from(AVIF, 'base64')

/** Silence: a WAV of 8 bits. */
export function wav(seconds = 1): Uint8Array {
  const bytes = seconds * 8000
  const head = Buffer.alloc(44)
  head.write('RIFF')
  head.writeUInt32LE(bytes + 36, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(8000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(bytes, 40)
  return Buffer.concat([head, Buffer.alloc(bytes, 128)])
}
