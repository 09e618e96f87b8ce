import { expect } from 'bun:test'
import type { Person } from './harness.ts'

/** A PNG of that size, made here. */
export async function png(width: number, height: number): Promise<Uint8Array> {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  return new Bun.Image(Buffer.from(pixel, 'base64')).resize(width, height, { fit: 'fill' }).png().bytes()
}

/** The announcement of an upload. */
export async function announce(who: Person, filename: string, content_type: string, size: number) {
  const answer = await who.post('/api/files/upload-url', { filename, content_type, size })
  expect(answer.status).toBe(201)
  return answer.body as { upload_url: string; headers: Record<string, string>; key: string }
}

/** Puts bytes where an upload URL says. */
export const put = (upload: { upload_url: string; headers: Record<string, string> }, bytes: Uint8Array) =>
  fetch(upload.upload_url, { method: 'PUT', headers: upload.headers, body: bytes as Uint8Array<ArrayBuffer> })

/** The whole flow: announce, upload, record. */
export async function upload(who: Person, filename: string, content_type: string, bytes: Uint8Array) {
  const announced = await announce(who, filename, content_type, bytes.length)
  expect((await put(announced, bytes)).status).toBe(200)
  const record = await who.post('/api/files', { key: announced.key })
  expect(record.status).toBe(201)
  return record.body as { id: number; width: number | null; height: number | null }
}

/** Follows a file's download URL. */
export async function download(who: Person, id: number, query = '', headers: Record<string, string> = {}) {
  const answer = await who.get(`/api/files/${id}/download-url${query}`)
  expect(answer.status).toBe(200)
  return fetch(answer.body.download_url, { headers })
}
