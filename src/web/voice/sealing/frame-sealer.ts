import { type Bytes, joined } from './bytes.ts'
import { type Codec, packed, partsOf, restored, unpacked } from './clear-part.ts'
import type { FrameParameters } from './frame-key.ts'
import { COUNTER_MAX, type Epoch, EpochKeys, generationOf } from './epoch-keys.ts'
import { afterwards, type Soon } from './soon.ts'

// Seals and opens the encoded frames of a call. It runs in the call's worker.
//
// A sealed frame is: the clear part, the ciphertext with its tag, the epoch's key id (1 byte), the counter (4 bytes),
// MARK (2 bytes). AES-128-GCM authenticates the clear part, the key id, the counter and the kind of media. All streams
// of a member share its key, and so one counter, from which the nonce is made.
//
// Until the group has keys, nothing passes in either direction: a fault leads to silence, never to plain sound.

/** `open`: frames pass as they are; `closed`: nothing passes. */
export type Mode = 'closed' | 'open' | 'sealed'

/** The kind of a frame. */
export interface Media {
  isAudio: boolean
  /** Undefined for one that cannot be sealed: nothing of it passes in a sealed call. */
  codec: Codec | undefined
}

/** The end of every sealed frame, by which a reader of an open call drops what was sealed before. */
const MARK = [0xe2, 0xee] as const
const TRAILER_BYTES = 7
/** RFC 9605 allows tags of 8 bytes: audio has fifty frames a second, so each byte matters. */
const AUDIO_TAG_BYTES = 8
const VIDEO_TAG_BYTES = 16
const NONCE_BYTES = 12
/** Time for which frames of an earlier epoch are opened, ms. */
const EARLIER_MS = 10_000
/** A frame whose counter is this far behind the highest one counts as a replay. */
const LATE_MAX = 4_096

interface KeptEpoch {
  keys: EpochKeys
  /** When this member begins to seal with it, ms. */
  sealsAt: number
  /** When the next epoch came, ms. */
  endedAt: number
  /** The next counter of this member. */
  counter: { next: number }
}

export class FrameSealer {
  #mode: Mode = 'closed'
  /** Oldest first. */
  #epochs: KeptEpoch[] = []
  /** Next counter by secret and leaf, for the whole call: the same key never sees a counter twice. */
  readonly #counters = new Map<string, { next: number }>()

  /** Lets frames pass as they are, or nothing until there are keys. Forgets all keys. */
  begin(mode: 'open' | 'sealed'): void {
    this.#mode = mode
    this.#epochs = []
  }

  /**
   * Adds the keys of a new epoch, in a sealed call.
   * @param sealsAt when others have these keys too; until then the epoch before seals
   * @param now ms
   */
  add(epoch: Epoch, sealsAt: number, now: number): void {
    const newest = this.#epochs.at(-1)
    // Nobody reads frames of the epoch before.
    const isAlone = !newest || newest.keys.epoch.leaves.size === 1
    if (newest) newest.endedAt = now
    this.#epochs = this.#epochs.filter(
      ({ endedAt, keys }) => endedAt + EARLIER_MS > now && keys.epoch.keyId !== epoch.keyId,
    )
    this.#epochs.push({
      keys: new EpochKeys(epoch),
      sealsAt: isAlone ? now : sealsAt,
      endedAt: Infinity,
      counter: this.#counterOf(epoch),
    })
  }

  /** Decides without a look at a frame's bytes, which browsers copy when they are read; undefined if it needs them. */
  unreadVerdict(side: 'send' | 'receive'): 'pass' | 'drop' | undefined {
    if (this.#mode === 'closed') return 'drop'
    // In an open call, received frames are read: what was sealed before is dropped.
    return this.#mode === 'open' && side === 'send' ? 'pass' : undefined
  }

  /** @returns undefined if nothing may be sent */
  seal(frame: Bytes, { isAudio, codec }: Media, now: number): Soon<Bytes | undefined> {
    if (this.#mode !== 'sealed') return this.#mode === 'open' ? frame : undefined
    const entry = this.#epochs.findLast(({ sealsAt }) => sealsAt <= now)
    if (!entry || !codec) return undefined
    // During silence (DTX) Opus makes empty frames, which browsers do not send. A sealed one would be sent.
    if (isAudio && frame.length === 0) return frame
    const parts = partsOf(codec, frame)
    if (!parts) return undefined
    const { leaf, keyId } = entry.keys.epoch
    // Taken before anything asynchronous.
    const counter = entry.counter.next++
    const key = counter > COUNTER_MAX ? undefined : entry.keys.key(leaf, generationOf(counter))
    if (!key) return undefined
    entry.keys.reach(leaf, generationOf(counter))
    const { clear, authenticated, rest } = parts
    const trailer = trailerOf(keyId, counter)
    const parameters = parametersOf(isAudio, counter, authenticated, trailer)
    return afterwards(
      afterwards(key, (ready) => ready.seal(parameters, rest)),
      (sealed) => packed(codec, clear, sealed, trailer),
    )
  }

  /**
   * Opens a frame of another member.
   * @param from its voice session
   * @param stream the counters of this stream, to refuse replays
   * @returns undefined if the frame is not genuine, or its keys are not here yet
   */
  open(frame: Bytes, media: Media, from: string, stream: Counters, now: number): Soon<Bytes | undefined> {
    const isSealed = frame.at(-2) === MARK[0] && frame.at(-1) === MARK[1]
    if (this.#mode === 'open') return isSealed ? undefined : frame
    const { isAudio, codec } = media
    const parts = this.#mode === 'sealed' && isSealed && codec ? partsOf(codec, frame) : undefined
    if (!codec || !parts) return undefined
    const { clear, authenticated } = parts
    const rest = unpacked(codec, clear, parts.rest)
    if (rest.length < TRAILER_BYTES) return undefined
    const trailer = rest.subarray(-TRAILER_BYTES)
    const keys = this.#keysOf(trailer[0] ?? 0, now)
    // A member that is not in the newest epoch was removed, and is not heard any more.
    const isMember = this.#epochs.at(-1)?.keys.epoch.leaves.has(from)
    const leaf = isMember ? keys?.epoch.leaves.get(from) : undefined
    if (!keys || leaf === undefined || leaf === keys.epoch.leaf) return undefined
    const counter = new DataView(rest.buffer, rest.byteOffset + rest.length - TRAILER_BYTES).getUint32(1)
    const key = stream.isNew(keys, counter) ? keys.key(leaf, generationOf(counter)) : undefined
    if (!key) return undefined
    const parameters = parametersOf(isAudio, counter, authenticated, trailer)
    const sealed = rest.subarray(0, rest.length - TRAILER_BYTES)
    return afterwards(
      afterwards(key, (ready) => ready.open(parameters, sealed)),
      (plain) => {
        // Another copy may have been opened meanwhile.
        if (!plain || !stream.isNew(keys, counter)) return undefined
        stream.take(keys, counter)
        keys.reach(leaf, generationOf(counter))
        return restored(codec, clear, plain)
      },
    )
  }

  #keysOf(keyId: number, now: number): EpochKeys | undefined {
    const entry = this.#epochs.find(({ keys }) => keys.epoch.keyId === keyId)
    return entry && entry.endedAt + EARLIER_MS > now ? entry.keys : undefined
  }

  #counterOf({ secret, leaf }: Epoch): { next: number } {
    const name = `${leaf} ${secret.join()}`
    const counter = this.#counters.get(name) ?? { next: 0 }
    this.#counters.set(name, counter)
    return counter
  }
}

/** The counters that a received stream has had, by epoch. */
export class Counters {
  readonly #windows = new WeakMap<EpochKeys, { highest: number; seen: Set<number> }>()

  /** True if no frame with this counter was opened, and it is not older than all that may be late. */
  isNew(keys: EpochKeys, counter: number): boolean {
    const { highest = -1, seen } = this.#windows.get(keys) ?? {}
    return counter > highest - LATE_MAX && !seen?.has(counter)
  }

  take(keys: EpochKeys, counter: number): void {
    const window = this.#windows.get(keys) ?? { highest: -1, seen: new Set() }
    this.#windows.set(keys, window)
    window.seen.add(counter)
    window.highest = Math.max(window.highest, counter)
    if (window.seen.size <= 2 * LATE_MAX) return
    for (const old of window.seen) if (old <= window.highest - LATE_MAX) window.seen.delete(old)
  }
}

function trailerOf(keyId: number, counter: number): Bytes {
  const trailer = new Uint8Array(TRAILER_BYTES)
  trailer[0] = keyId
  new DataView(trailer.buffer).setUint32(1, counter)
  trailer.set(MARK, TRAILER_BYTES - MARK.length)
  return trailer
}

function parametersOf(isAudio: boolean, counter: number, authenticated: Bytes[], trailer: Bytes): FrameParameters {
  const nonce = new Uint8Array(NONCE_BYTES)
  new DataView(nonce.buffer).setUint32(NONCE_BYTES - 4, counter)
  const tagBytes = isAudio ? AUDIO_TAG_BYTES : VIDEO_TAG_BYTES
  return { nonce, authenticated: joined(...authenticated, trailer, new Uint8Array([8 * tagBytes])), tagBytes }
}
