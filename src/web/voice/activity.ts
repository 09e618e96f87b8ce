import { gateway } from '../state/session.ts'
import type { VoiceCall } from './call.ts'
import { heardOneself } from './shown-call.ts'
import { voiceGateway } from './voice-gateway.ts'

/** Minimum time between two reports. */
const REPORT_MS = 20_000
const LOOK_MS = 2_000
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

/**
 * Reports to the server that this person speaks or uses the page, so that it does not move them to the AFK channel.
 * Each new voice session begins with a report.
 * @returns a function that stops this
 */
export function reportActivity(call: VoiceCall): () => void {
  const voice = voiceGateway(gateway)
  let reportedAt = -REPORT_MS
  let reportedId = ''
  const report = () => {
    if (call.id === '' || (call.id === reportedId && performance.now() - reportedAt < REPORT_MS)) return
    reportedAt = performance.now()
    reportedId = call.id
    // The next input reports again.
    void voice.command('voice.active', {}).catch(() => undefined)
  }
  for (const type of INPUTS) addEventListener(type, report, { passive: true, capture: true })
  const timer = setInterval(() => {
    if (heardOneself.value || call.id !== reportedId) report()
  }, LOOK_MS)
  return () => {
    clearInterval(timer)
    for (const type of INPUTS) removeEventListener(type, report, { capture: true })
  }
}
