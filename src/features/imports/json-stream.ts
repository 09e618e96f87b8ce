import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { RefusesToBoot } from '../../core/errors.ts'

const CHUNK_BYTES = 1024 * 1024
/** Bytes of one value, such as a message with its embeds and everyone who reacted. */
const VALUE_BYTES_MAX = 16 * 1024 * 1024
/** Nesting depth; DiscordChatExporter writes seven levels. */
const DEPTH_MAX = 32

const [QUOTE, BACKSLASH, COMMA, COLON, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [...'"\\,:{}[]'].map((sign) =>
  sign.charCodeAt(0),
)
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
const BYTE_ORDER_MARK = Buffer.from('\uFEFF')

/** A file of an export cannot be read. The message is a sentence with the file and the position. */
export class DamagedExport extends RefusesToBoot {
  constructor(path: string, problem: string, byte: number) {
    super(`${path} ${problem} at byte ${byte}.`)
  }
}

/** A member of the document, or an element of its streamed list. */
export interface JsonPart {
  name: string
  value: unknown
  /** Its offset in the file, bytes. */
  byte: number
}

/**
 * Reads a JSON document of any size: an object with one long list. Memory is bounded by the longest value. Values are
 * delimited by scanning for brackets and quotes, then parsed by JSON.parse. No streaming parser bounds the length and
 * depth of a value, and all are many times slower.
 */
export class JsonStream {
  #bytes: Buffer = Buffer.alloc(0)
  /** The read position in #bytes, and the offset of #bytes in the file. */
  #at = 0
  #begin = 0

  /** @param path as errors name it @param listName the member whose elements are streamed */
  private constructor(
    private readonly file: FileHandle,
    private readonly path: string,
    private readonly listName: string,
  ) {}

  /** The members of a document in order; the streamed list yields its elements under its name. @throws DamagedExport */
  static async *read(filePath: string, path: string, listName: string): AsyncGenerator<JsonPart> {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
    const file = await open(filePath, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      yield* new JsonStream(file, path, listName).members()
    } finally {
      await file.close()
    }
  }

  private async *members(): AsyncGenerator<JsonPart> {
    await this.more(0)
    if (this.#bytes.indexOf(BYTE_ORDER_MARK) === 0) this.#at = BYTE_ORDER_MARK.length
    await this.expect(OPEN)
    for (let isFirst = true; (await this.peek()) !== CLOSE; isFirst = false) {
      if (!isFirst) await this.expect(COMMA)
      const { value: name } = await this.value('')
      if (typeof name !== 'string') throw this.damage()
      await this.expect(COLON)
      if (name === this.listName && (await this.peek()) === OPEN_LIST) yield* this.elements(name)
      else yield await this.value(name)
    }
    this.#at++
    if ((await this.peek(false)) !== undefined) throw this.damage('goes on after its end')
  }

  private async *elements(name: string): AsyncGenerator<JsonPart> {
    this.#at++
    for (let isFirst = true; (await this.peek()) !== CLOSE_LIST; isFirst = false) {
      if (!isFirst) await this.expect(COMMA)
      yield await this.value(name)
    }
    this.#at++
  }

  private damage(problem = 'is no JSON'): DamagedExport {
    return new DamagedExport(this.path, problem, this.#begin + this.#at)
  }

  /** Reads more, and drops the bytes before `keep`. @returns false at the end of the file */
  private async more(keep: number): Promise<boolean> {
    const rest = this.#bytes.subarray(keep)
    if (rest.length > VALUE_BYTES_MAX) throw this.damage(`has a value of more than ${VALUE_BYTES_MAX} bytes`)
    const next = Buffer.allocUnsafe(rest.length + CHUNK_BYTES)
    rest.copy(next)
    const { bytesRead } = await this.file.read(next, rest.length, CHUNK_BYTES)
    this.#begin += keep
    this.#at -= keep
    this.#bytes = next.subarray(0, rest.length + bytesRead)
    return bytesRead > 0
  }

  /** The next byte that is not white space. @param isNeeded fail if the document ends here */
  private async peek(isNeeded = true): Promise<number | undefined> {
    for (;;) {
      while (this.#at < this.#bytes.length && isSpace(this.#bytes[this.#at])) this.#at++
      if (this.#at < this.#bytes.length) return this.#bytes[this.#at]
      if (await this.more(this.#at)) continue
      if (isNeeded) throw this.damage('is cut short')
      return undefined
    }
  }

  private async expect(sign: number | undefined): Promise<void> {
    if ((await this.peek()) !== sign) throw this.damage()
    this.#at++
  }

  private async value(name: string): Promise<JsonPart> {
    await this.peek()
    const end = await this.endOfValue()
    const part = { name, byte: this.#begin + this.#at }
    const text = this.#bytes.toString('utf8', this.#at, end)
    try {
      const value: unknown = JSON.parse(text)
      this.#at = end
      return { ...part, value }
    } catch {
      throw this.damage()
    }
  }

  /** The index after the value that begins at #at. */
  private async endOfValue(): Promise<number> {
    let depth = 0
    let at = this.#at
    // An offset from #at, which becomes 0 when more is read.
    const goOn = async () => {
      const from = this.#at
      if (!(await this.more(from))) throw this.damage('is cut short')
      at -= from
    }
    for (;;) {
      if (at >= this.#bytes.length) await goOn()
      const byte = this.#bytes[at]
      if (byte === QUOTE) {
        let end = this.endOfString(at, at + 1)
        while (end === -1) {
          const searchEnd = this.#bytes.length
          const from = this.#at
          await goOn()
          end = this.endOfString(at, searchEnd - from)
        }
        at = end
      } else if (byte === OPEN || byte === OPEN_LIST) {
        if (++depth > DEPTH_MAX) throw this.damage(`has values in more than ${DEPTH_MAX} others`)
        at++
        continue
      } else if (byte === CLOSE || byte === CLOSE_LIST) {
        // A closing bracket of the parent ends a number.
        if (--depth < 0) return at
        at++
      } else if (depth === 0 && (byte === COMMA || byte === COLON || isSpace(byte))) {
        return at
      } else {
        at++
        continue
      }
      if (depth === 0) return at
    }
  }

  /** The index after the string that begins at `begin`, searched from `from`; -1 if more bytes are needed. */
  private endOfString(begin: number, from: number): number {
    for (let at = this.#bytes.indexOf(QUOTE ?? 0, from); at !== -1; at = this.#bytes.indexOf(QUOTE ?? 0, at + 1)) {
      let before = at - 1
      while (before > begin && this.#bytes[before] === BACKSLASH) before--
      if ((at - before) % 2 === 1) return at + 1
    }
    return -1
  }
}
