/** A task of the page that took longer than 50 ms, and the step during which it ran. */
export interface LongTask {
  step: string
  ms: number
}

declare global {
  var step: string
  var longTasks: LongTask[]
}

/** Runs in the page: records every long task from now on. */
export function watchLongTasks(): void {
  globalThis.step = ''
  globalThis.longTasks = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.longTasks.push({ step: globalThis.step, ms: duration })
  }).observe({ type: 'longtask' })
}

/**
 * Runs in the page: switches to a channel of the list, whose messages are in memory.
 * @returns the frames until its messages are shown, and how long script and layout take until they can be painted, ms
 */
export async function switchAndMeasure(name: string): Promise<{ frames: number; ms: number }> {
  const FRAMES_MAX = 60
  /** More than the page needs to draw a channel. */
  const MICROTASKS = 50
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const isShown = () => document.querySelector(`.messages .scroll[aria-label*="${name}"] .message`) !== null
  const link = [...document.querySelectorAll<HTMLElement>('nav a')].find(
    (each) => each.querySelector('bdi')?.textContent === name,
  )
  await frame()
  const began = performance.now()
  link?.click()
  // Does not wait for the next frame, before which the browser waits for the screen.
  for (let n = 0; n < MICROTASKS; n++) await undefined
  void document.body.offsetHeight
  const ms = performance.now() - began
  let frames = 0
  do {
    await frame()
    frames++
  } while (!isShown() && frames < FRAMES_MAX)
  return { frames, ms }
}
