import { callError, followCall } from '../../voice/shown-call.ts'
import { Later } from '../kit/later.tsx'

/** The current call, on every page; its code is loaded with the first call. */
export const VoicePanel = () => {
  const now = followCall()
  const error = callError.value
  if (now)
    return (
      <Later
        load={async () => {
          const { CallPanel } = await import('./call-panel.tsx')
          return () => <CallPanel />
        }}
      />
    )
  return error ? (
    <p class="current-call refusal" role="alert">
      {error}
    </p>
  ) : null
}
