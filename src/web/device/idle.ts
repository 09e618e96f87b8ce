import { gateway } from '../state/session.ts'

const IDLE_MS = 10 * 60_000

/** Sends `idle` after a time without input, and `online` after the next input. */
export function reportPresence(): void {
  let isIdle = false
  let timer: ReturnType<typeof setTimeout>
  const set = (status: 'online' | 'idle') => void gateway.command('presence.set', { status }).catch(() => {})
  const onInput = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      isIdle = true
      set('idle')
    }, IDLE_MS)
    if (isIdle) set('online')
    isIdle = false
  }
  for (const kind of ['pointermove', 'keydown', 'focus'] as const)
    window.addEventListener(kind, onInput, { passive: true })
  onInput()
}
