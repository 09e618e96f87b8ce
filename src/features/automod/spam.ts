import { createHash } from 'node:crypto'
import type { Limiter, WindowPolicy } from '../../http/limits/limiter.ts'
import type { SpamRule } from './compiled-rules.ts'
import { fold } from './fold.ts'

/** Shorter texts, such as greetings, are the same by chance. */
const SAME_TEXT_MIN = 8

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

/**
 * Counts a message for a rule about spam: in Redis if there is one, else in this process.
 * @returns true if the message is one too many
 */
export async function isSpam(
  limiter: Limiter,
  { rule, trigger }: SpamRule,
  authorId: number,
  texts: string[],
): Promise<boolean> {
  const { by, count, seconds } = trigger
  const window = (name: string, max: number): WindowPolicy => ({ name: `automod-${name}`, max, windowS: seconds })
  if (by === 'member') return !(await limiter.take(window('member', count), `${rule.id}:${authorId}`)).allowed
  const text = fold(texts.join('\n')).trim()
  if (text.length < SAME_TEXT_MIN) return false
  const key = `${rule.id}:${hashOf(text)}`
  // Each member counts once for a text, and the last one that is allowed has company of `count - 2` others.
  const isFirst = (await limiter.take(window('author', 1), `${key}:${authorId}`)).allowed
  const all = window('text', count - 1)
  const { allowed } = await limiter.take(all, key)
  if (allowed && !isFirst) await limiter.giveBack(all, key)
  return !allowed
}
