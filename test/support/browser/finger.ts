import type { CDPSession, Locator } from 'playwright-core'
import type { Visitor } from './visitor.ts'

export interface Spot {
  x: number
  y: number
}

/** Between the beginning and the end of a fast tap, and to the next one, s. */
const TAP_STEP_S = 0.04

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

/** Taps a spot twice, as fast as fingers do, however busy the machine is. */
export async function tapTwice(finger: CDPSession, spot: Spot): Promise<void> {
  const begin = Date.now() / 1000
  for (const [at, type] of ['touchStart', 'touchEnd', 'touchStart', 'touchEnd'].entries())
    await finger.send('Input.dispatchTouchEvent', {
      type: type as 'touchStart' | 'touchEnd',
      touchPoints: type === 'touchStart' ? [spot] : [],
      timestamp: begin + at * TAP_STEP_S,
    })
}

/** Waits until an element that has opened no longer moves. */
export const rests = (visitor: Visitor, locator: Locator): Promise<void> =>
  visitor.until(() =>
    locator.evaluate((element) => element.getAnimations().every(({ playState }) => playState === 'finished')),
  )

/** Waits for the code of the gestures, which loads with the device's. */
export const gesturesLoaded = (visitor: Visitor): Promise<void> => visitor.loads('start')
