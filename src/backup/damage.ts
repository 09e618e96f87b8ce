import type { z } from 'zod'
import { RefusesToBoot } from '../core/errors.ts'
import type { Entry } from './tar.ts'

/** Largest entry that is parsed in memory. */
const JSON_BYTES_MAX = 64 * 1024 * 1024

type Part = { bytes: number; sha256: string } | undefined

/** The error for a part of an archive that differs from what was written. */
export const damaged = (part: string): RefusesToBoot =>
  new RefusesToBoot(`The backup is damaged: ${part} differs from what was written.`)

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

/** Reads an entry into memory. @throws RefusesToBoot if it is too large */
export async function wholeOf(entry: Entry): Promise<Buffer> {
  if (entry.size > JSON_BYTES_MAX) throw damaged(entry.name)
  return Buffer.concat(await Array.fromAsync(entry.bytes))
}
