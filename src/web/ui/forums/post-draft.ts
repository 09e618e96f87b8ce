import { newNonce } from '../../client/nonce.ts'
import { type Composition, emptyComposition, isComposition } from '../../state/mentions.ts'
import { hasFiles, keepOwn, ownOf, ownPrefix } from '../../state/unsent.ts'

/** A post that is half written. */
export interface PostDraft {
  name: string
  tag_ids: number[]
  value: Composition
  /** One for all tries: a repeated request posts once. */
  nonce: string
}

const keyOf = (forumId: number): string => `${ownPrefix()}p${forumId}`

export const emptyPost = (): PostDraft => ({ name: '', tag_ids: [], value: emptyComposition, nonce: newNonce() })

/** The draft of a post in a forum, which outlives the page. */
export function postDraftOf(forumId: number): PostDraft {
  const entry = ownOf(keyOf(forumId))
  if (typeof entry !== 'object' || entry === null) return emptyPost()
  const { name, tag_ids, value, nonce } = entry as Record<string, unknown>
  if (typeof name !== 'string' || typeof nonce !== 'string' || !isComposition(value)) return emptyPost()
  const ids = Array.isArray(tag_ids) ? tag_ids.filter((id): id is number => typeof id === 'number') : []
  return { name, tag_ids: ids, value: { text: value.text, mentions: value.mentions }, nonce }
}

const isEmpty = ({ name, tag_ids, value }: PostDraft): boolean =>
  name === '' && value.text === '' && tag_ids.length === 0

/** Keeps the draft, or forgets it once nothing is in it. */
export const keepPostDraft = (forumId: number, draft: PostDraft): void =>
  keepOwn(keyOf(forumId), isEmpty(draft) ? undefined : draft)

/** True if a post in the forum is half written. */
export const hasPostDraft = (forumId: number): boolean => !isEmpty(postDraftOf(forumId)) || hasFiles(forumId)
