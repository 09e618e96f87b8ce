import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { words } from '../../words/words.ts'
import { Refusal, type RefusalProps, useAttempt } from './forms.tsx'

const PAGE = 50

/**
 * The rows of a list that is read page by page.
 * @param read returns the page after a row, or the first page
 * @returns `more` reads the next page, `again` reads the first one again, `drop` removes rows
 */
export function usePages<T>(
  read: (page: { limit: number }, last: T | undefined) => Promise<T[]>,
  ...inputs: unknown[]
) {
  const [rows, setRows] = useState<T[]>([])
  const [ended, setEnded] = useState(false)
  const { attempt, busy, error } = useAttempt()
  const asked = useRef(0)
  const load = async (last?: T) => {
    const turn = ++asked.current
    const page = await attempt(() => read({ limit: PAGE }, last))
    // An answer may arrive after that to a later request.
    if (turn !== asked.current) return
    // Earlier results do not answer the current request.
    if (last === undefined) setRows(page ?? [])
    else if (page) setRows((known) => [...known, ...page])
    setEnded(page !== undefined && page.length < PAGE)
  }
  useEffect(() => void load(), inputs)
  const drop = (isGone: (row: T) => boolean) => setRows((known) => known.filter((row) => !isGone(row)))
  return { rows, ended, busy, error, more: () => load(rows.at(-1)), again: () => load(), drop }
}

interface PagesProps extends Pick<RefusalProps, 'says'> {
  list: Omit<ReturnType<typeof usePages>, 'drop'>
  /** Text shown if there is no row. */
  none?: ComponentChildren
  class?: string
  children: ComponentChildren
}

/** A list that is read page by page. */
export const Pages = ({ list, none, says, class: style = '', children }: PagesProps) => (
  <>
    <ul class={`table ${style}`}>{children}</ul>
    {list.ended && list.rows.length === 0 ? none : null}
    <Refusal error={list.error} {...(says ? { says } : {})} />
    {list.ended ? null : (
      <button type="button" disabled={list.busy} onClick={() => void list.more()}>
        {words.more}
      </button>
    )}
  </>
)
