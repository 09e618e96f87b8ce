import type { z } from 'zod'
import { RefusesToBoot } from '../core/errors.ts'
import type { Entry } from './tar.ts'

/** An entry that is parsed as a whole has at most so many bytes. */
const JSON_BYTES_MAX = 64 * 1024 * 1024

type Part = { bytes: number; sha256: string } | undefined

/** The error about a part of an archive that is not as it was written. */
export const damaged = (what: string): RefusesToBoot =>
  new RefusesToBoot(`The backup is damaged: ${what} is not what was written.`)

export const isSame = (one: Part, other: Part): boolean => one?.bytes === other?.bytes && one?.sha256 === other?.sha256

/** Parses an entry that is JSON. @throws RefusesToBoot */
export function parseEntry<S extends z.ZodType>(schema: S, text: Buffer, name: string): z.infer<S> {
  let value: unknown
  try {
    value = JSON.parse(text.toString())
  } catch {
    throw damaged(name)
  }
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw damaged(name)
  return parsed.data
}

/** The bytes of an entry. @throws RefusesToBoot when they are too many to be parsed as a whole */
export async function wholeOf(entry: Entry): Promise<Buffer> {
  if (entry.size > JSON_BYTES_MAX) throw damaged(entry.name)
  return Buffer.concat(await Array.fromAsync(entry.bytes))
}
