import type { ErrorCode } from '../../core/errors.ts'
import type { noticeWords } from './notices.ts'
import type { words } from './words.ts'

/** Facts about a language that its list and the service worker need without its other words. */
export interface About {
  /** The language's own name. */
  name: string
  /** Notice in the language that the words are a machine's; absent once a speaker has reviewed them. */
  unreviewed?: string
  notices: typeof noticeWords
}

/** Problem codes for which English shows the server's own text. */
export type OtherProblem = Exclude<ErrorCode, keyof (typeof words)['problems']>
