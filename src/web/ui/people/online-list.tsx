import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { OnlineGroup } from '../../../features/members/model.ts'
import type { Status } from '../../../features/status/model.ts'
import { fetchOnline } from '../../state/large-servers.ts'
import { withoutBidi } from '../../state/names.ts'
import { connection, follow, state } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { PersonRow } from './person-row.tsx'

/** Rows of a page. Source: docs/rest.md. */
const PAGE = 100
/** Heights of a row and of a group's heading, px. Fingers need larger rows. */
const ROW = matchMedia('(pointer: coarse)').matches ? 52 : 44
const HEADING = 36
/** Rows drawn above and below the screen. */
const MARGIN = 12
/** Interval at which the rows on the screen are fetched again: a large server announces no presence. */
const AGAIN_MS = 10_000

/** The groups of the list, and the rows of the pages that are or were on the screen. */
interface OnlineRows {
  groups: OnlineGroup[]
  offlineCount: number
  /** With statuses, which nothing announces elsewhere. */
  pages: Map<number, { id: number; status: Status }[]>
}

const NOTHING: OnlineRows = { groups: [], offlineCount: 0, pages: new Map() }

/** A group with the number of its first row, and where it begins, px. */
type Placed = OnlineGroup & { start: number; top: number }

function placed(groups: OnlineGroup[]): Placed[] {
  let [start, top] = [0, 0]
  return groups.map((group) => {
    const place = { ...group, start, top }
    start += group.count
    top += HEADING + group.count * ROW
    return place
  })
}

/** The rows of a group between two heights of the list, as numbers within the group. */
function rowsBetween({ count, top }: Placed, from: number, to: number): number[] {
  const first = Math.max(0, Math.floor((from - top - HEADING) / ROW) - MARGIN)
  const end = Math.min(count, Math.ceil((to - top - HEADING) / ROW) + MARGIN)
  return Array.from({ length: Math.max(0, end - first) }, (_, nth) => first + nth)
}

/** Fetches the pages that hold some rows, again and again while the page is visible. */
function useOnline(server_id: number, starts: number[]) {
  const [list, setList] = useState(NOTHING)
  const latest = useRef(list)
  const running = useRef(new Set<number>())
  const isOnline = connection.value === 'online'
  const fetch = (from: number) => {
    if (running.current.has(from)) return
    running.current.add(from)
    fetchOnline(server_id, from)
      .then(({ groups, offline_count, members }) => {
        // Pages that are no longer on the screen are forgotten, because they age.
        const otherPages = [...latest.current.pages].filter(
          ([each]) => each !== from && latestStarts.current.includes(each),
        )
        const pages = new Map([...otherPages, [from, members.map(({ user, status }) => ({ id: user.id, status }))]])
        latest.current = { groups, offlineCount: offline_count, pages }
        setList(latest.current)
      })
      .catch(() => {})
      .finally(() => running.current.delete(from))
  }
  const latestStarts = useRef(starts)
  latestStarts.current = starts
  useEffect(() => {
    for (const from of starts) if (!latest.current.pages.has(from)) fetch(from)
  }, [starts.join(), isOnline])
  useEffect(() => {
    const again = () => document.visibilityState === 'visible' && latestStarts.current.forEach(fetch)
    const timer = setInterval(again, AGAIN_MS)
    document.addEventListener('visibilitychange', again)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', again)
    }
  }, [])
  return list
}

/** The online members of a large server: only the rows on the screen are fetched and drawn. */
export const OnlineList = ({ server_id }: { server_id: number }) => {
  follow('members', 'shell')
  const box = useRef<HTMLElement>(null)
  const [view, setView] = useState({ from: 0, to: innerHeight })
  const [starts, setStarts] = useState([0])
  const list = useOnline(server_id, starts)
  const groups = placed(list.groups)
  const last = groups.at(-1)
  const height = last ? last.top + HEADING + last.count * ROW : 0
  const sections = groups
    .map((group) => ({ group, rows: rowsBetween(group, view.from, view.to) }))
    .filter(({ group, rows }) => rows.length > 0 || (group.top < view.to && group.top + HEADING > view.from))
  useLayoutEffect(() => {
    const next = new Set(sections.flatMap(({ group, rows }) => rows.map((row) => pageOf(group.start + row))))
    if (next.size > 0) setStarts((before) => (before.join() === [...next].join() ? before : [...next]))
  })
  const onScroll = () => {
    const aside = box.current
    if (aside) setView({ from: aside.scrollTop, to: aside.scrollTop + aside.clientHeight })
  }
  useLayoutEffect(() => {
    const observer = new ResizeObserver(onScroll)
    if (box.current) observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  const ownerId = state.servers.get(server_id)?.owner_id
  return (
    <aside ref={box} class="members scroll" aria-label={words.membersTitle} onScroll={onScroll}>
      <div class="range" style={{ height: `${height}px` }}>
        {sections.map(({ group, rows }) => (
          <section key={group.role_id ?? 0} style={{ top: `${group.top}px` }}>
            <h3>
              <bdi>{titleOf(group)}</bdi> · {group.count}
            </h3>
            <ul>
              {rows.map((row) => {
                const person = list.pages.get(pageOf(group.start + row))?.[(group.start + row) % PAGE]
                return (
                  <li
                    key={row}
                    aria-posinset={row + 1}
                    aria-setsize={group.count}
                    style={{ top: `${HEADING + row * ROW}px`, height: `${ROW}px` }}
                  >
                    {person ? <PersonRow {...person} isOwner={person.id === ownerId} server_id={server_id} /> : null}
                  </li>
                )
              })}
            </ul>
          </section>
        ))}
      </div>
      {list.offlineCount > 0 ? (
        <h3>
          {words.status.offline} · {list.offlineCount}
        </h3>
      ) : null}
    </aside>
  )
}

const pageOf = (row: number): number => row - (row % PAGE)

const titleOf = ({ role_id }: OnlineGroup): string =>
  role_id === null ? words.status.online : withoutBidi(state.roles.get(role_id)?.name ?? '')
