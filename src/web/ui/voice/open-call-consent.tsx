import { useEffect } from 'preact/hooks'
import { state } from '../../state/session.ts'
import type { OpenCallConsent } from '../../voice/sealing/device-key.ts'
import { callWords } from '../../words/call.ts'
import { DangerDialog } from '../kit/dialog.tsx'
import { showDialog } from '../kit/dialogs.tsx'

interface QuestionProps {
  /** Called once, however the dialog is closed. */
  onAnswer: (isAccepted: boolean) => void
}

/** Asks a person whose browser cannot encrypt a call of a dm or group whether to join it all the same. */
const OpenCallQuestion = ({ onAnswer }: QuestionProps) => {
  useEffect(() => () => onAnswer(false), [])
  return <DangerDialog {...callWords.encryption.unable} work={async () => onAnswer(true)} />
}

/** Calls of dms and groups, and of servers that require encryption, are not opened without the person. */
export const consent: OpenCallConsent = {
  isNeeded(channelId) {
    const { server_id = null } = state.channels.get(channelId) ?? {}
    return server_id === null || state.servers.get(server_id)?.calls_encryption === 'required'
  },
  toJoin: (channelId) =>
    state.channels.get(channelId)?.server_id === null
      ? new Promise((resolve) => showDialog(() => <OpenCallQuestion onAnswer={resolve} />))
      : Promise.resolve(false),
}
