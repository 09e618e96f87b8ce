import { useState } from 'preact/hooks'
import { nameOf } from '../../state/names.ts'
import { call } from '../../state/session.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { spanOf } from '../../words/plural.ts'
import { SelectField } from '../kit/dialog-forms.tsx'
import { DangerDialog } from '../kit/dialog.tsx'
import { closeDialog, closeDialogs, showDialog } from '../kit/dialogs.tsx'
import { Field } from '../kit/forms.tsx'
import { useUnsavedDialog } from '../kit/unsaved.ts'
import { serverNow } from '../../state/server-clock.ts'

/** Removes a member after a confirmation. */
export const askToKick = (user_id: number, server_id: number): void =>
  showDialog(() => <KickDialog user_id={user_id} server_id={server_id} />)

export const showBan = (user_id: number, server_id: number): void =>
  showDialog(() => <BanDialog user_id={user_id} server_id={server_id} />)

export const showTimeout = (user_id: number, server_id: number): void =>
  showDialog(() => <TimeoutDialog user_id={user_id} server_id={server_id} />)

export const endTimeout = (user_id: number, server_id: number) =>
  call('PUT /api/servers/:server_id/members/:user_id', { server_id, user_id }, { timed_out_until: null })

/** Quarantines a member after a confirmation. */
export const askToQuarantine = (user_id: number, server_id: number): void =>
  showDialog(() => (
    <DangerDialog
      onClose={closeDialog}
      title={dialogWords.quarantine.begin}
      text={dialogWords.quarantine.text(nameOf(user_id))}
      action={dialogWords.quarantine.begin}
      work={() => holdBack(user_id, server_id, 'quarantined')}
    />
  ))

const holdBack = (user_id: number, server_id: number, held_back: 'quarantined' | null) =>
  call('PUT /api/servers/:server_id/members/:user_id', { server_id, user_id }, { held_back })

/** Lets a member in who is held back. */
export const letIn = (user_id: number, server_id: number) => holdBack(user_id, server_id, null)

/** Durations to choose from, seconds; the longest is just below the server's limit, whose clock may differ. */
const TIMEOUT_SECONDS = [60, 300, 3600, 43_200, 86_400, 604_800, 1_209_600, 2_332_800]

const TimeoutDialog = ({ user_id, server_id }: { user_id: number; server_id: number }) => {
  const [seconds, setSeconds] = useState(300)
  const [reason, setReason] = useState('')
  const { close } = useUnsavedDialog([seconds, reason])
  const work = () => {
    const timed_out_until = new Date(serverNow() + seconds * 1000).toISOString()
    return call(
      'PUT /api/servers/:server_id/members/:user_id',
      { server_id, user_id },
      { timed_out_until, ...(reason === '' ? {} : { reason }) },
    )
  }
  return (
    <DangerDialog
      onClose={close}
      title={dialogWords.timeouts.begin}
      text={dialogWords.timeouts.text(nameOf(user_id))}
      action={dialogWords.timeouts.begin}
      work={work}
    >
      <SelectField
        label={dialogWords.timeouts.duration}
        value={seconds}
        options={TIMEOUT_SECONDS.map((each) => [each, spanOf(each)])}
        onChange={setSeconds}
      />
      <Field label={dialogWords.timeouts.reason} value={reason} onInput={setReason} maxLength={512} />
    </DangerDialog>
  )
}

const KickDialog = ({ user_id, server_id }: { user_id: number; server_id: number }) => {
  const [reason, setReason] = useState('')
  const { close } = useUnsavedDialog(reason)
  const body = reason === '' ? {} : { reason }
  return (
    <DangerDialog
      onClose={close}
      title={dialogWords.bans.kick}
      text={dialogWords.bans.kickText(nameOf(user_id))}
      action={dialogWords.bans.kick}
      work={() =>
        call('DELETE /api/servers/:server_id/members/:user_id', { server_id, user_id }, body).then(closeDialogs)
      }
    >
      <Field label={dialogWords.bans.kickReason} value={reason} onInput={setReason} maxLength={512} />
    </DangerDialog>
  )
}

/** Periods before a ban whose messages it can delete, seconds. */
const SWEEP_SECONDS = [3600, 86_400]

const BanDialog = ({ user_id, server_id }: { user_id: number; server_id: number }) => {
  const [reason, setReason] = useState('')
  const [delete_message_seconds, setSweep] = useState(0)
  const { close } = useUnsavedDialog([reason, delete_message_seconds])
  const body = {
    ...(reason === '' ? {} : { reason }),
    ...(delete_message_seconds === 0 ? {} : { delete_message_seconds }),
  }
  return (
    <DangerDialog
      onClose={close}
      title={dialogWords.bans.ban}
      text={dialogWords.bans.banText(nameOf(user_id))}
      action={dialogWords.bans.ban}
      // The profile of who is no longer a member closes too.
      work={() => call('PUT /api/servers/:server_id/bans/:user_id', { server_id, user_id }, body).then(closeDialogs)}
    >
      <SelectField
        label={dialogWords.bans.sweep}
        value={delete_message_seconds}
        options={[[0, dialogWords.bans.sweepNone], ...SWEEP_SECONDS.map((each) => [each, spanOf(each)] as const)]}
        onChange={setSweep}
      />
      <Field label={dialogWords.bans.reason} value={reason} onInput={setReason} maxLength={512} />
    </DangerDialog>
  )
}
