import { once } from '../core/once.ts'
import { Turns } from '../core/turns.ts'
import { callerOf } from '../http/caller.ts'
import { type Asset, assetWith, sendAsset } from './assets.ts'
import { quickCodingsOf } from './client-codings.ts'

/** Origins with a cached, compressed document. Without PUBLIC_URL, any Host header names an origin. */
const ORIGINS_MAX = 8
/** Objects are serialised member by member down to this depth; below it they are small. */
const DEPTH = 4

/**
 * A large JSON document that differs between origins only in `servers`. The first request builds it in short turns
 * that yield to the event loop; later ones get the cached bytes. Once ORIGINS_MAX origins are cached, a new one gets
 * an uncompressed copy; on its second request it replaces the least recently used origin. So made-up hosts cost little
 * and cannot fill the cache.
 */
export class OriginDocument {
  readonly #rest = once(() => this.#makeRest())
  /** Most recently used last. */
  readonly #cached = new Map<string, Promise<Asset>>()
  /** Recent origins outside of the cache; a second request adds them. */
  readonly #requestedOrigins = new Set<string>()

  /** @param make builds the document without `servers` */
  constructor(
    private readonly make: (turns: Turns) => Promise<object>,
    private readonly serversOf: (base: string) => unknown,
  ) {}

  async send(request: Request): Promise<Response> {
    const { base } = callerOf(request)
    return sendAsset(await this.#assetFor(base), request, { 'cache-control': 'no-cache' })
  }

  #assetFor(base: string): Promise<Asset> {
    const isKept = this.#cached.has(base) || this.#cached.size < ORIGINS_MAX || this.#requestedOrigins.delete(base)
    const asset = this.#cached.get(base) ?? this.#makeFor(base, isKept)
    if (!isKept) {
      moveToEnd(this.#requestedOrigins, base)
      return asset
    }
    // Evicts the least recently used origin.
    this.#cached.delete(base)
    this.#cached.set(base, asset)
    const [oldest] = this.#cached.keys()
    if (this.#cached.size > ORIGINS_MAX && oldest !== undefined) this.#cached.delete(oldest)
    asset.catch(() => this.#cached.delete(base))
    return asset
  }

  async #makeFor(base: string, isKept: boolean): Promise<Asset> {
    const rest = await this.#rest()
    const bytes = Buffer.concat([Buffer.from(`{"servers":${JSON.stringify(this.serversOf(base))},`), rest])
    return assetWith('application/json', bytes, isKept ? await quickCodingsOf('document.json', bytes) : {})
  }

  /** The bytes after the opening brace. */
  async #makeRest(): Promise<Buffer> {
    const turns = new Turns()
    return Buffer.from((await serialise(await this.make(turns), turns, DEPTH)).slice(1))
  }
}

/** Adds an origin, and drops the oldest ones above ORIGINS_MAX. */
function moveToEnd(origins: Set<string>, base: string): void {
  origins.add(base)
  for (const oldest of [...origins].slice(0, -ORIGINS_MAX)) origins.delete(oldest)
}

/** Serialises JSON in turns. */
async function serialise(value: unknown, turns: Turns, depth: number): Promise<string> {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value))
    return turns.run(() => JSON.stringify(value))
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  const texts = await Promise.all(
    members.map(async ([name, member]) => `${JSON.stringify(name)}:${await serialise(member, turns, depth - 1)}`),
  )
  return `{${texts.join()}}`
}
