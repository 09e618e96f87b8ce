import { useLayoutEffect, useState } from 'preact/hooks'

/**
 * Draws a long list a few rows a frame, so that the page answers meanwhile.
 * @param of what is drawn: another one begins anew
 * @returns how many rows are drawn now
 */
export function useGradually(of: unknown, count: number, first: number, step: number): number {
  const [drawn, setDrawn] = useState({ of, rows: first })
  const rows = drawn.of === of ? drawn.rows : first
  useLayoutEffect(() => {
    if (rows >= count) return
    const frame = requestAnimationFrame(() => setDrawn({ of, rows: rows + step }))
    return () => cancelAnimationFrame(frame)
  }, [of, rows, count])
  return rows
}
