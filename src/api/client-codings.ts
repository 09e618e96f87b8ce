import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type Files, FIRST_FILES } from './client-files.ts'

// 6 % smaller than 9, and slower: the first who asks for a file waits for it.
const BROTLI_QUALITY = 10
/** Of the script that everybody waits for: 1.6 % smaller, and twice as slow. */
const FIRST_BROTLI_QUALITY = 11
/** 100 times as fast as 10, and 20 % larger. */
const QUICK_BROTLI_QUALITY = 5
/** Fonts and pictures are compressed in themselves. */
const COMPRESSED = /\.(woff2|png)$/

type Body = Uint8Array<ArrayBuffer>
export type Codings = Partial<Record<'br' | 'gzip', Body>>

const packed = { br: promisify(brotliCompress), gzip: promisify(gzip) }

/** A file by the content codings that browsers take. */
export const codingsOf = (name: string, bytes: Uint8Array): Promise<Codings> =>
  codedAt(name.startsWith(`${FIRST_FILES.script}-`) ? FIRST_BROTLI_QUALITY : BROTLI_QUALITY, name, bytes)

/** The same for files that are large and seldom asked for. */
export const quickCodingsOf = (name: string, bytes: Uint8Array): Promise<Codings> =>
  codedAt(QUICK_BROTLI_QUALITY, name, bytes)

async function codedAt(quality: number, name: string, bytes: Uint8Array): Promise<Codings> {
  if (COMPRESSED.test(name)) return {}
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
  const [br, gz] = await Promise.all([packed.br(bytes, { params }), packed.gzip(bytes)])
  return { br: new Uint8Array(br), gzip: new Uint8Array(gz) }
}

/**
 * The files, and after them the codings of each, as `name.br` and `name.gzip`. Takes some 5 s of the processor, so the
 * build with which a clone starts leaves it to whoever asks first for a file.
 */
export async function withCodings(files: Files): Promise<Files> {
  const coded = await Promise.all(
    [...files].map(async ([name, bytes]) =>
      Object.entries(await codingsOf(name, bytes)).map(([coding, body]) => [`${name}.${coding}`, body] as const),
    ),
  )
  return new Map([...files, ...coded.flat()])
}

/** Takes the codings out of the files. @returns gives those of a file, which are made where there are none */
export function takeCodings(files: Files): (name: string, bytes: Uint8Array) => Promise<Codings> {
  const coded: Files = new Map([...files].filter(([name]) => /\.(br|gzip)$/.test(name)))
  for (const name of coded.keys()) files.delete(name)
  return async (name, bytes) => {
    const [br, gz] = [coded.get(`${name}.br`), coded.get(`${name}.gzip`)]
    return br && gz ? { br: new Uint8Array(br), gzip: new Uint8Array(gz) } : codingsOf(name, bytes)
  }
}
