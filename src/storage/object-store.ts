import type { StreamedPut } from './streamed-put.ts'

interface PresignedPut {
  key: string
  content_type: string
  /** Exact size in bytes. */
  size: number
  expiresS: number
  /** The origin that the client uses; only the store in DATA_DIR needs it. */
  base?: string
}

interface PresignedGet {
  key: string
  /** Overrides the stored type, as `disposition` overrides the stored disposition. */
  content_type: string
  disposition: string
  expiresS: number
  base?: string
}

/** Stores the files: an S3, or a directory. If an S3 is unreachable, methods throw the SDK's error. */
export interface ObjectOperations {
  /** A URL that fixes method, key, size, type and expiry; and the headers that the client must send. */
  presignPut(o: PresignedPut): Promise<{ url: string; headers: Record<string, string> }>
  presignGet(o: PresignedGet): Promise<string>
  head(key: string): Promise<{ size: number; content_type: string; etag: string } | undefined>
  /** Streams an object or a range of it; undefined if it is missing. The caller must start reading at once. */
  get(key: string, range?: { start: number; end: number }): Promise<ReadableStream<Uint8Array> | undefined>
  /** Copies within the store; false if the source is missing or has another ETag. */
  copy(o: { from: string; to: string; etag: string }): Promise<boolean>
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>
  /** Stores an object of any size in bounded memory. It appears once the last byte is stored. */
  putStream(o: StreamedPut): Promise<void>
  /** Also succeeds if the object is missing. */
  delete(key: string): Promise<void>
}

/** The object store as the features use it. */
export interface ObjectStore extends ObjectOperations {
  isReady(): Promise<boolean>
  /** True if there is no space for this many bytes; only a directory can tell. */
  isFull(bytes?: number): Promise<boolean>
}

/**
 * A Content-Disposition whose file name every browser understands: in ASCII, plus UTF-8 if the two differ. Source: RFC
 * 6266 §4.3 and appendix D, RFC 8187 §3.2.
 */
export function contentDisposition(kind: 'inline' | 'attachment', filename: string): string {
  const name = filename.toWellFormed()
  // Old browsers interpret these characters as a path, an escape or another parameter.
  const plain = name.replace(/[^ -~]/gu, '_').replace(/["%/\\]/g, '_')
  const disposition = `${kind}; filename="${plain}"`
  if (plain === name) return disposition
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) =>
    `%${sign.charCodeAt(0).toString(16)}`.toUpperCase(),
  )
  return `${disposition}; filename*=UTF-8''${encoded}`
}
