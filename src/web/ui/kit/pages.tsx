import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { words } from '../../words/words.ts'
import { Refusal, type RefusalProps, useAttempt } from './forms.tsx'

const PAGE = 50

/**
 * The rows of a list that is read page by page.
 * @param fetchPage returns the page after a row, or the first page
 * @param inputs when one changes, the first page is read again
 * @returns `more` reads the next page, `again` reads the first one again, `drop` removes rows, `change` replaces them
 */
export function usePages<T>(
  fetchPage: (page: { limit: number }, last: T | undefined) => Promise<T[]>,
  ...inputs: unknown[]
) {
  const [rows, setRows] = useState<T[]>([])
  const [ended, setEnded] = useState(false)
  const { attempt, busy, error } = useAttempt()
  const newest = useRef(0)
  const load = async (last?: T) => {
    const request = ++newest.current
    const page = await attempt(() => fetchPage({ limit: PAGE }, last))
    // A later request has begun: its answer counts, not this one.
    if (request !== newest.current) return
    // After a failed reload the list is empty, because its rows may belong to other inputs.
    if (last === undefined) setRows(page ?? [])
    else if (page) setRows((before) => [...before, ...page])
    setEnded(page !== undefined && page.length < PAGE)
  }
  useEffect(() => void load(), inputs)
  const drop = (isGone: (row: T) => boolean) => setRows((before) => before.filter((row) => !isGone(row)))
  const change = (changed: (row: T) => T) => setRows((before) => before.map(changed))
  return { rows, ended, busy, error, more: () => load(rows.at(-1)), again: () => load(), drop, change }
}

interface PagesProps extends Pick<RefusalProps, 'says'> {
  list: Omit<ReturnType<typeof usePages>, 'drop' | 'change'>
  /** Text shown if there is no row. */
  empty?: ComponentChildren
  class?: string
  children: ComponentChildren
}

/** A list that is read page by page. */
export const Pages = ({ list, empty, says, class: style = '', children }: PagesProps) => (
  <>
    <ul class={`table ${style}`}>{children}</ul>
    {list.ended && list.rows.length === 0 ? empty : null}
    <Refusal error={list.error} {...(says ? { says } : {})} />
    {list.ended ? null : (
      <button type="button" disabled={list.busy} onClick={() => void list.more()}>
        {words.more}
      </button>
    )}
  </>
)
