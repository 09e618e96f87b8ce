import { useLayoutEffect, useState } from 'preact/hooks'
import type { Raid } from '../../../features/members/model.ts'
import { expectServer } from '../../state/expected.ts'
import { momentOf } from '../../state/format.ts'
import { titleOf } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import { automodWords } from '../../words/automod.ts'
import { digits, spanOf } from '../../words/plural.ts'
import { askToConfirm } from '../kit/ask.tsx'
import { SelectField } from '../kit/dialog-forms.tsx'
import { showNote } from '../kit/dialogs.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'

const VERIFICATIONS = ['none', 'mail', 'account_minutes', 'member_minutes'] as const
const MINUTES = [5, 10, 30, 60, 360, 1440, 10_080]
const RAID_JOINS = [5, 10, 15, 20, 30, 50, 100]
const RAID_SECONDS = [10, 30, 60, 120, 300, 600]
const RAID_MINUTES = [10, 30, 60, 180, 720, 1440]

const withOwn = (choices: number[], own: number): number[] =>
  choices.includes(own) ? choices : [...choices, own].toSorted((a, b) => a - b)
const inMinutes = (choices: number[], own: number) =>
  withOwn(choices, own).map((each): [number, string] => [each, spanOf(each * 60)])

/** The choice of who may write right after joining. */
export const Verification = ({ server_id }: { server_id: number }) => {
  follow('shell')
  const { attempt, busy, error } = useAttempt()
  const server = state.servers.get(server_id)
  if (!server) return null
  const { verification, verification_minutes } = server
  const bind = () =>
    attempt(async () => {
      const query = { verification, verification_minutes: String(verification_minutes) }
      const { count } = await call('GET /api/servers/:server_id/verification', { server_id, ...query })
      askToConfirm({
        title: automodWords.bind,
        text: automodWords.bindText(digits(count)),
        action: automodWords.bind,
        work: async () => {
          await call('PUT /api/servers/:server_id', { server_id }, { binds_members: true })
          showNote(automodWords.bound)
        },
      })
    })
  const change = (body: Partial<Pick<typeof server, 'verification' | 'verification_minutes'>>) =>
    attempt(() => expectServer(server_id, body, () => call('PUT /api/servers/:server_id', { server_id }, body)))
  return (
    <section class="automod-section">
      <h3>{automodWords.strangers}</h3>
      <SelectField
        label={automodWords.verification}
        value={verification}
        options={VERIFICATIONS.map((each) => [each, automodWords.verifications[each]])}
        onChange={(next) => void change({ verification: next })}
      />
      {verification.endsWith('_minutes') ? (
        <SelectField
          label={automodWords.age}
          value={verification_minutes}
          options={inMinutes(MINUTES, verification_minutes)}
          onChange={(next) => void change({ verification_minutes: next })}
        />
      ) : null}
      {verification !== 'none' && server.owner_id === state.me() ? (
        <span class="choices">
          <button type="button" disabled={busy} onClick={() => void bind()}>
            {automodWords.bind}
          </button>
        </span>
      ) : null}
      <Refusal error={error} />
    </section>
  )
}

/** Raid mode: when it begins, and turning it on and off. */
export const RaidMode = ({ server_id }: { server_id: number }) => {
  follow('shell')
  const [raid, setRaid] = useState<Raid>()
  const { attempt, busy, error } = useAttempt()
  useLayoutEffect(() => {
    setRaid(undefined)
    void attempt(async () => setRaid(await call('GET /api/servers/:server_id/raid', { server_id })))
  }, [server_id])
  const change = (body: Parameters<typeof call<'PUT /api/servers/:server_id/raid'>>[2]) =>
    void attempt(async () => setRaid(await call('PUT /api/servers/:server_id/raid', { server_id }, body)))
  if (!raid) return <Refusal error={error} />
  const { until, since, quarantined } = raid
  return (
    <section class="automod-section">
      <h3>{automodWords.raid}</h3>
      <p class="quiet">{automodWords.raidHint}</p>
      <p role="status">
        {until === null
          ? automodWords.raidOff
          : automodWords.raidOn({ time: momentOf(until), people: digits(quarantined) })}
      </p>
      <span class="choices">
        <button type="button" disabled={busy} onClick={() => change({ on: true })}>
          {until === null ? automodWords.raidBegin : automodWords.raidExtend}
        </button>
        {until === null && quarantined === 0 ? null : (
          <button type="button" disabled={busy} onClick={() => change({ on: false })}>
            {automodWords.raidEnd}
          </button>
        )}
        {since === null ? null : <Removals server_id={server_id} since={since} />}
      </span>
      <Refusal error={error} />
      {state.may(server_id, 'manage_server') ? <RaidSettings raid={raid} onChange={change} /> : null}
    </section>
  )
}

interface SettingsProps {
  raid: Raid
  onChange: (settings: Partial<Raid>) => void
}

const RaidSettings = ({ raid, onChange }: SettingsProps) => {
  const channels = state
    .channelsOf(raid.server_id)
    .filter(({ type }) => type === 'text')
    .map((channel): [number, string] => [channel.id, titleOf(channel)])
  return (
    <>
      <SelectField
        label={automodWords.raidAlert}
        value={raid.alert_channel_id ?? 0}
        options={[[0, automodWords.raidNever], ...channels]}
        onChange={(id) => onChange({ alert_channel_id: id === 0 ? null : id })}
      />
      <SelectField
        label={automodWords.raidJoins}
        value={raid.raid_joins}
        options={withOwn(RAID_JOINS, raid.raid_joins).map((each) => [each, digits(each)])}
        onChange={(raid_joins) => onChange({ raid_joins })}
      />
      <SelectField
        label={automodWords.raidSeconds}
        value={raid.raid_seconds}
        options={withOwn(RAID_SECONDS, raid.raid_seconds).map((each) => [each, spanOf(each)])}
        onChange={(raid_seconds) => onChange({ raid_seconds })}
      />
      <SelectField
        label={automodWords.raidMinutes}
        value={raid.raid_minutes}
        options={inMinutes(RAID_MINUTES, raid.raid_minutes)}
        onChange={(raid_minutes) => onChange({ raid_minutes })}
      />
    </>
  )
}

/** Removes everybody who joined since the raid began, after a question that says how many they are. */
const Removals = ({ server_id, since }: { server_id: number; since: string }) => {
  const { attempt, error } = useAttempt()
  const remove = (action: 'kick' | 'ban', label: string) =>
    attempt(async () => {
      const path = 'POST /api/servers/:server_id/members/prune'
      const { count = 0, token = '' } = await call(path, { server_id }, { joined_after: since, action, dry_run: true })
      askToConfirm({
        title: label,
        text: automodWords.raidRemove(digits(count)),
        action: label,
        work: async () => {
          await call(path, { server_id }, { dry_run: false, token })
          showNote(automodWords.raidRemoving)
        },
      })
    })
  const { raidKick, raidBan } = automodWords
  return (
    <>
      {state.may(server_id, 'kick_members') ? (
        <button type="button" class="danger" onClick={() => void remove('kick', raidKick)}>
          {raidKick}
        </button>
      ) : null}
      {state.may(server_id, 'ban_members') ? (
        <button type="button" class="danger" onClick={() => void remove('ban', raidBan)}>
          {raidBan}
        </button>
      ) : null}
      <Refusal error={error} />
    </>
  )
}
