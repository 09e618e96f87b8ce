import { ALL_PERMISSIONS, holds, union } from '../core/permissions.ts'

/**
 * Permissions as Discord writes them: decimal strings. Parley's bits have Discord's positions, so they are copied.
 * Three bits that Parley lacks follow from others, because their absence would tell a bot that it may not do what it
 * may: whoever may write may add embeds, and whoever may speak needs no key for it and may ask to speak in a stage. All
 * other bits that Parley lacks are 0.
 */
const [EMBED_LINKS, OF_SPEAKERS] = [2 ** 14, 2 ** 25 + 2 ** 32]

/** A sum of Parley's bits in Discord's notation. */
export const discordBits = (bits: number): string =>
  String(union(bits, holds(bits, 'send_messages') ? EMBED_LINKS : 0, holds(bits, 'speak') ? OF_SPEAKERS : 0))

/** The bits of Discord's notation that Parley has; 0 for anything but digits. */
export function parleyBits(value: unknown): number {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !/^\d{1,19}$/.test(text)) return 0
  return Number(BigInt(text) & BigInt(ALL_PERMISSIONS))
}
