import { Turns } from '../core/turns.ts'
import { callerOf } from '../http/caller.ts'
import { type Asset, assetWith, sendAsset } from './assets.ts'
import { quickCodingsOf } from './client-codings.ts'

/** Origins that the document is kept for, compressed. Without PUBLIC_URL, the Host header of any request names one. */
const ORIGINS_MAX = 8
/** Objects are written by their members down to this depth, which are small there. */
const DEPTH = 4

/**
 * A large JSON document that differs between origins by its `servers` alone. The first request makes it, in short turns
 * that leave the event loop to others; later ones get the bytes that are kept. Beyond ORIGINS_MAX origins, the document
 * is copied for each request, without compression.
 */
export class OriginDocument {
  #rest: Promise<string> | undefined
  readonly #kept = new Map<string, Promise<Asset>>()

  /** @param make makes the document without `servers` */
  constructor(
    private readonly make: (turns: Turns) => Promise<object>,
    private readonly serversOf: (base: string) => unknown,
  ) {}

  async send(request: Request): Promise<Response> {
    const { base } = callerOf(request)
    return sendAsset(await this.#assetFor(base), request, { 'cache-control': 'no-cache' })
  }

  #assetFor(base: string): Promise<Asset> {
    const kept = this.#kept.get(base)
    if (kept) return kept
    const isKept = this.#kept.size < ORIGINS_MAX
    const asset = this.#makeFor(base, isKept)
    if (!isKept) return asset
    this.#kept.set(base, asset)
    asset.catch(() => this.#kept.delete(base))
    return asset
  }

  async #makeFor(base: string, isKept: boolean): Promise<Asset> {
    const rest = await (this.#rest ??= this.#makeRest().catch((error: unknown) => {
      this.#rest = undefined
      throw error
    }))
    const bytes = Buffer.from(`{"servers":${JSON.stringify(this.serversOf(base))},${rest}`)
    return assetWith('application/json', bytes, isKept ? await quickCodingsOf('document.json', bytes) : {})
  }

  /** The text after the brace that opens it. */
  async #makeRest(): Promise<string> {
    const turns = new Turns()
    return (await written(await this.make(turns), turns, DEPTH)).slice(1)
  }
}

/** Writes JSON in turns. */
async function written(value: unknown, turns: Turns, depth: number): Promise<string> {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value))
    return turns.run(() => JSON.stringify(value))
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  const texts = await Promise.all(
    members.map(async ([name, member]) => `${JSON.stringify(name)}:${await written(member, turns, depth - 1)}`),
  )
  return `{${texts.join()}}`
}
