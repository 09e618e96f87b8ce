import { useEffect, useRef, useState } from 'preact/hooks'
import { nameOf } from '../../state/names.ts'
import type { VoiceCall } from '../../voice/call.ts'
import { hangUp } from '../../voice/current-call.ts'
import { followCall } from '../../voice/shown-call.ts'
import { callWords } from '../../words/call.ts'
import { showNote } from '../kit/dialogs.tsx'
import { Digits } from './digits.tsx'

/** Stands for the code while it is computed, so that nothing moves. */
const UNKNOWN = Array.from({ length: 6 }, () => '·····')
/** How long a change of the encryption is shown, ms. */
const CHANGE_MS = 8_000

/** Tells when the call becomes encrypted, or no longer is. */
export function useSealNotes(call: VoiceCall | undefined): void {
  const now = call?.sealing.state
  const former = useRef<{ call: VoiceCall | undefined; now: typeof now }>({ call, now })
  useEffect(() => {
    const isSame = former.current.call === call
    if (isSame && former.current.now === 'sealed' && now === 'open') showNote(callWords.encryption.opened, CHANGE_MS)
    if (isSame && former.current.now === 'open' && now === 'sealed') showNote(callWords.encryption.closed, CHANGE_MS)
    former.current = { call, now }
  }, [call, now])
}

/** Warnings about the call's encryption. */
export const SealSigns = ({ call }: { call: VoiceCall }) => {
  followCall()
  const { state, doubts, isWaiting } = call.sealing
  return (
    <>
      {isWaiting ? <OpenCallSign call={call} /> : null}
      {state === 'open' && !isWaiting ? (
        <small class="warned" role="status">
          {callWords.encryption.openSign}
        </small>
      ) : null}
      {doubts.map(({ voice_session_id, user_id, doubt }) => (
        <small key={voice_session_id} class="warned" role="alert">
          {doubt === 'own_history'
            ? callWords.encryption.ownHistory
            : callWords.encryption.doubts[doubt](nameOf(user_id))}
        </small>
      ))}
    </>
  )
}

/** The question whether the call goes on without encryption: until the person agrees, nothing is sent or played. */
const OpenCallSign = ({ call }: { call: VoiceCall }) => {
  const says = callWords.encryption
  return (
    <div role="alert" aria-label={says.openSign}>
      <small class="warned">
        {says.open[call.sealing.reason ?? 'member']} {says.waits}
      </small>
      <span class="choices">
        <button type="button" onClick={() => call.sealing.goOnOpen()}>
          {says.goOn}
        </button>
        <button type="button" class="danger" onClick={() => void hangUp()}>
          {callWords.leave}
        </button>
      </span>
    </div>
  )
}

/** The code of the call, to read aloud. */
export const CallCode = ({ call }: { call: VoiceCall }) => {
  followCall()
  const [groups, setGroups] = useState<string[] | undefined>(UNKNOWN)
  const { authenticator } = call.sealing
  useEffect(() => {
    let isCurrent = true
    void call.sealing.code().then((code) => isCurrent && setGroups(code))
    return () => void (isCurrent = false)
  }, [call, authenticator])
  if (!groups) return null
  return (
    <>
      <strong>{callWords.encryption.code}</strong>
      <Digits groups={groups} />
      <small>{callWords.encryption.codeHint}</small>
    </>
  )
}
