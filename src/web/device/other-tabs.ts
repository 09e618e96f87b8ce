import { state } from '../state/session.ts'
import { isPageActive } from '../ui/messages/attention.ts'
import { channelHere } from './focus.ts'

/** How long an answer is waited for: tabs of one browser answer within a few milliseconds. */
const ANSWER_MS = 150

/** A question, and its answer by the same id. */
type Message = { id: string; asks?: { user_id: number; channel_id: number | undefined } }

const waiting = new Map<string, () => void>()
/** Browsers of 2021 have none: there each tab is for itself. */
const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('parley.focus') : undefined

tabs?.addEventListener('message', ({ data: { id, asks } }: MessageEvent<Message>) => {
  if (!asks) return waiting.get(id)?.()
  const isHere = isPageActive() && asks.user_id === state.me()
  if (isHere && (asks.channel_id === undefined || asks.channel_id === channelHere())) tabs.postMessage({ id })
})

/** Whether somebody looks at another tab of this browser, and there at the channel, if one is named. */
export function isLookedAtElsewhere(channel_id?: number): Promise<boolean> {
  const id = String(Math.random())
  return new Promise<boolean>((resolve) => {
    if (!tabs) return resolve(false)
    const timer = setTimeout(() => resolve(false), ANSWER_MS)
    waiting.set(id, () => (clearTimeout(timer), resolve(true)))
    tabs.postMessage({ id, asks: { user_id: state.me(), channel_id } })
  }).finally(() => waiting.delete(id))
}
