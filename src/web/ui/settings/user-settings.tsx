import { useEffect, useState } from 'preact/hooks'
import type { Session } from '../../../features/sessions/model.ts'
import { nameOf } from '../../state/names.ts'
import { call, follow, logOut, state } from '../../state/session.ts'
import { dateOf, momentOf } from '../../state/format.ts'
import { words } from '../../words/words.ts'
import { choosePicture } from '../kit/choose-picture.ts'
import { Avatar, Dialog, Field, Refusal, Tabs, useAttempt } from '../kit/controls.tsx'
import { PasswordRules } from '../kit/password-rules.tsx'
import { dismiss, tell } from '../kit/dialogs.tsx'
import { ConnectionTest } from './connection-form.tsx'
import { DevicesForm } from './devices-form.tsx'
import { OwnData, PrivacyForm } from './account-data.tsx'
import { chooseTheme, theme, THEMES } from './theme.ts'

type Tab = keyof typeof words.settings.tabs

/** What can be set about oneself. */
export const UserSettings = () => {
  const [tab, setTab] = useState<Tab>('profile')
  const parts: Record<Tab, () => preact.VNode> = {
    profile: () => <ProfileForm />,
    sessions: () => <Sessions />,
    password: () => <Password />,
    privacy: () => <PrivacyForm />,
    look: () => <Look />,
    calls: () => <Calls />,
    account: () => <OwnData />,
  }
  return (
    <Dialog title={words.settings.title} onClose={dismiss} class="settings">
      <Tabs names={Object.entries(words.settings.tabs) as [Tab, string][]} tab={tab} onTab={setTab} />
      <div class="scroll" tabIndex={0}>
        {parts[tab]()}
      </div>
    </Dialog>
  )
}

const Calls = () => (
  <form onSubmit={(event) => event.preventDefault()}>
    <DevicesForm />
    <ConnectionTest />
  </form>
)

const ProfileForm = () => {
  follow('shell')
  const [display_name, setName] = useState(state.user?.display_name ?? '')
  const { attempt, busy, error } = useAttempt()
  const avatar = (avatar_file_id: number | null) => attempt(() => call('PUT /api/auth/avatar', {}, { avatar_file_id }))
  const save = async (event: Event) => {
    event.preventDefault()
    if (await attempt(() => call('PUT /api/auth/display-name', {}, { display_name }))) tell(words.saved)
  }
  return (
    <form onSubmit={save}>
      <div class="row">
        <Avatar id={state.me()} size={72} />
        <span class="choices">
          <button type="button" onClick={() => choosePicture(avatar, attempt)}>
            {words.picture.choose}
          </button>
          {state.user?.avatar_file_id ? (
            <button type="button" onClick={() => void avatar(null)}>
              {words.picture.remove}
            </button>
          ) : null}
        </span>
      </div>
      <Field label={words.settings.displayName} value={display_name} onInput={setName} maxLength={32} required />
      <dl class="facts">
        <dt>{words.door.username}</dt>
        <dd>{state.user?.username}</dd>
        <dt>{words.door.email}</dt>
        <dd>{state.user?.email}</dd>
        <dt>{words.settings.since}</dt>
        <dd>{dateOf(state.user?.created_at ?? '')}</dd>
      </dl>
      <p class="quiet">{words.settings.privateHint}</p>
      <Refusal error={error} />
      <footer>
        <button type="button" onClick={() => void logOut(false)}>
          {words.settings.logOut}
        </button>
        <button class="primary" disabled={busy}>
          {words.save}
        </button>
      </footer>
    </form>
  )
}

/** What a browser says of itself, in short. */
function deviceOf(user_agent: string | null): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari|curl|Bun)/.exec(user_agent ?? '')?.[1]
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(user_agent ?? '')?.[1]
  return (
    [browser?.replace('Edg', 'Edge').replace('OPR', 'Opera'), system].filter(Boolean).join(' · ') ||
    words.settings.unknown
  )
}

const Sessions = () => {
  const [sessions, setSessions] = useState<Session[]>()
  const { attempt, error } = useAttempt()
  const load = () =>
    attempt(() => call('GET /api/auth/sessions', { limit: 100 })).then((rows) => rows && setSessions(rows))
  useEffect(() => void load(), [])
  const end = async (id: number) => {
    await attempt(() => call('DELETE /api/auth/sessions/:id', { id }))
    await load()
  }
  return (
    <>
      <Refusal error={error} />
      <ul class="table">
        {sessions?.map((session) => (
          <li key={session.id} class="row">
            <span>
              <strong>{deviceOf(session.user_agent)}</strong>
              <small>
                {session.ip} ·{' '}
                {session.current ? words.settings.thisOne : words.settings.lastUsed(momentOf(session.last_used_at))}
              </small>
            </span>
            {session.current ? null : (
              <button type="button" onClick={() => void end(session.id)}>
                {words.settings.end}
              </button>
            )}
          </li>
        ))}
      </ul>
      <footer>
        <button type="button" class="danger" onClick={() => void logOut(true)}>
          {words.settings.logOutAll}
        </button>
      </footer>
    </>
  )
}

const Password = () => {
  const [current_password, setCurrent] = useState('')
  const [new_password, setNew] = useState('')
  const { attempt, busy, error } = useAttempt()
  const save = async (event: Event) => {
    event.preventDefault()
    const done = await attempt(() => call('PUT /api/auth/password', {}, { current_password, new_password }))
    if (!done) return
    setCurrent('')
    setNew('')
    tell(words.settings.passwordChanged)
  }
  return (
    <form onSubmit={save}>
      <input type="text" autocomplete="username" value={state.user?.username} hidden readOnly />
      <Field
        label={words.settings.currentPassword}
        value={current_password}
        onInput={setCurrent}
        type="password"
        autocomplete="current-password"
        required
      />
      <Field
        label={words.settings.newPassword}
        value={new_password}
        onInput={setNew}
        type="password"
        autocomplete="new-password"
        required
      />
      <PasswordRules password={new_password} />
      <p class="quiet">{words.settings.passwordHint}</p>
      <Refusal error={error} />
      <footer>
        <button class="primary" disabled={busy}>
          {words.settings.changePassword}
        </button>
      </footer>
    </form>
  )
}

/** Light, dark, or as the system has it. */
const Look = () => (
  <fieldset class="choices column">
    <legend>{words.settings.theme(nameOf(state.me()))}</legend>
    {THEMES.map((name) => (
      <label key={name}>
        <input type="radio" name="theme" checked={theme.value === name} onChange={() => chooseTheme(name)} />
        {words.settings.themes[name]}
      </label>
    ))}
  </fieldset>
)
