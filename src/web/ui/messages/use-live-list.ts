import { useEffect, useRef, useState } from 'preact/hooks'
import type { EventFrame } from '../../client/gateway.ts'
import { changesSight, listAfter, type ListRule, type LiveList } from '../../state/live-list.ts'
import { gateway } from '../../state/session.ts'
import type { Entry } from '../../state/timeline.ts'
import { useAttempt } from '../kit/forms.tsx'

interface Options extends ListRule {
  /** Fetches the page after the loaded messages. */
  fetch: (entries: Entry[]) => Promise<Entry[]>
  /** Messages per page; a page with fewer is the last one. */
  page: number
}

/** A list of messages that is fetched page by page, and follows the events while it is shown. */
export function useLiveList({ fetch, page, ...rule }: Options) {
  const [list, setList] = useState<LiveList>({ entries: [], isWhole: false })
  const { attempt, busy, error } = useAttempt()
  /** Events since a page was requested, which may lack their changes; undefined while none is requested. */
  const meanwhile = useRef<EventFrame[] | undefined>(undefined)
  const load = async (entries: Entry[]) => {
    const came: EventFrame[] = []
    meanwhile.current = came
    const rows = await attempt(() => fetch(entries))
    // Another page was requested meanwhile.
    if (meanwhile.current !== came) return
    meanwhile.current = undefined
    if (!rows) return
    const knownIds = new Set(entries.map(({ id }) => id))
    const next = { entries: [...entries, ...rows.filter(({ id }) => !knownIds.has(id))], isWhole: rows.length < page }
    setList(came.reduce((now, frame) => listAfter(now, frame, rule), next))
  }
  useEffect(() => {
    void load([])
    return gateway.listen((frame) => {
      meanwhile.current?.push(frame)
      setList((now) => listAfter(now, frame, rule))
      if (changesSight(frame)) void load([])
    })
  }, [])
  return { ...list, busy, error, attempt, more: () => void load(list.entries) }
}
