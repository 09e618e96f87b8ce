/** A task of the page that took longer than 50 ms, and the step during which it ran. */
export interface LongTask {
  step: string
  /** Milliseconds since the page began to load. */
  from: number
  ms: number
}

/** A frame with a long task. */
export interface LongFrame {
  from: number
  to: number
  /** Scripts, style and layout, as far as Chromium names them. */
  parts: string[]
}

interface Script {
  startTime: number
  duration: number
  invoker: string
  sourceFunctionName: string
  sourceURL: string
  sourceCharPosition: number
}

/** Source: Long Animation Frames API, which the types of TypeScript lack. */
interface AnimationFrame {
  startTime: number
  duration: number
  styleAndLayoutStart: number
  scripts: Script[]
}

declare global {
  var step: string
  var longTasks: LongTask[]
  var longFrames: LongFrame[]
}

/** Runs in the page: records every long task from now on. */
export function watchLongTasks(): void {
  const SCRIPT_MS_MIN = 5
  globalThis.step = ''
  globalThis.longTasks = []
  globalThis.longFrames = []
  // By this mark, the trace tells the page's thread.
  performance.mark('watch-long-tasks')
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      globalThis.longTasks.push({ step: globalThis.step, from: startTime, ms: duration })
  }).observe({ type: 'longtask' })
  const describe = ({ duration, invoker, sourceFunctionName, sourceURL, sourceCharPosition }: Script) =>
    `${Math.round(duration)} ms ${invoker}, ${sourceFunctionName} in ` +
    `${sourceURL.replace(/.*\//, '')}:${sourceCharPosition}`
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { startTime, duration, styleAndLayoutStart, scripts } = entry as unknown as AnimationFrame
      const to = startTime + duration
      const parts = scripts.filter((script) => script.duration > SCRIPT_MS_MIN).map(describe)
      if (styleAndLayoutStart > 0) parts.push(`${Math.round(to - styleAndLayoutStart)} ms style and layout`)
      globalThis.longFrames.push({ from: startTime, to, parts })
    }
  }).observe({ type: 'long-animation-frame' })
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
