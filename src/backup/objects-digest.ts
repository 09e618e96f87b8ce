import { z } from 'zod'
import { RunningDigest } from './digest.ts'
import { damaged, isSame } from './damage.ts'
import type { Manifest } from './manifest.ts'
import type { Entry } from './tar.ts'

const Described = z.object({
  key: z.string().regex(/^[\w.-]{1,100}(\/[\w.-]{1,100}){0,8}$/),
  content_type: z.string().regex(/^[ -~]{1,255}$/),
})

/** Digest of an archive's objects, as defined by `Manifest`. */
export class ObjectsDigest {
  private readonly digest = new RunningDigest()
  private count = 0
  /** Why reading the archive failed. Needed because the store only reports that bytes are missing. */
  failure: unknown

  /** Begins an object. @throws RefusesToBoot if its key or content type is invalid */
  begin({ facts, size, name }: Entry): z.infer<typeof Described> {
    const parsed = Described.safeParse(facts)
    if (!parsed.success) throw damaged(name)
    const { key, content_type } = parsed.data
    this.count++
    this.digest.update(Buffer.from(describe(key, size, content_type)))
    return parsed.data
  }

  /** Passes the bytes of an object through. */
  async *passing(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of bytes) {
        this.digest.update(chunk)
        yield chunk
      }
    } catch (error) {
      this.failure = error
      throw error
    }
  }

  /** Reads the rest of an object without storing it. */
  async skip({ bytes }: Entry): Promise<void> {
    for await (const _ of this.passing(bytes));
  }

  /** @throws RefusesToBoot if these are not the objects of the manifest */
  compare({ objects }: Manifest): void {
    if (objects.count !== this.count || !isSame(objects, this.digest.part())) throw damaged('an object')
  }
}

/** Prefix of each object's bytes in the digest. */
export const describe = (key: string, size: number, content_type: string): string => `${key} ${size} ${content_type}\n`
