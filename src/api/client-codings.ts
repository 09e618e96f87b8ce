import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type Files, FIRST_FILES } from './client-files.ts'

// 6 % smaller than 9, but slower: the first request for a file waits for it.
const BROTLI_QUALITY = 10
/** For the script that blocks the first page: 1.6 % smaller, and twice as slow. */
const FIRST_BROTLI_QUALITY = 11
/** 100 times as fast as 10, and 20 % larger. */
const QUICK_BROTLI_QUALITY = 5
/** Fonts and pictures are already compressed. */
const COMPRESSED = /\.(woff2|png)$/

type Body = Uint8Array<ArrayBuffer>
export type Codings = Partial<Record<'br' | 'gzip', Body>>

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) }

/** Compresses a file with the content codings that browsers accept. */
export const codingsOf = (name: string, bytes: Uint8Array): Promise<Codings> =>
  codedAt(name.startsWith(`${FIRST_FILES.script}-`) ? FIRST_BROTLI_QUALITY : BROTLI_QUALITY, name, bytes)

/** The same for large files that are seldom requested. */
export const quickCodingsOf = (name: string, bytes: Uint8Array): Promise<Codings> =>
  codedAt(QUICK_BROTLI_QUALITY, name, bytes)

async function codedAt(quality: number, name: string, bytes: Uint8Array): Promise<Codings> {
  if (COMPRESSED.test(name)) return {}
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
  const [br, gz] = await Promise.all([compressors.br(bytes, { params }), compressors.gzip(bytes)])
  return { br: new Uint8Array(br), gzip: new Uint8Array(gz) }
}

/**
 * Adds the codings of each file, as `name.br` and `name.gzip`. Takes some 5 s of processor time, so the build at the
 * start of a clone skips it; the first request for a file pays instead.
 */
export async function withCodings(files: Files): Promise<Files> {
  const codedFiles = await Promise.all(
    [...files].map(async ([name, bytes]) =>
      Object.entries(await codingsOf(name, bytes)).map(([coding, body]) => [`${name}.${coding}`, body] as const),
    ),
  )
  return new Map([...files, ...codedFiles.flat()])
}

/** Removes the codings from the files. @returns a function that looks up a file's codings, or creates missing ones */
export function takeCodings(files: Files): (name: string, bytes: Uint8Array) => Promise<Codings> {
  const codedFiles: Files = new Map([...files].filter(([name]) => /\.(br|gzip)$/.test(name)))
  for (const name of codedFiles.keys()) files.delete(name)
  return async (name, bytes) => {
    const [br, gz] = [codedFiles.get(`${name}.br`), codedFiles.get(`${name}.gzip`)]
    return br && gz ? { br: new Uint8Array(br), gzip: new Uint8Array(gz) } : codingsOf(name, bytes)
  }
}
