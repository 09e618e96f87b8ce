import type { NotificationSetting } from '../../../features/notifications/model.ts'
import { expectSetting } from '../../state/expected.ts'
import { momentOf } from '../../state/format.ts'
import { titleOf, withoutBidi } from '../../state/names.ts'
import { levelAround, mutingIn, settingKey } from '../../state/notifications.ts'
import { call, follow, state } from '../../state/session.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { words } from '../../words/words.ts'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, showNote } from '../kit/dialogs.tsx'
import { SelectField, Switch } from '../kit/dialog-forms.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { serverNow } from '../../state/server-clock.ts'

type Place = Pick<NotificationSetting, 'server_id' | 'channel_id'>
type Level = NonNullable<NotificationSetting['level']>
type Change = Partial<Pick<NotificationSetting, 'level' | 'muted_until' | 'suppress_everyone'>>

const LEVELS: Level[] = ['all', 'mentions', 'nothing']
const NOTHING = { level: null, muted_until: null, suppress_everyone: null, listed: null }
/** A mute without an end. */
const FOR_GOOD = '9999-12-31T00:00:00.000Z'

const set = ({ server_id, channel_id }: Place, change: Change) =>
  channel_id === null
    ? call('PUT /api/notifications/servers/:server_id', { server_id: server_id ?? 0 }, change)
    : call('PUT /api/notifications/channels/:channel_id', { channel_id }, change)

const reset = ({ server_id, channel_id }: Place) =>
  channel_id === null
    ? call('DELETE /api/notifications/servers/:server_id', { server_id: server_id ?? 0 })
    : call('DELETE /api/notifications/channels/:channel_id', { channel_id })

/** Marks every channel of a server read. */
const readServer = (server_id: number): Promise<unknown> =>
  call('POST /api/servers/:server_id/read-all', { server_id }).then(() => showNote(dialogWords.notifications.isRead))

/** Notification settings of a server, channel, category, dm or group; changes apply at once. */
export const NotificationSettings = ({ server_id, channel_id }: Place) => {
  follow('shell')
  const { attempt, busy, error } = useAttempt()
  const place = { server_id, channel_id }
  const channel = channel_id === null ? undefined : state.channels.get(channel_id)
  const server = server_id === null ? undefined : state.servers.get(server_id)
  if (!channel && !server) return null
  const setting = state.settings.get(settingKey(place))
  const change = (next: Change) => void attempt(() => expectSetting(place, next, () => set(place, next)))
  const outer = levelAround(state, channel, server_id)
  const title = channel ? titleOf(channel) : withoutBidi(server?.name ?? '')
  const options: (readonly [Level | 'inherit', string])[] = [
    ['inherit', dialogWords.notifications.inherit(dialogWords.notifications.levels[outer])],
    ...[...LEVELS, ...(channel?.type === 'forum' ? (['all_posts'] as const) : [])].map(
      (level) => [level, dialogWords.notifications.levels[level]] as const,
    ),
  ]
  return (
    <Dialog title={words.notifications.of(title)} onClose={closeDialog} class="small">
      <form onSubmit={(event) => event.preventDefault()}>
        <SelectField
          label={dialogWords.notifications.level}
          value={setting?.level ?? 'inherit'}
          options={options}
          onChange={(level) => change({ level: level === 'inherit' ? null : level })}
        />
        <Mute setting={setting} around={mutingIn(state, channel, server_id).muted} busy={busy} change={change} />
        {server_id === null ? null : (
          <Switch
            label={dialogWords.notifications.suppress}
            on={setting?.suppress_everyone ?? mutingIn(state, channel, server_id).suppress_everyone}
            onChange={(suppress_everyone) => change({ suppress_everyone })}
          />
        )}
        <Refusal error={error} />
        <div class="footer">
          {channel_id === null && server_id !== null ? (
            <button type="button" disabled={busy} onClick={() => void attempt(() => readServer(server_id))}>
              {dialogWords.notifications.readAll}
            </button>
          ) : null}
          <button
            type="button"
            disabled={busy || !setting}
            onClick={() => void attempt(() => expectSetting(place, NOTHING, () => reset(place)))}
          >
            {dialogWords.notifications.reset}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface MuteProps {
  setting: NotificationSetting | undefined
  /** True if the place, its category or its server is muted. */
  around: boolean
  busy: boolean
  change: (next: Change) => void
}

/** Mutes that can be chosen; 0 has no end. */
const DURATIONS_MINUTES = [15, 60, 480, 1440, 10080, 0] as const

/** Mutes a place for a while, or ends that. */
const Mute = ({ setting, around, busy, change }: MuteProps) => {
  const until = setting?.muted_until ?? undefined
  const isMuted = until !== undefined && Date.parse(until) > serverNow()
  const mute = (minutes: number) =>
    change({ muted_until: minutes === 0 ? FOR_GOOD : new Date(serverNow() + minutes * 60_000).toISOString() })
  if (isMuted)
    return (
      <div class="field">
        <span role="status">
          {until === FOR_GOOD
            ? dialogWords.notifications.mutedForGood
            : dialogWords.notifications.mutedUntil(momentOf(until))}
        </span>
        <button type="button" disabled={busy} onClick={() => change({ muted_until: null })}>
          {dialogWords.notifications.unmute}
        </button>
      </div>
    )
  return (
    <fieldset class="field">
      <legend>{dialogWords.notifications.mute}</legend>
      <small>{around ? dialogWords.notifications.mutedAround : dialogWords.notifications.muteText}</small>
      <div class="choices">
        {DURATIONS_MINUTES.map((minutes) => (
          <button key={minutes} type="button" disabled={busy} onClick={() => mute(minutes)}>
            {dialogWords.notifications.durations[minutes]}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
