import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { PublicUser } from '../../../core/schema.ts'
import type { Relation } from '../../../features/friends/model.ts'
import { canContact, nameOf } from '../../state/names.ts'
import { call, follow, state, store } from '../../state/session.ts'
import { directPath, go } from '../../state/route.ts'
import { friendWords } from '../../words/friends.ts'
import { menuWords } from '../../words/menus.ts'
import { words } from '../../words/words.ts'
import { Avatar, StatusLine, statusOf } from '../kit/controls.tsx'
import { Empty } from '../kit/empty.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { Icon } from '../kit/icons.tsx'
import { Later } from '../kit/later.tsx'
import { openMenu } from '../kit/menu.tsx'
import { MenuButton, Pane } from '../kit/pane.tsx'

type Change = 'accept' | 'decline' | 'cancel' | 'block' | 'unblock'

/** Changes the relation with an account; an event brings the new state. */
export const changeRelation = (user_id: number, change: Change) =>
  call(`POST /api/friends/:user_id/${change}`, { user_id })
export const befriend = (friend_id: number) => call('POST /api/friends/request', {}, { friend_id })
export const unfriend = (user_id: number) => call('DELETE /api/friends/:user_id', { user_id })

const TABS = ['friends', 'waiting', 'blocked', 'find'] as const
type Tab = (typeof TABS)[number]

const inState = (...states: Relation['state'][]) =>
  [...state.relations].filter(([, relation]) => states.includes(relation.state)).map(([id]) => id)

/** The page of friends, requests, blocked accounts, and search. */
export const Friends = () => {
  follow('shell', 'members', 'statuses')
  const [tab, setTab] = useState<Tab>('friends')
  const waiting = inState('pending_incoming').length
  const head = (
    <header class="bar">
      <MenuButton />
      <Icon name="friends" />
      <h1>{words.friends.title}</h1>
      <div class="tabs">
        {TABS.map((name) => (
          <button
            type="button"
            key={name}
            aria-pressed={tab === name}
            onClick={({ currentTarget }) => {
              setTab(name)
              // On a phone some of it may lie beyond the edge.
              currentTarget.scrollIntoView({ inline: 'nearest', block: 'nearest' })
            }}
          >
            {friendWords.tabs[name]}
            {name === 'waiting' && waiting > 0 ? <span class="badge">{waiting}</span> : null}
          </button>
        ))}
      </div>
    </header>
  )
  return (
    <Pane title={words.friends.title} head={head}>
      <div class="scroll page">{tab === 'find' ? <Find /> : <People tab={tab} onFind={() => setTab('find')} />}</div>
    </Pane>
  )
}

/** Loaded for accounts that have nothing yet. */
const home = async (onFind: () => void) => {
  const { Home } = await import('./home.tsx')
  return () => <Home onFind={onFind} />
}

const EMPTY_ICONS = { friends: 'friends', waiting: 'invite', blocked: 'hide' } as const

/** An empty list of people: its purpose and the next step. */
const Nobody = ({ tab, onFind }: { tab: Exclude<Tab, 'find'>; onFind: () => void }) => {
  if (!state.isSynced) return null
  const isNew = state.servers.size + state.listed.size === 0 && state.conversations.size === 0
  if (tab === 'friends' && isNew && state.relations.size === 0) return <Later load={() => home(onFind)} />
  const [title, text] = friendWords.none[tab]
  return (
    <Empty icon={EMPTY_ICONS[tab]} title={title} text={text}>
      {tab === 'blocked' ? null : (
        <button type="button" class="primary" onClick={onFind}>
          {friendWords.tabs.find}
        </button>
      )}
    </Empty>
  )
}

const People = ({ tab, onFind }: { tab: Exclude<Tab, 'find'>; onFind: () => void }) => {
  follow('shell', 'members', 'statuses')
  const ids = {
    friends: inState('friends').toSorted(
      (a, b) => Number(statusOf(b) !== 'offline') - Number(statusOf(a) !== 'offline'),
    ),
    waiting: inState('pending_incoming', 'pending_outgoing'),
    blocked: inState('blocked'),
  }[tab]
  if (ids.length === 0) return <Nobody tab={tab} onFind={onFind} />
  const lists = tab === 'friends' ? Map.groupBy(ids, (id) => statusOf(id) === 'offline') : new Map([[undefined, ids]])
  return [...lists].map(([isOffline, group]) => (
    <section key={`${isOffline}`}>
      {isOffline === undefined ? null : (
        <h2>
          {words.status[isOffline ? 'offline' : 'online']} · {group.length}
        </h2>
      )}
      <ul class="people">
        {group.map((id) => (
          <Row key={id} id={id} isFriend={tab === 'friends'} />
        ))}
      </ul>
    </section>
  ))
}

/** A click on a friend's row, besides its buttons, opens the conversation, as its link does. */
const Row = ({ id, isFriend }: { id: number; isFriend: boolean }) => {
  follow('members', 'statuses')
  const write = ({ target }: Event) => {
    // A mouse that has selected text.
    if (getSelection()?.isCollapsed === false) return
    if (isFriend && target instanceof Element && !target.closest('a, button')) go(directPath(id))
  }
  return (
    <li class={`row person ${isFriend ? 'friend' : ''}`} tabIndex={-1} data-menu={`person ${id} 0`} onClick={write}>
      <Avatar id={id} size={40} status={isFriend} />
      <span>
        <bdi>{nameOf(id)}</bdi>
        <small>
          {isFriend ? <StatusLine id={id} /> : friendWords.relation[state.relations.get(id)?.state ?? 'none']}
        </small>
      </span>
      {isFriend ? <FriendActions id={id} /> : <RelationActions user_id={id} />}
    </li>
  )
}

const WriteLink = ({ id }: { id: number }) => (
  <a class="button bare" href={directPath(id)} aria-label={words.direct.write(nameOf(id))}>
    <Icon name="message" />
  </a>
)

/** The most frequent actions on a friend, and a menu of the others. */
const FriendActions = ({ id }: { id: number }) => {
  const moreButton = useRef<HTMLButtonElement>(null)
  return (
    <span class="choices">
      <WriteLink id={id} />
      <button
        ref={moreButton}
        type="button"
        class="bare"
        aria-label={menuWords.of(nameOf(id))}
        aria-haspopup="menu"
        aria-expanded={openMenu.value !== undefined && openMenu.value.opener === moreButton.current}
        data-menu={`person ${id} 0`}
        // Dispatch the event that the menu key would.
        onClick={({ currentTarget }) =>
          currentTarget.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))
        }
      >
        <Icon name="more" />
      </button>
    </span>
  )
}

/** The buttons that change the relation with an account. */
export const RelationActions = ({
  user_id,
  label,
  children,
}: {
  user_id: number
  label?: boolean
  children?: ComponentChildren
}) => {
  follow('shell', 'members')
  const { attempt, error } = useAttempt()
  if (user_id === state.me()) return null
  const button = (text: string, work: () => Promise<unknown>, style = '') => (
    <button
      type="button"
      class={style}
      aria-label={label ? undefined : `${text}: ${nameOf(user_id)}`}
      onClick={() => void attempt(work)}
    >
      {text}
    </button>
  )
  const relation = state.relations.get(user_id)?.state ?? 'none'
  if (!canContact(user_id)) return <span class="choices">{children}</span>
  return (
    <span class="choices">
      {label && relation !== 'blocked' ? (
        <a class={`button ${relation === 'friends' ? 'primary' : ''}`} href={directPath(user_id)}>
          <Icon name="message" size={18} /> {menuWords.write}
        </a>
      ) : null}
      {label || relation === 'blocked' ? null : <WriteLink id={user_id} />}
      {relation === 'none' ? button(friendWords.add, () => befriend(user_id), 'primary') : null}
      {relation === 'pending_incoming' ? (
        <>
          {button(friendWords.accept, () => changeRelation(user_id, 'accept'), 'primary')}
          {button(friendWords.decline, () => changeRelation(user_id, 'decline'))}
        </>
      ) : null}
      {relation === 'pending_outgoing' ? button(friendWords.cancel, () => changeRelation(user_id, 'cancel')) : null}
      {relation === 'friends' ? button(friendWords.remove, () => unfriend(user_id)) : null}
      {relation === 'blocked'
        ? button(friendWords.unblock, () => changeRelation(user_id, 'unblock'))
        : label
          ? button(friendWords.block, () => changeRelation(user_id, 'block'), 'danger')
          : null}
      {children}
      <Refusal error={error} />
    </span>
  )
}

/** Searches for people by their whole username or part of their display name. */
const Find = () => {
  follow('shell')
  const [q, setQ] = useState('')
  const [results, setResults] = useState<PublicUser[]>()
  const { attempt, busy, error } = useAttempt()
  const form = useRef<HTMLFormElement>(null)
  // `autofocus` does nothing in a page that is there already.
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), [])
  const submit = async (event: Event) => {
    event.preventDefault()
    const people = await attempt(() => call('GET /api/users/search', { q }))
    for (const user of people ?? []) if (!state.users.has(user.id)) state.users.set(user.id, user)
    store.touch('members')
    store.notify()
    setResults(people)
  }
  return (
    <>
      <form ref={form} class="inline" onSubmit={submit}>
        <Field label={friendWords.search} value={q} onInput={setQ} hint={friendWords.searchHint} required />
        <button class="primary" disabled={busy}>
          {friendWords.find}
        </button>
      </form>
      <Refusal error={error} />
      <ul class="people" aria-live="polite">
        {results?.map((user) => (
          <Row key={user.id} id={user.id} isFriend={state.relations.get(user.id)?.state === 'friends'} />
        ))}
      </ul>
      {results?.length === 0 ? <Empty icon="search" title={friendWords.nobody} text={friendWords.nobodyText} /> : null}
      {results || busy ? null : (
        <Empty icon="friends" title={friendWords.tabs.find} text={friendWords.none.friends[1]} />
      )}
    </>
  )
}
