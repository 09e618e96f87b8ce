import { gateway } from '../state/session.ts'
import { ActivityReports } from './activity-reports.ts'
import type { VoiceCall } from './call.ts'
import { heardOneself } from './shown-call.ts'
import { voiceGateway } from './voice-gateway.ts'

const LOOK_MS = 2_000
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

/**
 * Reports to the server that this person speaks or uses the page, so that it does not move them to the AFK channel.
 * @returns a function that stops this
 */
export function reportActivity(call: VoiceCall): () => void {
  const voice = voiceGateway(gateway)
  // After a failure the next sign of activity reports again.
  const reports = new ActivityReports(() => void voice.command('voice.active', {}).catch(() => undefined))
  const onInput = () => reports.active(call.id)
  for (const type of INPUTS) addEventListener(type, onInput, { passive: true, capture: true })
  const timer = setInterval(() => reports.look(call.id, heardOneself.value), LOOK_MS)
  return () => {
    clearInterval(timer)
    for (const type of INPUTS) removeEventListener(type, onInput, { capture: true })
  }
}
