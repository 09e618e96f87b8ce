import { useLayoutEffect, useState } from 'preact/hooks'
import { afterFrame } from './after-frame.ts'

/**
 * Draws a long list a few rows a frame, so that the page answers meanwhile: none with what stands around it, then those
 * that fill the screen, then the others.
 * @param of what is drawn: another one begins with those that fill the screen
 * @returns how many rows are drawn now
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
