import { useEffect } from 'preact/hooks'
import { isHuman } from '../../state/names.ts'
import { askOffers, offers } from '../../state/offers.ts'
import { state } from '../../state/session.ts'
import { callWords } from '../../words/call.ts'
import { showVerification } from './show-verification.tsx'

/** The button in a profile that opens the numbers to compare; nothing where the installation encrypts no calls. */
export const CompareButton = ({ user_id }: { user_id: number }) => {
  useEffect(askOffers, [])
  const isOffered = offers.value?.call_encryption === 'preferred'
  if (!isOffered || user_id === state.me() || !isHuman(user_id)) return null
  return (
    <button type="button" onClick={() => void showVerification(user_id)}>
      {callWords.verification.compare}
    </button>
  )
}
