import { createHash } from 'node:crypto'
import { type Files, WORKER } from './client-files.ts'
import { pageHtml, urlsOf } from './client-page.ts'

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/**
 * The SHA-256 and the path of each file that a browser runs or shows, in the order of the paths and in the format of
 * `sha256sum`; and the SHA-256 of this list, which stands for the whole client.
 * @param files without codings
 */
export function clientList(files: Files): { text: string; hash: string } {
  const paths = new Map<string, Uint8Array | string>([['app', pageHtml(urlsOf(files))]])
  for (const [name, bytes] of files) paths.set(name === WORKER ? name : `assets/${name}`, bytes)
  const text = [...paths.keys()]
    .toSorted()
    .map((path) => `${sha256(paths.get(path) ?? '')}  ${path}\n`)
    .join('')
  return { text, hash: sha256(text) }
}
