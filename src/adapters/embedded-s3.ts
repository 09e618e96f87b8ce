/** The path below which the embedded store answers: `/objects/<bucket>/<key>`. */
export const OBJECTS_PATH = '/objects'

export interface EmbeddedS3 {
  handle(request: Request): Promise<Response>
  close(): void
}

interface Credentials {
  access_key_id: string
  secret_access_key: string
  region: string
  bucket: string
}

interface Limits {
  object_bytes_max: number
  /** The host that clients use, where a proxy sends another one. */
  public_host?: string | undefined
  /** Told of what is our own fault. */
  onFailure?: (error: unknown) => void
}

/** An S3 of our own under a directory. */
export function openEmbeddedS3(_directory: string, _credentials: Credentials, _limits: Limits): EmbeddedS3 {
  return { handle: async () => new Response(null, { status: 501 }), close() {} }
}
