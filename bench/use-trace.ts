/** Categories of Chromium's trace: tasks, and the marks of the page. */
export const TRACED = ['-*', 'toplevel', 'blink.user_timing']

/** An event of a trace: times in microseconds; `tdur` is the processor time of the thread. */
interface TraceEvent {
  name: string
  pid: number
  tid: number
  tdur?: number
}

/**
 * The most processor time of a task of the page's main thread, milliseconds. Other work on the machine prolongs a task,
 * and hardly its processor time.
 * @param trace JSON of Chromium
 * @param mark that the page has set
 */
export function longestTaskMs(trace: Buffer, mark: string): number {
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(trace.toString())
  const marked = traceEvents.find(({ name }) => name === mark)
  if (!marked) throw new Error(`The trace lacks the mark ${mark}`)
  const ofPage = traceEvents.filter(({ pid, tid }) => pid === marked.pid && tid === marked.tid)
  return ofPage.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1000
}
