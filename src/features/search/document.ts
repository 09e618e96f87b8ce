import { wordsOf, wordsOfName } from '../../core/words.ts'
import type { Kind } from './model.ts'
import { pairsOf } from './pairs.ts'

/** Index terms besides the words of a message. No word can equal them. */
export const mark = {
  from: (id: number) => `#from${id}`,
  mentions: (id: number) => `#mentions${id}`,
  has: (kind: Kind) => `#has_${kind}`,
  pinned: '#pinned',
  inThread: (id: number) => `#in${id}`,
  /** Precedes each file name, and the thread's name, so that no phrase matches across them. */
  file: '#file',
  /** SQL's forget_thread_name relies on this mark, and on the words of the name and their pairs being the last. */
  thread: '#thread',
  /** The message by which a post of a forum is found. */
  post: '#post',
}

/** Increment after every change of the terms: the job then rebuilds all documents. */
export const RULES = 3

/** The input of the index for one message. */
export interface Indexed {
  author_id: number
  content: string
  mention_ids: number[]
  /** Types of its files. */
  content_types: string[]
  filenames: string[]
  /** Descriptions of its files. */
  alts: string[]
  has_embeds: boolean
  is_pinned: boolean
  thread_id: number | null
  /** Name of the thread that begins at this message. */
  thread_name: string | null
  /** True if that thread is a post. */
  is_post: boolean
}

const LINK = /https?:\/\/[^\s<>]/i

/**
 * The terms of a message, as stored in search_documents: marks, marks of pairs, then the words in order. The thread's
 * name, with its pairs, is the last.
 */
export function termsOf(message: Indexed): string {
  const { author_id, content, mention_ids, content_types, filenames, alts, has_embeds, is_pinned } = message
  const { thread_id, thread_name, is_post } = message
  const kinds: Record<Kind, boolean> = {
    link: LINK.test(content),
    file: content_types.length > 0,
    image: content_types.some((type) => type.startsWith('image/')),
    embed: has_embeds,
  }
  const presentKinds = (Object.keys(kinds) as Kind[]).filter((kind) => kinds[kind])
  const words = [
    ...wordsOf(content),
    ...filenames.flatMap((filename) => [mark.file, ...wordsOfName(filename)]),
    ...alts.flatMap((alt) => wordsOf(alt)),
  ]
  const nameWords = thread_name === null ? [] : wordsOf(thread_name)
  const terms = [
    mark.from(author_id),
    ...mention_ids.map(mark.mentions),
    ...presentKinds.map(mark.has),
    ...(is_pinned ? [mark.pinned] : []),
    ...(thread_id === null ? [] : [mark.inThread(thread_id)]),
    ...(is_post ? [mark.post] : []),
    ...pairsOf(words),
    ...words,
    ...(thread_name === null ? [] : [mark.thread, ...nameWords, ...pairsOf(nameWords)]),
  ]
  return ` ${terms.join(' ')} `
}
