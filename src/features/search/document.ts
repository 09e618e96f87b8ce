import { wordsOf, wordsOfName } from '../../core/words.ts'
import type { Kind } from './model.ts'

/** What a message is found by besides its words: terms that no word can be. */
export const mark = {
  from: (id: number) => `#from${id}`,
  mentions: (id: number) => `#mentions${id}`,
  has: (kind: Kind) => `#has_${kind}`,
  pinned: '#pinned',
  inThread: (id: number) => `#in${id}`,
  /** What begins the name of a file, and of a thread: no phrase stands across them. */
  file: '#file',
  /** forget_thread_name knows it too, and that its words are the last. */
  thread: '#thread',
}

/** Raised with every change of the terms that messages get: the job then makes all of them again. */
export const RULES = 2

/** A message as the index takes it. */
export interface Indexed {
  author_id: number
  content: string
  mention_ids: number[]
  /** Of its files. */
  content_types: string[]
  filenames: string[]
  has_embeds: boolean
  is_pinned: boolean
  thread_id: number | null
  /** Of the thread that begins with this message. */
  thread_name: string | null
}

const LINK = /https?:\/\/[^\s<>]/i

/** The terms of a message, as search_documents holds them. */
export function termsOf(message: Indexed): string {
  const { author_id, content, mention_ids, content_types, filenames, has_embeds, is_pinned } = message
  const { thread_id, thread_name } = message
  const kinds: Record<Kind, boolean> = {
    link: LINK.test(content),
    file: content_types.length > 0,
    image: content_types.some((type) => type.startsWith('image/')),
    embed: has_embeds,
  }
  const held = (Object.keys(kinds) as Kind[]).filter((kind) => kinds[kind])
  const terms = [
    mark.from(author_id),
    ...mention_ids.map(mark.mentions),
    ...held.map(mark.has),
    ...(is_pinned ? [mark.pinned] : []),
    ...(thread_id === null ? [] : [mark.inThread(thread_id)]),
    ...wordsOf(content),
    ...filenames.flatMap((filename) => [mark.file, ...wordsOfName(filename)]),
    ...(thread_name === null ? [] : [mark.thread, ...wordsOf(thread_name)]),
  ]
  return ` ${terms.join(' ')} `
}
