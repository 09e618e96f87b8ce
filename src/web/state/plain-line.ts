import { plainText } from '../../core/markup.ts'
import { momentIn } from './format.ts'
import { knownNameOf, tokenNameOf } from './names.ts'

/** A message in one line without marks, with names and times as on this page. */
export const plainLine = (text: string): string =>
  plainText(text, { nameOf: knownNameOf, tokenNameOf, timeOf: momentIn })
