import type { Message } from '../../features/messages/model.ts'
import { plainText } from '../../core/markup.ts'
import { momentIn } from './format.ts'
import { knownNameOf, tokenNameOf } from './names.ts'

type Saying = Pick<Message, 'content' | 'forwarded' | 'poll' | 'sticker'>

/** The text of a message, else that of its forward, poll or sticker. */
export const sayingOf = ({ content, forwarded, poll, sticker = forwarded?.sticker }: Saying): string =>
  content || forwarded?.content || poll?.question || (sticker ? `${sticker.name} · ${sticker.alt}` : '')

/** A message in one line without marks, with names and times as on this page. */
export const plainLine = (text: string): string =>
  plainText(text, { nameOf: knownNameOf, tokenNameOf, timeOf: momentIn })
