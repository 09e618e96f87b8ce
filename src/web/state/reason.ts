import { ApiError } from '../client/rest.ts'
import { words } from '../words/words.ts'
import { sizeOf } from './format.ts'
import { withoutHidden } from '../../core/visible.ts'

/** The server's text for a blocked message whose rule says nothing of its own. */
const NO_MESSAGE = 'A rule of this server does not allow this'

/** A sentence of the server, whose sizes are in bytes. */
const withUnits = (text: string): string => text.replace(/(\d+) bytes/g, (_, bytes) => sizeOf(Number(bytes)))

/** The server's sentence about a rule that was broken, in the page's language. */
export function ruleOf(text: string): string {
  const sentences: Record<string, string | undefined> = words.rules
  const numbers = text.match(/\d+/g) ?? []
  const sentence = sentences[text.replace(/\d+/g, '#')]
  return withUnits(sentence?.replace(/#/g, (sign) => numbers.shift() ?? sign) ?? text)
}

/** The reason of a failure: the words for the problem's code, else the text of the server or browser. */
export function reasonOf(cause: unknown): string {
  const problems: Record<string, string | undefined> = words.problems
  if (cause instanceof ApiError && cause.code === 'automod_blocked' && cause.message !== NO_MESSAGE)
    return withoutHidden(cause.message)
  if (cause instanceof ApiError) return problems[cause.code] ?? withUnits(cause.message)
  return words.failed(cause instanceof Error ? cause.message : String(cause))
}
