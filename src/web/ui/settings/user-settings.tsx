import { useEffect } from 'preact/hooks'
import { askOffers, offers } from '../../state/offers.ts'
import { state } from '../../state/session.ts'
import { accountWords } from '../../words/account.ts'
import { applicationWords } from '../../words/applications.ts'
import { deviceWords } from '../../words/device.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { guestWords } from '../../words/guests.ts'
import { eventWords } from '../../words/events.ts'
import { mailWords } from '../../words/mail.ts'
import { moderationWords } from '../../words/moderation.ts'
import { securityWords } from '../../words/security.ts'
import { settingsWords } from '../../words/settings.ts'
import { signOnWords } from '../../words/sign-on.ts'
import { talkWords } from '../../words/talk.ts'
import { words } from '../../words/words.ts'
import { closeDialog } from '../kit/dialogs.tsx'
import { Later } from '../kit/later.tsx'
import { inGroup, type Tab, TabbedDialog } from '../kit/tabbed-dialog.tsx'
import { AccountData } from './account-data.tsx'
import { CallKeysForm } from './call-keys-form.tsx'
import { ConnectionTest } from './connection-form.tsx'
import { DevicesForm } from './devices-form.tsx'
import { EmailForm } from './email-form.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { MicrophoneForm } from './microphone-form.tsx'
import { NoticesForm } from './notices-form.tsx'
import { LooksForm } from './looks-form.tsx'
import { PrivacyForm } from './privacy-form.tsx'
import { OwnProfile } from './profile-form.tsx'
import { Security } from '../security/security.tsx'
import { Sessions } from './sessions.tsx'
import { TalkForm } from './talk-form.tsx'
import { chooseTheme, theme, THEMES } from './theme.ts'

const ownApplications = async () => {
  const { OwnApplications } = await import('../applications/own-applications.tsx')
  return () => <OwnApplications />
}

const ownFeeds = async () => {
  const { OwnFeeds } = await import('./own-feeds.tsx')
  return () => <OwnFeeds />
}

const ownWarnings = async () => {
  const { OwnWarnings } = await import('../people/warnings.tsx')
  return () => <OwnWarnings />
}

const keepAccount = async () => {
  const { KeepAccount } = await import('./keep-account.tsx')
  return () => <KeepAccount />
}

const { tabs: titles, ...says } = settingsWords.settings
const { app, codes, passkeys } = securityWords
const PROFILE: Tab[] = [
  [titles.profile, () => <OwnProfile />, [says.displayName, dialogWords.picture.choose]],
  [titles.privacy, () => <PrivacyForm />, [says.dmsFrom, says.requestsFrom, says.previews]],
]
/** Guests have nothing else to set in their account. */
const GUEST: Tab[] = [
  [guestWords.keep, () => <Later load={keepAccount} />, [accountWords.signIn.username, accountWords.signIn.password]],
  [moderationWords.own, () => <Later load={ownWarnings} />],
]
const EMAIL: Tab[] = [[mailWords.own.title, () => <EmailForm />]]
const SAFETY: Tab[] = [
  [
    titles.security,
    () => <Security />,
    [says.changePassword, app.title, codes.title, passkeys.title, signOnWords.title],
  ],
  [titles.sessions, () => <Sessions />, [says.logOut, says.logOutAll]],
  [moderationWords.own, () => <Later load={ownWarnings} />],
  [eventWords.feeds, () => <Later load={ownFeeds} />, [eventWords.address]],
  [titles.account, () => <AccountData />, [says.export, says.delete]],
]
const APP: Tab[] = [
  [
    titles.appearance,
    () => <Appearance />,
    [says.theme, says.density, says.textSize, says.language, ...THEMES.map((name) => says.themes[name])],
  ],
  [deviceWords.notices.tab, () => <NoticesForm />, [deviceWords.notices.quiet, deviceWords.notices.sound]],
  [
    titles.calls,
    () => <Calls />,
    [
      talkWords.muted,
      talkWords.mode,
      ...Object.values(talkWords.modes),
      talkWords.threshold,
      settingsWords.devices.audioinput,
      settingsWords.devices.audiooutput,
      says.test,
    ],
  ],
]
const DEVELOPERS: Tab[] = [
  [applicationWords.tab, () => <Later load={ownApplications} />, [applicationWords.create, applicationWords.token]],
]

/** The settings of the account and of this browser. */
export const UserSettings = ({ first }: { first?: string | undefined }) => {
  useEffect(askOffers, [])
  const { groups } = settingsWords
  const tabs = state.isGuest()
    ? [...inGroup(groups.account, GUEST), ...inGroup(groups.app, APP)]
    : [
        ...inGroup(groups.account, [...PROFILE, ...(offers.value?.mail ? EMAIL : []), ...SAFETY]),
        ...inGroup(groups.app, APP),
        ...inGroup(groups.developers, DEVELOPERS),
      ]
  return <TabbedDialog title={words.settings.title} tabs={tabs} first={first} onClose={closeDialog} />
}

const Calls = () => (
  <form onSubmit={(event) => event.preventDefault()}>
    <TalkForm />
    <DevicesForm />
    <MicrophoneForm />
    <CallKeysForm />
    <ConnectionTest />
  </form>
)

const Appearance = () => (
  <>
    <fieldset class="choices column">
      <legend>{settingsWords.settings.theme}</legend>
      {THEMES.map((name) => (
        <label key={name}>
          <input type="radio" name="theme" checked={theme.value === name} onChange={() => chooseTheme(name)} />
          {settingsWords.settings.themes[name]}
        </label>
      ))}
    </fieldset>
    <LooksForm />
    <LanguageChoice />
  </>
)
