import type { Intents } from './intents.ts'

/** What a client asked for when it connected. Sockets that asked for the same share this object and their topics. */
export interface Variant {
  /** Undefined means all events. */
  readonly intents: Intents | undefined
  /** True if large frames arrive compressed. */
  readonly isCompressed: boolean
  /** What these sockets append to the name of a topic. Empty if they asked for nothing. */
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
