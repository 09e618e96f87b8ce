import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { FoundMessages } from '../../../features/search/model.ts'
import type { ApiError } from '../../client/rest.ts'
import { dayOf } from '../../state/format.ts'
import { nameOf, titleOf, withoutBidi } from '../../state/names.ts'
import { placePath, route } from '../../state/route.ts'
import { isEmptyQuery, type Known, localDay, type Parsed, parseQuery, unknownPerson } from '../../state/search-query.ts'
import { call, follow, loader, state } from '../../state/session.ts'
import { isServerChannel } from '../../state/state.ts'
import { searchWords } from '../../words/search.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'
import { Empty } from '../kit/empty.tsx'
import { Refusal } from '../kit/forms.tsx'
import { useMemberSearch } from '../kit/member-search.ts'
import { useBack } from '../kit/pane.tsx'
import { closeSearch } from './search-shown.ts'
import { SearchField } from './search-field.tsx'
import { Result } from './search-result.tsx'
import { isComposingKey } from '../../state/keyboard.ts'

/** Pause between the last key and the request. */
const PAUSE_MS = 400
const NARROW = '(max-width: 760px)'

/** Survives closing the panel. */
const text = signal('')
const isEverywhere = signal(false)

interface Found {
  /** The words that are marked. */
  q: string
  messages: FoundMessages['messages']
  cursor: string | null
}

/** Text that is not a valid query. */
type Unclear = Exclude<Parsed, { query: unknown }>

/** The server, dm or group on the page. */
function placeHere(): { server_id?: number; channel_id?: number; name: string } | undefined {
  const here = route.value
  if (here.page === 'server') {
    const server = state.servers.get(here.server_id)
    return server && { server_id: server.id, name: withoutBidi(server.name) }
  }
  const channel = here.page === 'place' ? state.channels.get(here.channel_id) : undefined
  return channel && { channel_id: channel.id, name: titleOf(channel) }
}

/** Values of filters: of this place, or of all places. */
function knownHere(serverId: number | undefined): Known {
  const members = serverId === undefined ? undefined : state.members.get(serverId)
  const ids = new Set([state.me(), ...(members?.keys() ?? []), ...state.users.keys()])
  const channels = [...state.channels.values()].filter((channel) =>
    serverId === undefined
      ? channel.type !== 'category'
      : isServerChannel(channel) && channel.server_id === serverId && channel.type !== 'category',
  )
  return {
    people: [...ids].map((id) => ({ id, name: nameOf(id) })),
    channels: channels.map((channel) => ({ id: channel.id, name: titleOf(channel).replace(/^#/, '') })),
    me: state.me(),
    today: localDay(new Date()),
  }
}

/** Asks the server, for a page after another too; an answer that is overtaken is dropped. */
function useResults(names: Known) {
  const place = isEverywhere.value ? undefined : placeHere()
  const [results, setResults] = useState<Found>()
  const [error, setError] = useState<ApiError>()
  const [unclear, setUnclear] = useState<Unclear>()
  const [busy, setBusy] = useState<object>()
  const scope = { server_id: place?.server_id, channel_id: place?.channel_id }
  const parsed = parseQuery(text.value, names)
  // Of a large server, the person may become known later.
  useMemberSearch(placeHere()?.server_id, unknownPerson(parsed))
  const question = `${text.value} ${JSON.stringify([scope, 'filter' in parsed])}`
  const ask = async (before?: Found) => {
    const result = parseQuery(text.value, names)
    setUnclear('query' in result ? undefined : result)
    if (!('query' in result) || isEmptyQuery(result.query)) return
    const { query } = result
    const inChannel = query.channel_id !== undefined && place?.channel_id !== undefined ? {} : scope
    const run = {}
    setBusy(run)
    setError(undefined)
    const entries = Object.entries({ ...inChannel, ...query, context: 'true', cursor: before?.cursor ?? undefined })
    const parameters = Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ''))
    const answer = await call('GET /api/search', parameters).catch((cause: ApiError) => cause)
    setBusy((current) => {
      if (current !== run) return current
      if (answer instanceof Error) setError(answer)
      else setResults({ q: query.q, ...answer, messages: [...(before?.messages ?? []), ...answer.messages] })
      return undefined
    })
  }
  // Before the next key: Enter may follow at once.
  useLayoutEffect(() => {
    setUnclear(undefined)
    setError(undefined)
    const result = parseQuery(text.value, names)
    if ('query' in result && isEmptyQuery(result.query)) {
      setBusy(undefined)
      return setResults(undefined)
    }
    const timer = setTimeout(() => {
      // An incomplete filter is no error yet.
      if (!('filter' in parseQuery(text.value, names))) void ask()
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [question])
  return { results, error, unclear, busy: busy !== undefined, ask }
}

/** The search of messages: next to the main part; on narrow screens instead of it. */
export const SearchPanel = () => {
  follow('shell', 'members')
  useBack(closeSearch)
  useEffect(() => void (isEverywhere.value && loader.openAll()), [isEverywhere.value])
  const place = placeHere()
  const names = knownHere(isEverywhere.value ? undefined : place?.server_id)
  const results = useResults(names)
  return (
    <aside
      class="search"
      aria-label={searchWords.title}
      onKeyDown={(event) => event.key === 'Escape' && !isComposingKey(event) && (event.preventDefault(), closeSearch())}
    >
      <header class="bar">
        <SearchField
          value={text.value}
          names={names}
          server_id={place?.server_id}
          onChange={(value) => (text.value = value)}
          onEnter={() => void results.ask()}
          onEscape={closeSearch}
        />
        <IconButton icon="close" label={words.close} onClick={closeSearch} />
      </header>
      {place ? (
        <div class="tabs scopes" role="group" aria-label={searchWords.where}>
          <button type="button" aria-pressed={!isEverywhere.value} onClick={() => (isEverywhere.value = false)}>
            <bdi>{place.name}</bdi>
          </button>
          <button type="button" aria-pressed={isEverywhere.value} onClick={() => (isEverywhere.value = true)}>
            {searchWords.everywhere}
          </button>
        </div>
      ) : null}
      <Results {...results} />
    </aside>
  )
}

const Results = ({ results, error, unclear, busy, ask }: ReturnType<typeof useResults>) => (
  <div class="results scroll" tabIndex={0} role="region" aria-label={searchWords.title} aria-busy={busy}>
    <p class="quiet count" role="status">
      {unclear
        ? 'twice' in unclear
          ? searchWords.twice(`${unclear.twice}:`)
          : searchWords.unknown[unclear.filter](unclear.value)
        : busy && !results
          ? searchWords.searching
          : results
            ? searchWords.found({ n: results.messages.length, hasMore: results.cursor !== null })
            : error
              ? null
              : searchWords.start}
    </p>
    <Refusal error={error} />
    {results && results.messages.length === 0 && !busy ? (
      <Empty icon="search" title={searchWords.nothing} text={searchWords.nothingText} />
    ) : null}
    {results ? <List {...results} /> : null}
    {results?.cursor ? (
      <button type="button" class="more" disabled={busy} onClick={() => void ask(results)}>
        {words.more}
      </button>
    ) : null}
  </div>
)

const List = ({ q, messages }: Found) => {
  const ids = new Set(messages.map(({ id }) => id))
  return (
    <ol>
      {messages.map((message, at) => {
        const day = dayOf(message.created_at)
        const before = messages[at - 1]
        const href = placePath(message.channel_id, message.id)
        return (
          <li key={message.id}>
            {before && dayOf(before.created_at) === day ? null : <h3>{day}</h3>}
            <Result message={message} q={q} href={href} otherIds={ids} onJump={leave} />
          </li>
        )
      })}
    </ol>
  )
}

/** On a narrow screen the search covers the message, so it is closed. */
function leave(): void {
  if (window.matchMedia(NARROW).matches) closeSearch()
}
