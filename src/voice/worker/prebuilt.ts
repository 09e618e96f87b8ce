import { writeFile } from 'node:fs/promises'
import { release } from 'node:os'

/** Short, because the build from source waits for an unreachable host. */
const ANSWER_SECONDS_MAX = 8
const DOWNLOAD_SECONDS_MAX = 180
const ARCHIVE_BYTES_MAX = 64 * 1024 * 1024

/** The name of upstream's archive for this machine. Source: mediasoup's npm-scripts.mjs. */
export function archiveName(version: string): string {
  const kernel = process.platform === 'linux' ? `-kernel${release().split('.')[0]}` : ''
  return `mediasoup-worker-${version}-${process.platform}-${process.arch}${kernel}.tgz`
}

/**
 * Downloads the executable that upstream's postinstall would download. Upstream publishes no checksums: HTTPS proves
 * the origin, and the self-test proves that it works.
 * @param base URL of upstream's releases, or of a mirror
 * @param output path of the executable to make
 * @throws Error with one sentence if there is none for this machine, or the download takes too long
 */
export async function fetchPrebuilt(base: string, version: string, output: string, signal: AbortSignal): Promise<void> {
  const url = `${base}/${version}/${archiveName(version)}`
  const answerLimit = new AbortController()
  const timer = setTimeout(() => answerLimit.abort(), ANSWER_SECONDS_MAX * 1000)
  const limits = [signal, answerLimit.signal, AbortSignal.timeout(DOWNLOAD_SECONDS_MAX * 1000)]
  const response = await fetch(url, { signal: AbortSignal.any(limits) })
    .catch((error: Error) => {
      signal.throwIfAborted()
      throw new Error(`${new URL(url).host} cannot be reached (${error.message})`)
    })
    .finally(() => clearTimeout(timer))
  if (!response.ok) throw new Error(`${url} answers with ${response.status}`)
  const archive = await bounded(response)
  const file = (await new Bun.Archive(archive).files()).get('mediasoup-worker')
  if (!file) throw new Error(`${url} holds no mediasoup-worker`)
  await writeFile(output, await file.bytes(), { mode: 0o755 })
}

async function bounded(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > ARCHIVE_BYTES_MAX)
      throw new Error(`The prebuilt media worker is larger than ${ARCHIVE_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
