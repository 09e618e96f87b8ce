import type { Intents } from './intents.ts'

/** A client's choices when it connected. Sockets with the same choices share this object and their topics. */
export interface Variant {
  /** Undefined means all events. */
  readonly intents: Intents | undefined
  /** True if large frames arrive compressed. */
  readonly isCompressed: boolean
  /** Appended to the names of topics by these sockets. Empty if the client chose nothing. */
  readonly suffix: string
}

/** By suffix. Bounded: intents come in canonical order, so there are few. */
const variants = new Map<string, Variant>()

export function variantOf(intents: Intents | undefined, isCompressed: boolean): Variant {
  const suffix = (intents === undefined ? '' : ` ${intents}`) + (isCompressed ? ' deflate' : '')
  const shared = variants.get(suffix) ?? { intents, isCompressed, suffix }
  variants.set(suffix, shared)
  return shared
}
