import { useState } from 'preact/hooks'
import { nameOf } from '../../state/names.ts'
import { call, state } from '../../state/session.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { moderationWords } from '../../words/moderation.ts'
import { spanOf } from '../../words/plural.ts'
import { FormFooter, SelectField } from '../kit/dialog-forms.tsx'
import { DangerDialog, Dialog } from '../kit/dialog.tsx'
import { closeDialog, closeDialogs, showDialog, topDialogCloser } from '../kit/dialogs.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsavedDialog } from '../kit/unsaved.ts'
import { serverNow } from '../../state/server-clock.ts'
import { TIMEOUT_SECONDS } from './timeout-seconds.ts'

/** Removes a member after a confirmation. */
export const askToKick = (user_id: number, server_id: number, closesAll = true): void =>
  showDialog(() => <KickDialog user_id={user_id} server_id={server_id} closesAll={closesAll} />)

export const showBan = (user_id: number, server_id: number, closesAll = true): void =>
  showDialog(() => <BanDialog user_id={user_id} server_id={server_id} closesAll={closesAll} />)

export const showWarning = (user_id: number, server_id: number, onDone?: () => void): void =>
  showDialog(() => <WarningDialog user_id={user_id} server_id={server_id} onDone={onDone} />)

export const showNoteForm = (user_id: number, server_id: number, onDone?: () => void): void =>
  showDialog(() => <NoteDialog user_id={user_id} server_id={server_id} onDone={onDone} />)

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

const TimeoutDialog = ({ user_id, server_id }: { user_id: number; server_id: number }) => {
  const [seconds, setSeconds] = useState(300)
  const [reason, setReason] = useState('')
  const [hours, setHours] = useState(0)
  const { close } = useUnsavedDialog([seconds, reason, hours])
  const work = () => {
    const timed_out_until = new Date(serverNow() + seconds * 1000).toISOString()
    return call(
      'PUT /api/servers/:server_id/members/:user_id',
      { server_id, user_id },
      {
        timed_out_until,
        ...(reason === '' ? {} : { reason }),
        ...(hours === 0 ? {} : { delete_messages_hours: hours }),
      },
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
      <PrunedHours server_id={server_id} hours={hours} onChange={setHours} />
      <Field label={dialogWords.timeouts.reason} value={reason} onInput={setReason} maxLength={512} />
    </DangerDialog>
  )
}

/** Periods whose messages can be deleted, hours. */
const PRUNED_HOURS = [1, 24, 168]

interface PrunedHoursProps {
  server_id: number
  hours: number
  onChange: (hours: number) => void
}

/** The choice of the hours of messages to delete, for those who manage messages. */
const PrunedHours = ({ server_id, hours, onChange }: PrunedHoursProps) =>
  state.may(server_id, 'manage_messages') ? (
    <>
      <SelectField
        label={dialogWords.bans.sweep}
        value={hours}
        options={[[0, dialogWords.bans.sweepNone], ...PRUNED_HOURS.map((each) => [each, spanOf(each * 3600)] as const)]}
        onChange={onChange}
      />
      {hours === 0 ? null : <p class="quiet">{moderationWords.pruneHint}</p>}
    </>
  ) : null

interface RemovalProps {
  user_id: number
  server_id: number
  /** True if the dialogs below close too, such as the profile of who is no longer a member. */
  closesAll: boolean
}

const KickDialog = ({ user_id, server_id, closesAll }: RemovalProps) => {
  const [reason, setReason] = useState('')
  const [hours, setHours] = useState(0)
  const { close } = useUnsavedDialog([reason, hours])
  const body = {
    ...(reason === '' ? {} : { reason }),
    ...(hours === 0 ? {} : { delete_messages_hours: hours }),
  }
  return (
    <DangerDialog
      onClose={close}
      title={dialogWords.bans.kick}
      text={dialogWords.bans.kickText(nameOf(user_id))}
      action={dialogWords.bans.kick}
      work={async () => {
        await call('DELETE /api/servers/:server_id/members/:user_id', { server_id, user_id }, body)
        if (closesAll) closeDialogs()
      }}
    >
      <PrunedHours server_id={server_id} hours={hours} onChange={setHours} />
      <Field label={dialogWords.bans.kickReason} value={reason} onInput={setReason} maxLength={512} />
    </DangerDialog>
  )
}

/** Durations of a ban to choose from, seconds; 0 for one without end. */
const BAN_SECONDS = [0, 3600, 86_400, 604_800, 2_592_000]

const BanDialog = ({ user_id, server_id, closesAll }: RemovalProps) => {
  const [reason, setReason] = useState('')
  const [seconds, setSeconds] = useState(0)
  const [hours, setHours] = useState(0)
  const { close } = useUnsavedDialog([reason, seconds, hours])
  const body = () => ({
    ...(reason === '' ? {} : { reason }),
    ...(hours === 0 ? {} : { delete_messages_hours: hours }),
    ...(seconds === 0 ? {} : { until: new Date(serverNow() + seconds * 1000).toISOString() }),
  })
  return (
    <DangerDialog
      onClose={close}
      title={dialogWords.bans.ban}
      text={dialogWords.bans.banText(nameOf(user_id))}
      action={dialogWords.bans.ban}
      work={async () => {
        await call('PUT /api/servers/:server_id/bans/:user_id', { server_id, user_id }, body())
        if (closesAll) closeDialogs()
      }}
    >
      <SelectField
        label={dialogWords.timeouts.duration}
        value={seconds}
        options={BAN_SECONDS.map((each) => [each, each === 0 ? moderationWords.banForever : spanOf(each)])}
        onChange={setSeconds}
      />
      <PrunedHours server_id={server_id} hours={hours} onChange={setHours} />
      <Field label={dialogWords.bans.reason} value={reason} onInput={setReason} maxLength={512} />
    </DangerDialog>
  )
}

interface TextProps {
  user_id: number
  server_id: number
  onDone?: (() => void) | undefined
}

const WarningDialog = ({ user_id, server_id, onDone }: TextProps) => {
  const [reason, setReason] = useState('')
  const { close } = useUnsavedDialog(reason)
  const path = { server_id, user_id }
  return (
    <DangerDialog
      onClose={close}
      title={moderationWords.warn}
      text={moderationWords.warnText(nameOf(user_id))}
      action={moderationWords.warn}
      disabled={reason.trim() === ''}
      work={() => call('POST /api/servers/:server_id/members/:user_id/warnings', path, { reason }).then(() => onDone)}
    >
      <Field label={moderationWords.warning} value={reason} onInput={setReason} maxLength={1000} multiline />
    </DangerDialog>
  )
}

const NoteDialog = ({ user_id, server_id, onDone }: TextProps) => {
  const [text, setText] = useState('')
  const { attempt, busy, error } = useAttempt()
  const { close } = useUnsavedDialog(text)
  const save = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    const path = { server_id, user_id }
    if (!(await attempt(() => call('POST /api/servers/:server_id/members/:user_id/notes', path, { text })))) return
    closeThis()
    onDone?.()
  }
  return (
    <Dialog title={moderationWords.addNote} onClose={close} class="small">
      <form onSubmit={save}>
        <p>{moderationWords.noteText(nameOf(user_id))}</p>
        <Field label={moderationWords.noteField} value={text} onInput={setText} maxLength={1000} multiline required />
        <Refusal error={error} />
        <FormFooter submit={moderationWords.addNote} busy={busy} />
      </form>
    </Dialog>
  )
}
