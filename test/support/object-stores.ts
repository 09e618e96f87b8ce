import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// @ts-expect-error it brings no types
import S3rver from '@20minutes/s3rver'
import { DirectoryStore } from '../../src/storage/directory-store.ts'
import { contentDisposition, type ObjectOperations } from '../../src/storage/object-store.ts'
import { openS3Store } from '../../src/storage/s3-store.ts'

const bucket = { region: 'us-east-1', bucket: 'parley', pathStyle: true, publicEndpoint: undefined }

export interface TestStore {
  objects: ObjectOperations
  /** The origin that browsers use; only the directory needs it. */
  base: string | undefined
  /** A Content-Disposition that the store supports in a signed URL. */
  disposition: string
  stop(): Promise<void>
}

interface DirectoryOptions {
  objectBytesMax?: number
  uploadIdleMs?: number
  directory?: string
  secret?: string
}

/** The store of a directory behind its own HTTP server, without the rest of Parley. */
export async function directoryStore({
  directory = temporary(),
  objectBytesMax = 64 * 1024 ** 2,
  ...rest
}: DirectoryOptions = {}) {
  const failures: unknown[] = []
  const onFailure = (error: unknown) => void failures.push(error)
  const options = { secret: 's'.repeat(43), origin: 'http://localhost', objectBytesMax, onFailure, ...rest }
  const objects = new DirectoryStore(directory, options)
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    development: false,
    maxRequestBodySize: 2 * objectBytesMax + 1024,
    fetch: (request) => objects.handle(request, 'r'),
  })
  const stop = async () => {
    await server.stop(true)
    objects.close()
    rmSync(directory, { recursive: true, force: true })
  }
  return { objects, directory, failures, base: server.url.origin, port: server.port as number, disposition, stop }
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
    objects: await openS3Store({ endpoint, ...bucket, ...theirs }),
    base: undefined,
    // s3rver does not encode other special characters as SigV4 requires.
    disposition: 'attachment; filename="Eisvogel im Flug.webp"',
    stop,
  }
}

const disposition = contentDisposition('attachment', 'Eisvögel "im" Flug/2 (*).webp')
const temporary = () => mkdtempSync(join(tmpdir(), 'parley-store-'))
