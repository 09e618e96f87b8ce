import type { TokenizerCallbacks } from 'htmlparser2'
import { decodePage } from './page-text.ts'

/** UTF-16 units to keep of one value. */
const VALUE_UNITS_MAX = 4096
const NAME_UNITS_MAX = 64

/** The values that a preview uses; for each, the first that is not empty counts. */
const META_NAMES = [
  'og:title',
  'og:description',
  'og:site_name',
  'og:type',
  'og:image',
  'og:image:url',
  'og:image:secure_url',
  'og:video',
  'og:video:url',
  'og:video:secure_url',
  'twitter:card',
  'twitter:title',
  'twitter:description',
  'twitter:image',
  'twitter:image:src',
  'twitter:player',
  'description',
  'application-name',
  'author',
  'article:author',
  'article:published_time',
  'theme-color',
] as const
type MetaName = (typeof META_NAMES)[number]
const isWanted = (name: string): name is MetaName => (META_NAMES as readonly string[]).includes(name)

/** The metadata of a page. */
export interface PageHead {
  title: string
  meta: Map<MetaName, string>
}

/** Reads the head of a page, even if malformed, and stops after it. @param charset of the Content-Type header */
export async function readPageHead(body: AsyncIterable<Buffer>, charset: string | undefined): Promise<PageHead> {
  // Loaded with the first link.
  const { Tokenizer } = await import('htmlparser2')
  const head = new HeadReader()
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, head)
  for await (const text of decodePage(body, charset)) {
    head.take(text)
    tokenizer.write(text)
    if (head.isEnded) return head
  }
  tokenizer.end()
  return head
}

/**
 * Collects the title and `meta` elements. Unlike a parser it has no stack of open elements, so its work is linear
 * whatever is nested or left open.
 */
class HeadReader implements TokenizerCallbacks, PageHead {
  title = ''
  readonly meta = new Map<MetaName, string>()
  isEnded = false
  /** The part of the page's text that the tokenizer may still refer to, and its position in the page. */
  #text = ''
  #begin = 0
  /** End of the last value: the tokenizer never goes back. */
  #readEnd = 0
  #tag = ''
  #attribute = ''
  #value = ''
  readonly #attributes = new Map<string, string>()
  #isInTitle = false
  #hasTitle = false
  /** Open `svg` elements, which have their own titles. */
  #pictures = 0

  /**
   * Appends text, for positions that the tokenizer reports. Drops text before #read, because a slice flattens the rest.
   */
  take(text: string): void {
    this.#text = this.#text.slice(this.#readEnd - this.#begin) + text
    this.#begin = this.#readEnd
  }

  #slice(start: number, end: number, unitsMax: number): string {
    this.#readEnd = end
    const from = start - this.#begin
    return this.#text.slice(from, Math.min(end - this.#begin, from + Math.max(0, unitsMax)))
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#slice(start, end, NAME_UNITS_MAX).toLowerCase()
    this.#attributes.clear()
    if (this.#tag === 'body' || this.#tag === 'frameset') this.isEnded = true
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#tag === 'meta' ? this.#slice(start, end, NAME_UNITS_MAX).toLowerCase() : ''
    this.#value = ''
  }

  onattribdata(start: number, end: number): void {
    if (this.#attribute !== '') this.#value += this.#slice(start, end, VALUE_UNITS_MAX - this.#value.length)
  }

  onattribentity(codePoint: number): void {
    if (this.#attribute !== '' && this.#value.length < VALUE_UNITS_MAX) this.#value += String.fromCodePoint(codePoint)
  }

  onattribend(): void {
    const isUseful = this.#attribute === 'name' || this.#attribute === 'property' || this.#attribute === 'content'
    // HTML: if an attribute is repeated, the first counts.
    if (isUseful && !this.#attributes.has(this.#attribute)) this.#attributes.set(this.#attribute, this.#value)
  }

  onopentagend(): void {
    if (this.#tag === 'meta') this.#note()
    if (this.#tag === 'svg') this.#pictures++
    if (this.#tag === 'title' && this.#pictures === 0 && !this.#hasTitle && !this.isEnded)
      this.#isInTitle = this.#hasTitle = true
  }

  onselfclosingtag(): void {
    if (this.#tag === 'meta') this.#note()
  }

  onclosetag(start: number, end: number): void {
    const tag = this.#slice(start, end, NAME_UNITS_MAX).toLowerCase()
    if (tag === 'title') this.#isInTitle = false
    if (tag === 'svg') this.#pictures = Math.max(0, this.#pictures - 1)
    if (tag === 'head') this.isEnded = true
  }

  ontext(start: number, end: number): void {
    if (this.#isInTitle) this.title += this.#slice(start, end, VALUE_UNITS_MAX - this.title.length)
  }

  ontextentity(codePoint: number): void {
    if (this.#isInTitle && this.title.length < VALUE_UNITS_MAX) this.title += String.fromCodePoint(codePoint)
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  #note(): void {
    if (this.isEnded) return
    const content = this.#attributes.get('content') ?? ''
    for (const attribute of ['property', 'name']) {
      const name = this.#attributes.get(attribute)?.trim().toLowerCase() ?? ''
      if (isWanted(name) && content.trim() !== '' && !this.meta.has(name)) this.meta.set(name, content)
    }
  }
}
