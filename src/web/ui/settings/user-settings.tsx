import { useState } from 'preact/hooks'
import { words } from '../../words/words.ts'
import { Dialog, Tabs } from '../kit/controls.tsx'
import { closeDialog } from '../kit/dialogs.tsx'
import { AccountData } from './account-data.tsx'
import { ConnectionTest } from './connection-form.tsx'
import { DevicesForm } from './devices-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { PrivacyForm } from './privacy-form.tsx'
import { ProfileForm } from './profile-form.tsx'
import { Sessions } from './sessions.tsx'
import { chooseTheme, theme, THEMES } from './theme.ts'

type Tab = keyof typeof words.settings.tabs
const TABS: Tab[] = ['profile', 'privacy', 'sessions', 'password', 'appearance', 'calls', 'account']

/** The settings of the account and of this browser. */
export const UserSettings = () => {
  const [tab, setTab] = useState<Tab>('profile')
  const parts: Record<Tab, () => preact.VNode> = {
    profile: () => <ProfileForm />,
    privacy: () => <PrivacyForm />,
    sessions: () => <Sessions />,
    password: () => <PasswordForm />,
    appearance: () => <Appearance />,
    calls: () => <Calls />,
    account: () => <AccountData />,
  }
  return (
    <Dialog title={words.settings.title} onClose={closeDialog} class="settings">
      <Tabs tabs={TABS.map((name) => [name, words.settings.tabs[name]])} tab={tab} onTab={setTab} />
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

const Appearance = () => (
  <fieldset class="choices column">
    <legend>{words.settings.theme}</legend>
    {THEMES.map((name) => (
      <label key={name}>
        <input type="radio" name="theme" checked={theme.value === name} onChange={() => chooseTheme(name)} />
        {words.settings.themes[name]}
      </label>
    ))}
  </fieldset>
)
