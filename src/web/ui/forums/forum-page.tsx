import type { TargetedKeyboardEvent } from 'preact'
import { useState } from 'preact/hooks'
import { follow, state } from '../../state/session.ts'
import { isServerChannel, type ServerChannel } from '../../state/state.ts'
import { forumWords as says } from '../../words/forums.ts'
import { words } from '../../words/words.ts'
import { Empty } from '../kit/empty.tsx'
import { Icon } from '../kit/icons.tsx'
import { RichText } from '../messages/rich-text.tsx'
import { NewPost } from './new-post.tsx'
import { type Filter, usePosts } from './post-list.ts'
import { PostRow } from './post-row.tsx'
import { TagChoice } from './tags.tsx'
import { hasPostDraft } from './post-draft.ts'
import { route } from '../../state/route.ts'

/** Moves the focus to the post above or below, by the arrow keys. */
function moveInList(event: TargetedKeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>('a.post')]
  const at = links.findIndex((link) => link === document.activeElement)
  const next = links[at + step]
  if (at === -1 || !next) return
  event.preventDefault()
  next.focus()
}

/** A forum: what it is about, filters, and its posts. */
export const ForumPage = ({ channel_id }: { channel_id: number }) => {
  follow('shell')
  const forum = state.channels.get(channel_id)
  return forum && isServerChannel(forum) ? <Forum key={channel_id} forum={forum} /> : null
}

const Forum = ({ forum }: { forum: ServerChannel }) => {
  const { tags = [], default_sort = 'latest', layout, guidelines = '' } = forum
  const [filter, setFilter] = useState<Filter>({ q: '', tag: undefined, sort: default_sort, answered: undefined })
  const [isWriting, setWriting] = useState(() => hasPostDraft(forum.id))
  const { posts, isLoading, error, more } = usePosts(forum, filter)
  const set = (change: Partial<Filter>) => setFilter({ ...filter, ...change })
  const isNarrow = filter.q !== '' || filter.tag !== undefined || filter.answered !== undefined
  const mayPost = state.mayIn(forum, 'create_threads')
  const openId = route.value.page === 'server' ? route.value.channel_id : undefined
  return (
    <section class="conversation forum" aria-label={says.posts}>
      <h2 class="hidden">{says.posts}</h2>
      <div class="scroll">
        {guidelines === '' ? null : (
          <details class="guidelines">
            <summary>{says.guidelines}</summary>
            <RichText text={guidelines} />
          </details>
        )}
        <Filters forum={forum} filter={filter} set={set} />
        {isWriting && mayPost ? (
          <NewPost forum={forum} onClose={() => setWriting(false)} />
        ) : mayPost ? (
          <button type="button" class="primary begin" onClick={() => setWriting(true)}>
            <Icon name="add" size={16} /> {says.newPost}
          </button>
        ) : null}
        {error === undefined ? null : (
          <p class="refusal" role="alert">
            {error}
          </p>
        )}
        <p class="hidden" role="status">
          {isLoading ? words.loading : says.found(posts.length)}
        </p>
        <ul class={`posts ${layout ?? 'list'}`} onKeyDown={moveInList}>
          {posts.map((row) => (
            <PostRow key={row.id} row={row} tags={tags} isGallery={layout === 'gallery'} isHere={row.id === openId} />
          ))}
        </ul>
        {posts.length === 0 && !isLoading && error === undefined ? (
          <Empty
            icon={isNarrow ? 'search' : 'thread'}
            title={isNarrow ? says.noneFound : says.none}
            text={isNarrow ? says.noneFoundText : says.noneText}
          />
        ) : null}
        {more && posts.length > 0 ? (
          <button type="button" class="more" onClick={more}>
            {says.more}
          </button>
        ) : null}
      </div>
    </section>
  )
}

interface FiltersProps {
  forum: ServerChannel
  filter: Filter
  set: (change: Partial<Filter>) => void
}

const ANSWERS = [undefined, 'false', 'true'] as const

const Filters = ({ forum: { tags = [] }, filter, set }: FiltersProps) => (
  <form class="filters" role="search" aria-label={says.filters} onSubmit={(event) => event.preventDefault()}>
    <input
      type="search"
      aria-label={says.search}
      placeholder={says.search}
      value={filter.q}
      maxLength={200}
      onInput={(event) => set({ q: event.currentTarget.value })}
    />
    <select
      aria-label={says.sort.label}
      value={filter.sort}
      disabled={filter.q !== ''}
      onChange={(event) => set({ sort: SORTS[event.currentTarget.selectedIndex] ?? 'latest' })}
    >
      {SORTS.map((sort) => (
        <option key={sort} value={sort}>
          {says.sort[sort]}
        </option>
      ))}
    </select>
    <select
      aria-label={says.answers.label}
      value={filter.answered ?? ''}
      onChange={(event) => set({ answered: ANSWERS[event.currentTarget.selectedIndex] })}
    >
      {ANSWERS.map((answered) => (
        <option key={answered} value={answered ?? ''}>
          {says.answers[answered === undefined ? 'all' : answered === 'true' ? 'answered' : 'open']}
        </option>
      ))}
    </select>
    {tags.length > 0 ? (
      <TagChoice
        label={says.tags}
        tags={tags}
        chosen={filter.tag === undefined ? [] : [filter.tag]}
        onToggle={(id) => set({ tag: id === filter.tag ? undefined : id })}
      />
    ) : null}
  </form>
)

const SORTS = ['latest', 'created', 'votes'] as const
