import { judgePreconditions } from '../core/preconditions.ts'
import { type Codings, codingsOf } from './client-codings.ts'

/** A body that is built and compressed once, then served to everyone. */
export interface Asset {
  type: string
  /** Hash of the content. The ETag appends the content coding. */
  hash: string
  bodies: { identity: Uint8Array<ArrayBuffer> } & Codings
}

/** @param codings compressed bodies; by default at the quality for files that seldom change */
export async function assetOf(name: string, type: string, bytes: Uint8Array, codings = codingsOf): Promise<Asset> {
  return assetWith(type, new Uint8Array(bytes), await codings(name, bytes))
}

/** @param bytes stored without a copy */
export const assetWith = (type: string, bytes: Uint8Array<ArrayBuffer>, codings: Codings): Asset => ({
  type,
  hash: Bun.hash(bytes).toString(36),
  bodies: { identity: bytes, ...codings },
})

/** Answers with the content coding that the client prefers, or with 304 if the client already has it. */
export function sendAsset({ type, hash, bodies }: Asset, request: Request, headers: Record<string, string>): Response {
  const acceptEncoding = request.headers.get('accept-encoding') ?? ''
  const encoding = (['br', 'gzip'] as const).find(
    (name) => bodies[name] && new RegExp(`\\b${name}\\b(?!;q=0(,|$))`).test(acceptEncoding),
  )
  // RFC 9110 §8.8.3.3: each content coding has a different ETag.
  const etag = encoding ? `"${hash}-${encoding}"` : `"${hash}"`
  const common = { ...headers, etag, vary: 'accept-encoding' }
  const verdict = judgePreconditions(request.headers, true, { etag })
  if (verdict === 'not modified') return new Response(null, { status: 304, headers: common })
  return new Response((encoding && bodies[encoding]) ?? bodies.identity, {
    headers: { ...common, 'content-type': type, ...(encoding ? { 'content-encoding': encoding } : {}) },
  })
}
