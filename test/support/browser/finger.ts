import type { CDPSession } from 'playwright-core'
import type { Visitor } from './visitor.ts'

export interface Spot {
  x: number
  y: number
}

/** Viewport of an ordinary phone, which has no mouse. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** The fingers on a page. */
export const fingerOn = ({ page }: Visitor): Promise<CDPSession> => page.context().newCDPSession(page)

/** Moves a finger over the page in steps. */
export async function swipe(finger: CDPSession, from: Spot, dx: number, dy = 0): Promise<void> {
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] })
  for (let step = 1; step <= 8; step++) {
    const touchPoints = [{ x: from.x + (dx * step) / 8, y: from.y + (dy * step) / 8 }]
    await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints })
  }
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

/** Waits for the code of the gestures, which loads late. */
export const gesturesLoaded = (visitor: Visitor): Promise<void> =>
  visitor.until(() =>
    visitor.page.evaluate(async () => {
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
      const part = loaded.find((name) => name.includes('/part-swipes-'))
      return part !== undefined && (await import(part)) !== undefined
    }),
  )
