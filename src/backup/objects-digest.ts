import { z } from 'zod'
import { RunningDigest } from './digest.ts'
import { damaged, isSame } from './damage.ts'
import type { Manifest } from './manifest.ts'
import type { Entry } from './tar.ts'

const Described = z.object({
  key: z.string().regex(/^[\w.-]{1,100}(\/[\w.-]{1,100}){0,8}$/),
  content_type: z.string().regex(/^[ -~]{1,255}$/),
})

/** The digest of the objects of an archive, as `Manifest` describes it. */
export class ObjectsDigest {
  private readonly digest = new RunningDigest()
  private count = 0
  /** Why the archive could not be read on; whoever stores an object tells only that bytes are missing. */
  failure: unknown

  /** Begins an object. @throws RefusesToBoot when it has no proper key or content type */
  begin({ facts, size, name }: Entry): z.infer<typeof Described> {
    const described = Described.safeParse(facts)
    if (!described.success) throw damaged(name)
    const { key, content_type } = described.data
    this.count++
    this.digest.update(Buffer.from(describe(key, size, content_type)))
    return described.data
  }

  /** Passes the bytes of the object on. */
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

  /** Reads what is left of the object. */
  async skip({ bytes }: Entry): Promise<void> {
    for await (const _ of this.passing(bytes));
  }

  /** @throws RefusesToBoot when these are not the objects of the manifest */
  compare({ objects }: Manifest): void {
    if (objects.count !== this.count || !isSame(objects, this.digest.part())) throw damaged('an object')
  }
}

/** What the digest of objects has before the bytes of each. */
export const describe = (key: string, size: number, content_type: string): string => `${key} ${size} ${content_type}\n`
