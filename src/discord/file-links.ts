import { createHmac } from 'node:crypto'
import { isSameSecret } from '../core/same-secret.ts'
import type { Secrets } from '../database/secrets.ts'

/** A link is good for one to two days, so that all messages of a day link a file by the same address. */
const DAY_MS = 86_400_000

/**
 * Links to the files of messages, which programs made for Discord open without their token. Whoever has a link may read
 * the file until the link ends or the file is deleted.
 */
export class FileLinks {
  private constructor(
    private readonly key: Buffer,
    /** The origin of this server, as the reader of the links reaches it. */
    readonly base: string,
  ) {}

  static open({ objects_secret }: Pick<Secrets, 'objects_secret'>, base: string): FileLinks {
    return new FileLinks(createHmac('sha256', objects_secret).update('discord files').digest(), base)
  }

  /** The links of another origin. */
  at(base: string): FileLinks {
    return base === this.base ? this : new FileLinks(this.key, base)
  }

  file(id: number, filename: string, nowMs = Date.now()): string {
    const day = Math.floor(nowMs / DAY_MS) + 1
    return `${this.base}/discord/files/${id}/${day}-${this.#sign(id, day)}/${encodeURIComponent(filename)}`
  }

  /** True if a link with this signature is good. */
  isGood(id: number, signature: string, nowMs = Date.now()): boolean {
    const [, day = '', mac = ''] = /^(\d{1,7})-([A-Za-z0-9_-]{43})$/.exec(signature) ?? []
    return day !== '' && isSameSecret(mac, this.#sign(id, Number(day))) && nowMs < (Number(day) + 1) * DAY_MS
  }

  #sign(id: number, day: number): string {
    return createHmac('sha256', this.key).update(`${id} ${day}`).digest('base64url')
  }
}
