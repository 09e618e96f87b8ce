import { wordsOf } from '../../core/words.ts'
import type { Kind } from './model.ts'

/** What a message is found by besides its words: terms that no word can be. */
export const mark = {
  from: (id: number) => `#from${id}`,
  mentions: (id: number) => `#mentions${id}`,
  has: (kind: Kind) => `#has_${kind}`,
  pinned: '#pinned',
  inThread: (id: number) => `#in${id}`,
}

/** A message as the index takes it. */
export interface Indexed {
  author_id: number
  content: string
  mention_ids: number[]
  /** Of its files. */
  content_types: string[]
  has_embeds: boolean
  is_pinned: boolean
  thread_id: number | null
}

const LINK = /https?:\/\/[^\s<>]/i

/** The terms of a message, as search_documents holds them. */
export function termsOf(message: Indexed): string {
  const { author_id, content, mention_ids, content_types, has_embeds, is_pinned, thread_id } = message
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
  ]
  return ` ${terms.join(' ')} `
}
