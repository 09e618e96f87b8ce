import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListedThread } from '../../../features/forums/model.ts'
import type { ForumSort } from '../../../features/access/model.ts'
import { reasonOf } from '../../state/reason.ts'
import { call, connection, follow, loader, state, store } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'

/** Posts per page, as the server sends them. */
const PAGE = 25
/** After a key in the search field, the search waits for more. */
const TYPED_MS = 250
/** New posts are fetched together. */
const NEWS_MS = 1_000

/** A person's choice of posts. */
export interface Filter {
  q: string
  tag: number | undefined
  sort: ForumSort
  answered: 'true' | 'false' | undefined
}

/** A post in the list: its beginning as it was fetched; the rest is in the state, which events keep up to date. */
export type Listed = Pick<ListedThread, 'id' | 'first_message' | 'cursor'>

interface Pages {
  posts: Listed[]
  isEnd: boolean
  /** The reason why the posts cannot be shown. */
  error: string | undefined
}

const NOTHING: Pages = { posts: [], isEnd: false, error: undefined }

/** Ids of the forum's posts that the state has. */
const idsIn = (forumId: number): number[] =>
  [...state.channels.values()].flatMap(({ id, parent_id }) => (parent_id === forumId ? [id] : []))

/** The posts of a forum as the filter says: those loaded so far, and a function that loads more. */
export function usePosts(forum: ServerChannel, filter: Filter) {
  follow('shell')
  const [pages, setPages] = useState<Pages>()
  const turn = useRef(0)
  const newestKnown = useRef(0)
  const fetch = async (earlier: Pages) => {
    const own = ++turn.current
    const { q, ...others } = filter
    const cursor = earlier.posts.at(-1)?.cursor
    const query = { ...others, ...(q.trim() === '' ? {} : { q }), ...(cursor === undefined ? {} : { cursor }) }
    try {
      const rows = await call('GET /api/channels/:channel_id/threads', { channel_id: forum.id, ...query })
      if (own !== turn.current) return
      for (const { first_message: _, cursor: __, ...post } of rows) loader.replaceThread(post)
      newestKnown.current = Math.max(0, ...idsIn(forum.id))
      const isEnd = rows.filter((row) => row.cursor !== undefined).length < PAGE
      const ids = new Set(rows.map(({ id }) => id))
      const before = earlier.posts.filter(({ id }) => !ids.has(id))
      setPages({ posts: [...before, ...rows], isEnd, error: undefined })
    } catch (error) {
      if (own === turn.current) setPages({ ...earlier, error: reasonOf(error) })
    }
  }
  const isOnline = connection.value === 'online'
  useEffect(() => {
    if (!isOnline) return undefined
    const timer = setTimeout(() => void fetch(NOTHING), filter.q === '' ? 0 : TYPED_MS)
    return () => clearTimeout(timer)
  }, [forum.id, isOnline, ...Object.values(filter)])
  // A post that somebody has begun: the first page again, unless it would take away what somebody reads.
  const newest = Math.max(0, ...idsIn(forum.id))
  const isFirstPage = pages !== undefined && pages.posts.length <= PAGE + 5
  useEffect(() => {
    if (!pages || newest <= newestKnown.current || !isFirstPage) return undefined
    // The first post of an empty list appears at once.
    const timer = setTimeout(() => void fetch(NOTHING), pages.posts.length === 0 ? 0 : NEWS_MS)
    return () => clearTimeout(timer)
  }, [newest])
  const isLively = state.lively.has(forum.id)
  useEffect(() => {
    if (!state.lively.delete(forum.id)) return
    store.touch('shell')
    store.notify()
  }, [forum.id, isLively])
  const shownPosts = (pages ?? NOTHING).posts.flatMap((row) => {
    const post = state.channels.get(row.id)
    const isSeen = post && (post.hidden !== true || state.mayIn(forum, 'manage_threads'))
    return isSeen ? [{ ...row, post: post as ServerChannel }] : []
  })
  return {
    posts: shownPosts,
    isLoading: pages === undefined,
    error: pages?.error,
    more: pages && !pages.isEnd ? () => void fetch(pages) : undefined,
  }
}
