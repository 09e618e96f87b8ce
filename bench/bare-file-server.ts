import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveCommands } from './processes.ts'

// The reference: Bun.serve that stores a PUT in a file with fsync, and serves the file.
const directory = mkdtempSync(join(tmpdir(), 'parley-bare-files-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  maxRequestBodySize: 1024 ** 3,
  async fetch(request) {
    const path = join(directory, 'object')
    if (request.method === 'GET') return new Response(Bun.file(path))
    const file = await open(path, 'w')
    for await (const chunk of request.body ?? []) await file.write(chunk)
    await file.sync()
    await file.close()
    return new Response()
  },
})

serveCommands({ url: () => server.url.origin })
