import { useEffect } from 'preact/hooks'
import { askOffers, offers } from '../../state/offers.ts'
import { applicationWords } from '../../words/applications.ts'
import { deviceWords } from '../../words/device.ts'
import { mailWords } from '../../words/mail.ts'
import { securityWords } from '../../words/security.ts'
import { settingsWords } from '../../words/settings.ts'
import { signOnWords } from '../../words/sign-on.ts'
import { words } from '../../words/words.ts'
import { closeDialog } from '../kit/dialogs.tsx'
import { Later } from '../kit/later.tsx'
import { type Tab, TabbedDialog } from '../kit/tabbed-dialog.tsx'
import { AccountData } from './account-data.tsx'
import { ConnectionTest } from './connection-form.tsx'
import { DevicesForm } from './devices-form.tsx'
import { EmailForm } from './email-form.tsx'
import { NoticesForm } from './notices-form.tsx'
import { PrivacyForm } from './privacy-form.tsx'
import { ProfileForm } from './profile-form.tsx'
import { Security } from '../security/security.tsx'
import { Sessions } from './sessions.tsx'
import { TalkForm } from './talk-form.tsx'
import { chooseTheme, theme, THEMES } from './theme.ts'

const ownApplications = async () => {
  const { OwnApplications } = await import('../applications/own-applications.tsx')
  return () => <OwnApplications />
}

const { tabs: titles } = settingsWords.settings
const { app, codes, passkeys } = securityWords
const BEFORE: Tab[] = [
  [titles.profile, () => <ProfileForm />],
  [titles.privacy, () => <PrivacyForm />],
]
const EMAIL: Tab[] = [[mailWords.own.title, () => <EmailForm />]]
const AFTER: Tab[] = [
  [titles.sessions, () => <Sessions />],
  [
    titles.security,
    () => <Security />,
    [settingsWords.settings.changePassword, app.title, codes.title, passkeys.title, signOnWords.title],
  ],
  [deviceWords.notices.tab, () => <NoticesForm />, [deviceWords.notices.quiet, deviceWords.notices.sound]],
  [titles.appearance, () => <Appearance />],
  [titles.calls, () => <Calls />],
  [applicationWords.tab, () => <Later load={ownApplications} />, [applicationWords.create, applicationWords.token]],
  [titles.account, () => <AccountData />],
]

/** The settings of the account and of this browser. */
export const UserSettings = ({ first }: { first?: string | undefined }) => {
  useEffect(askOffers, [])
  const tabs = [...BEFORE, ...(offers.value?.mail ? EMAIL : []), ...AFTER]
  return <TabbedDialog title={words.settings.title} tabs={tabs} first={first} onClose={closeDialog} />
}

const Calls = () => (
  <form onSubmit={(event) => event.preventDefault()}>
    <TalkForm />
    <DevicesForm />
    <ConnectionTest />
  </form>
)

const Appearance = () => (
  <fieldset class="choices column">
    <legend>{settingsWords.settings.theme}</legend>
    {THEMES.map((name) => (
      <label key={name}>
        <input type="radio" name="theme" checked={theme.value === name} onChange={() => chooseTheme(name)} />
        {settingsWords.settings.themes[name]}
      </label>
    ))}
  </fieldset>
)
