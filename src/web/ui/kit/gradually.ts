import { useLayoutEffect, useState } from 'preact/hooks'
import { afterFrame } from './after-frame.ts'

/**
 * Renders a long list over several frames, so that the page stays responsive: no row in the first frame, then `first`
 * rows, then `step` more in each frame.
 * @param source the list; another one begins with `first` rows at once
 * @returns the number of rows to render now
 */
export function useGradually(source: unknown, count: number, first: number, step: number): number {
  const [drawn, setDrawn] = useState({ source, rows: 0 })
  const rows = drawn.source === source ? drawn.rows : first
  useLayoutEffect(() => {
    if (rows >= count) return
    const next = rows === 0 ? first : rows + step
    return afterFrame(() => setDrawn({ source, rows: next }))
  }, [source, rows, count])
  return rows
}
