import { useLayoutEffect, useState } from 'preact/hooks'
import { afterFrame } from './after-frame.ts'

/**
 * Renders a long list over several frames, so that the page stays responsive: no row in the first frame, then `first`
 * rows, then `step` more in each frame.
 * @param of the list; another one begins with `first` rows at once
 * @returns the number of rows to render now
 */
export function useGradually(of: unknown, count: number, first: number, step: number): number {
  const [drawn, setDrawn] = useState({ of, rows: 0 })
  const rows = drawn.of === of ? drawn.rows : first
  useLayoutEffect(() => {
    if (rows >= count) return
    const next = rows === 0 ? first : rows + step
    return afterFrame(() => setDrawn({ of, rows: next }))
  }, [of, rows, count])
  return rows
}
