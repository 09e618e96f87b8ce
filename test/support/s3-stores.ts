import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
// @ts-expect-error it brings no types
import S3rver from '@20minutes/s3rver'
import { EmbeddedS3, OBJECTS_PATH } from '../../src/storage/embedded-s3.ts'
import { contentDisposition, type ObjectOperations, openObjectStore } from '../../src/storage/object-store.ts'

const bucket = { region: 'us-east-1', bucket: 'parley', pathStyle: true, publicEndpoint: undefined }
const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }

export interface TestStore {
  objects: ObjectOperations
  /** The origin that browsers use; only the embedded store needs it. */
  base: string | undefined
  /** A Content-Disposition that the store supports in a signed URL. */
  disposition: string
  stop(): Promise<void>
}

interface EmbeddedOptions {
  objectBytesMax?: number
  uploadIdleMs?: number
  publicHost?: string
  directory?: string
}

/** The embedded store behind its own HTTP server, without the rest of Parley. */
export function serveEmbedded({
  directory = temporary(),
  objectBytesMax = 64 * 1024 ** 2,
  ...rest
}: EmbeddedOptions = {}) {
  const failures: unknown[] = []
  const onFailure = (error: unknown) => void failures.push(error)
  const store = new EmbeddedS3(directory, { ...bucket, ...keys }, { objectBytesMax, onFailure, ...rest })
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    development: false,
    maxRequestBodySize: 2 * objectBytesMax + 1024,
    fetch: (request) => store.handle(request),
  })
  const stop = async () => {
    await server.stop(true)
    store.close()
    rmSync(directory, { recursive: true, force: true })
  }
  return { store, directory, failures, base: server.url.origin, port: server.port as number, stop }
}

/** The environment of a server that stores its files there. */
export const keptIn = ({ base }: { base: string }): Record<string, string> => ({
  S3_ENDPOINT: base + OBJECTS_PATH,
  S3_REGION: bucket.region,
  S3_BUCKET: bucket.bucket,
  S3_ACCESS_KEY_ID: keys.accessKeyId,
  S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
})

/** The object store on the embedded S3, called directly as in Parley. */
export async function embedded(options?: EmbeddedOptions): Promise<TestStore & ReturnType<typeof serveEmbedded>> {
  const served = serveEmbedded(options)
  const direct = { handle: served.store.handle, path: OBJECTS_PATH }
  const objects = await openObjectStore({ endpoint: `http://localhost${OBJECTS_PATH}`, ...bucket, ...keys }, direct)
  return { ...served, objects, disposition }
}

/** The object store on the embedded S3, over the network. */
export async function embeddedByNetwork(): Promise<TestStore> {
  const { base, stop } = serveEmbedded()
  const objects = await openObjectStore({ endpoint: base + OBJECTS_PATH, ...bucket, ...keys })
  return { objects, base: undefined, disposition, stop }
}

/** An S3 server by others (s3rver), and the environment variables for Parley to use it. */
export async function foreignS3() {
  const directory = temporary()
  const options = { address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: 'parley' }] }
  const server = new S3rver(options)
  const { port } = await server.run()
  const endpoint = `http://127.0.0.1:${port}`
  return {
    endpoint,
    variables: { S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' },
    async stop() {
      server.httpServer.closeAllConnections()
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** The object store on s3rver. */
export async function s3rver(): Promise<TestStore> {
  const { endpoint, stop } = await foreignS3()
  const theirs = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  return {
    objects: await openObjectStore({ endpoint, ...bucket, ...theirs }),
    base: undefined,
    // s3rver does not encode other special characters as SigV4 requires.
    disposition: 'attachment; filename="Eisvogel im Flug.webp"',
    stop,
  }
}

const disposition = contentDisposition('attachment', 'Eisvögel "im" Flug/2 (*).webp')
const temporary = () => mkdtempSync(join(tmpdir(), 'parley-store-'))

/** An SDK client with the keys of the embedded store, for operations that the object store does not use. */
export const sdkClient = (base: string, requestHandler?: S3ClientConfig['requestHandler']) =>
  new S3Client({
    endpoint: base + OBJECTS_PATH,
    region: bucket.region,
    forcePathStyle: true,
    credentials: { accessKeyId: keys.accessKeyId, secretAccessKey: keys.secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    maxAttempts: 1,
    ...(requestHandler ? { requestHandler } : {}),
  })
