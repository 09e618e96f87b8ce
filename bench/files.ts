import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openChild, residentBytes } from './processes.ts'
import { atMost, type Figure } from './report.ts'
import { seed } from './seed.ts'
import { type BenchServer, withServer } from './server.ts'

const ROUNDS = 5
const MEGABYTES = 100
const BYTES = MEGABYTES * 1024 * 1024
const RSS_MB_MAX = 32
const SAMPLE_MS = 10
/** Uncounted rounds, in which the SDK loads and the heap grows. */
const WARM_UP = 1

interface Round {
  up: number
  down: number
}

/** MB/s of one upload and one download. */
async function round(put: () => Promise<Response>, get: () => Promise<Response>): Promise<Round> {
  const megabytesPerSecond = async (move: () => Promise<Response>, bytes: number) => {
    const started = performance.now()
    const answer = await move()
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    let length = 0
    for await (const chunk of answer.body ?? []) length += chunk.length
    if (length !== bytes) throw new Error(`${length} bytes came back, not ${bytes}`)
    return MEGABYTES / ((performance.now() - started) / 1000)
  }
  return { up: await megabytesPerSecond(put, 0), down: await megabytesPerSecond(get, BYTES) }
}

/** A round of a client: announce, PUT, record, get the download URL, GET. */
async function parleyRound({ url }: BenchServer, token: string, source: Blob): Promise<Round> {
  const api = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return answer.status === 204 ? undefined : answer.json()
  }
  const draft = { filename: 'bench.bin', content_type: 'application/octet-stream', size: BYTES }
  const upload = await api('POST', '/api/files/upload-url', draft)
  let file = { id: 0 }
  const result = await round(
    () => fetch(upload.upload_url, { method: 'PUT', headers: upload.headers, body: source }),
    async () => {
      file = await api('POST', '/api/files', { key: upload.key })
      const { download_url } = await api('GET', `/api/files/${file.id}/download-url`)
      return fetch(download_url)
    },
  )
  await api('DELETE', `/api/files/${file.id}`)
  return result
}

/** Runs `work` and measures the growth of the process's resident memory in MB. */
async function watchMemory<T>(pid: number, work: () => Promise<T>): Promise<{ value: T; grown_mb: number }> {
  const before = residentBytes(pid)
  let most = before
  const timer = setInterval(() => (most = Math.max(most, residentBytes(pid))), SAMPLE_MS)
  const value = await work().finally(() => clearInterval(timer))
  return { value, grown_mb: (most - before) / 1024 ** 2 }
}

/** 100 MiB up and down through pre-signed URLs and the embedded store, against a bare file server. */
export const files = (): Promise<Figure[]> =>
  withServer(async (bench) => {
    const [person] = await seed(bench, { users: 1, servers: 1, servers_per_user: 1, channels_per_server: 1 })
    const directory = mkdtempSync(join(tmpdir(), 'parley-bench-files-'))
    const path = join(directory, 'source')
    writeFileSync(path, crypto.getRandomValues(new Uint8Array(65_536)))
    const block = await Bun.file(path).bytes()
    writeFileSync(path, Buffer.concat(Array.from({ length: BYTES / block.length }, () => block)))
    const source = Bun.file(path)
    const bare = openChild('bare-file-server.ts')
    const origin = await bare.ask<string>('url')
    const [ours, theirs, grown]: [Round[], Round[], number[]] = [[], [], []]
    try {
      for (let at = -WARM_UP; at < ROUNDS; at++) {
        const one = await watchMemory(bench.process.pid, () => parleyRound(bench, person?.token ?? '', source))
        const other = await round(
          () => fetch(origin, { method: 'PUT', body: source }),
          () => fetch(origin),
        )
        if (at < 0) continue
        ours.push(one.value)
        theirs.push(other)
        grown.push(one.grown_mb)
      }
    } finally {
      await bare.stop()
      rmSync(directory, { recursive: true, force: true })
    }
    const speed = (name: string, of: 'up' | 'down'): Figure => ({
      name,
      unit: 'MB/s',
      parley: ours.map((one) => one[of]),
      reference: { name: 'bare file server', values: theirs.map((one) => one[of]) },
    })
    return [
      speed('100 MiB up', 'up'),
      speed('100 MiB down, recording included', 'down'),
      {
        name: 'growth of resident memory meanwhile',
        unit: 'MB',
        parley: grown,
        target: atMost(RSS_MB_MAX, Math.max(...grown), `< ${RSS_MB_MAX} MB in every round`),
      },
    ]
  })
