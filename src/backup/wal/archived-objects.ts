import { createHash } from 'node:crypto'
import { parseHeader, HEADER_BYTES, hashOf } from '../../storage/object-files.ts'
import type { ObjectOperations } from '../../storage/object-store.ts'
import type { OpenedObject } from '../objects.ts'
import type { Target } from '../target.ts'
import { objectName } from './names.ts'
import { Damaged, type Unsealer } from './sealing.ts'

/** Objects of a restore. */
export interface ObjectCounts {
  objects: number
  objectBytes: number
  /** Objects that rows name and that are neither in the archive nor in the store. */
  missing: number
}

/**
 * Restores the objects that rows name.
 * @param store the S3 of the installation, which has the objects that the archive lacks
 */
export async function putObjects(
  keys: AsyncIterable<{ key: string; optional: boolean }>,
  unsealer: Unsealer,
  target: Target,
  store: ObjectOperations | undefined,
  signal: AbortSignal,
): Promise<ObjectCounts> {
  const counts: ObjectCounts = { objects: 0, objectBytes: 0, missing: 0 }
  for await (const { key, optional } of keys) {
    signal.throwIfAborted()
    const size = await putObject(key, unsealer, target)
    if (size !== undefined) {
      counts.objects++
      counts.objectBytes += size
    } else if (!optional && !(await store?.head(key))) counts.missing++
  }
  return counts
}

/** @returns its size; undefined if it is missing or damaged */
async function putObject(key: string, unsealer: Unsealer, target: Target): Promise<number | undefined> {
  const name = objectName(hashOf(key))
  const bytes = await unsealer.open(name)
  if (!bytes) return undefined
  let failure: unknown
  try {
    const object = await opened(name, bytes, (error) => (failure = error))
    await target.put(key, object)
    return object.size
  } catch (error) {
    // The store only reports that bytes are missing.
    if ((failure ?? error) instanceof Damaged) return undefined
    throw failure ?? error
  }
}

/** An object's file in the archive: its header, then its bytes, whose MD5 the header has. */
async function opened(
  name: string,
  file: AsyncIterable<Buffer>,
  onFailure: (error: unknown) => void,
): Promise<OpenedObject> {
  const chunks = file[Symbol.asyncIterator]()
  let beginning = Buffer.alloc(0)
  while (beginning.length < HEADER_BYTES) {
    const next = await chunks.next()
    if (next.done) throw new Damaged(`${name} in the archive is damaged`)
    beginning = Buffer.concat([beginning, next.value])
  }
  const header = parseHeader(beginning.subarray(0, HEADER_BYTES))
  if (!header) throw new Damaged(`${name} in the archive is damaged`)
  const md5 = createHash('md5')
  async function* rest() {
    yield beginning.subarray(HEADER_BYTES)
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  async function* checked() {
    try {
      let size = 0
      for await (const chunk of rest()) {
        md5.update(chunk)
        size += chunk.length
        if (chunk.length > 0) yield chunk
      }
      if (size !== header?.size || `"${md5.digest('hex')}"` !== header.etag)
        throw new Damaged(`${name} in the archive is damaged`)
    } catch (error) {
      onFailure(error)
      throw error
    }
  }
  return { size: header.size, content_type: header.content_type, bytes: checked() }
}
