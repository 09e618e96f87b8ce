import { effect } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { askOffers, offers } from '../../state/offers.ts'
import { allServers } from '../../state/listed-servers.ts'
import { displayNameOf, withoutBidi } from '../../state/names.ts'
import { route } from '../../state/route.ts'
import { account, follow, state } from '../../state/session.ts'
import { onDevice } from '../../state/stored.ts'
import { applicationWords } from '../../words/applications.ts'
import { deviceWords } from '../../words/device.ts'
import { mailWords } from '../../words/mail.ts'
import { moderationWords } from '../../words/moderation.ts'
import { phoneWords } from '../../words/phone.ts'
import { settingsWords } from '../../words/settings.ts'
import { statusWords } from '../../words/status.ts'
import { words } from '../../words/words.ts'
import { Avatar, Badge, Picture, sayingOf } from '../kit/controls.tsx'
import { Empty } from '../kit/empty.tsx'
import { Icon, type IconName } from '../kit/icons.tsx'
import { chosenServer, drawer, listedServer, phoneTab, type PhoneTab } from '../kit/pane.tsx'
import { InboxLists } from '../notifications/inbox.tsx'
import { showStatus } from '../people/show-people.tsx'
import { showNewServer } from '../server/show-server.tsx'
import { showUserSettings } from '../settings/show-settings.tsx'
import { VoicePanel } from '../voice/voice-panel.tsx'
import { unreadOf, unreadOfHome } from './server-list.tsx'

const SERVER = 'parley.server'

/** The server that the account saw last, or its first one. */
function lastServer(): number | undefined {
  const id = Number(onDevice.getItem(SERVER))
  const ids = allServers(state).map((server) => server.id)
  return ids.includes(id) ? id : ids[0]
}

/** Shows a tab above the page, which stays as it is. */
function openTab(tab: PhoneTab): void {
  phoneTab.value = tab
  if (tab === 'server') chosenServer.value = listedServer.value ?? lastServer()
  drawer.value = true
}

const chosenTab = (): PhoneTab => phoneTab.value ?? (listedServer.value === undefined ? 'home' : 'server')

/**
 * The tabs at the bottom of a phone. Home and Servers show the lists, Inbox and You have pages of their own; all of
 * them cover the page, which keeps its scroll position and unsent text. A conversation hides the tabs: its back button
 * leads to them.
 */
export const Phone = () => {
  follow('shell', 'members')
  const tab = chosenTab()
  const isOpen = drawer.value
  const here = route.value
  const isPlace = 'channel_id' in here && here.channel_id !== undefined
  useLayoutEffect(
    () =>
      effect(() => {
        if (drawer.value) return
        phoneTab.value = undefined
        chosenServer.value = undefined
      }),
    [],
  )
  // The style sheets show the lists of the tab.
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    if (isOpen) dataset['tab'] = tab
    return () => void delete dataset['tab']
  }, [isOpen, tab])
  useEffect(() => {
    if (listedServer.value !== undefined) onDevice.setItem(SERVER, String(listedServer.value))
  }, [listedServer.value])
  if (isPlace && !isOpen) return null
  return (
    <>
      {isOpen ? <TabPage key={tab} tab={tab} /> : null}
      <Tabs tab={tab} isOver={isOpen} />
    </>
  )
}

const TabPage = ({ tab }: { tab: PhoneTab }) => {
  follow('shell')
  if (tab === 'inbox')
    return (
      <Page title={phoneWords.inbox}>
        <InboxLists />
      </Page>
    )
  if (tab === 'you') return <You />
  return tab === 'server' && allServers(state).length === 0 ? <NoServers /> : null
}

const Page = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="phone-page" aria-label={title}>
    <header class="bar">
      <h2>{title}</h2>
    </header>
    <VoicePanel />
    {children}
  </section>
)

const NoServers = () => (
  <Page title={phoneWords.servers}>
    <Empty icon="grid" title={phoneWords.noServers} text={phoneWords.noServersText}>
      <button
        type="button"
        class="primary"
        disabled={account.value !== 'logged_in'}
        onClick={() => void showNewServer()}
      >
        {words.servers.add}
      </button>
    </Empty>
  </Page>
)

/** The account, and the sections of its settings. */
const You = () => {
  follow('shell', 'members')
  useEffect(askOffers, [])
  const { tabs } = settingsWords.settings
  const sections: [title: string, icon: IconName][] = [
    [tabs.profile, 'edit'],
    [tabs.privacy, 'hide'],
    ...(offers.value?.mail ? [[mailWords.own.title, 'at'] as [string, IconName]] : []),
    [tabs.security, 'shield'],
    [tabs.sessions, 'device'],
    [moderationWords.own, 'flag'],
    [tabs.account, 'file'],
    [tabs.appearance, 'palette'],
    [deviceWords.notices.tab, 'bell'],
    [tabs.calls, 'phone'],
    [applicationWords.tab, 'grid'],
  ]
  return (
    <Page title={phoneWords.you}>
      <div class="scroll you">
        <p class="own">
          <Avatar id={state.me()} size={64} status />
          <span>
            <strong>
              <bdi>{displayNameOf(state.me())}</bdi>
            </strong>
            <small>
              <bdi dir="ltr">@{state.user?.username}</bdi>
            </small>
            <small>
              <bdi>{sayingOf(state.me())}</bdi>
            </small>
          </span>
        </p>
        <ul>
          <li>
            <button type="button" aria-haspopup="dialog" onClick={() => void showStatus()}>
              <Icon name="smile" />
              <span>{statusWords.title}</span>
              <Icon name="next" size={16} />
            </button>
          </li>
          {sections.map(([title, icon]) => (
            <li key={title}>
              <button type="button" onClick={() => void showUserSettings(title)}>
                <Icon name={icon} />
                <span>{title}</span>
                <Icon name="next" size={16} />
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Page>
  )
}

interface TabProps {
  tab: PhoneTab
  label: string
  /** The accessible name: the label, and a count of unread messages. */
  name: string
  count?: number
  isUnread?: boolean
  isCurrent: boolean
  children: ComponentChildren
}

const TabButton = ({ tab, label, name, count = 0, isUnread = false, isCurrent, children }: TabProps) => (
  <button
    type="button"
    class={isUnread ? 'unread' : ''}
    aria-current={isCurrent && 'page'}
    onClick={() => openTab(tab)}
  >
    <span class="tab-icon" aria-hidden="true">
      {children}
      <Badge count={count} isNamed />
    </span>
    <bdi aria-hidden="true">{label}</bdi>
    <span class="hidden">{name}</span>
  </button>
)

const Tabs = ({ tab, isOver }: { tab: PhoneTab; isOver: boolean }) => {
  follow('shell', 'members')
  const bar = useRef<HTMLElement>(null)
  // The page below is inert: a button there that opened the lists has lost the focus.
  useEffect(() => {
    if (isOver && document.activeElement === document.body)
      bar.current?.querySelector<HTMLElement>('[aria-current=page]')?.focus({ preventScroll: true })
  }, [isOver])
  const home = unreadOfHome()
  const here = listedServer.value ?? 0
  const server = state.servers.get(here) ?? state.listed.get(here)
  const servers = (server ? [server] : allServers(state)).map(({ id }) => unreadOf(id))
  const mentions = servers.reduce((sum, each) => sum + each.mentions, 0)
  const isUnread = servers.some(({ unread }) => unread)
  const serverName = server ? withoutBidi(server.name) : phoneWords.servers
  const listed = [...state.listed.values()].reduce((sum, each) => sum + each.mention_count, 0)
  const called = [...state.channels.values()].reduce((sum, channel) => sum + state.mentionsIn(channel), listed)
  const waiting = called + state.waitingInInbox()
  return (
    <nav ref={bar} class={`phone-tabs ${isOver ? 'over' : ''}`} aria-label={phoneWords.tabs}>
      <TabButton
        tab="home"
        label={phoneWords.home}
        name={words.named({ name: phoneWords.home, n: home.mentions, isAny: home.unread })}
        count={home.mentions}
        isUnread={home.unread}
        isCurrent={tab === 'home'}
      >
        <Icon name="home" size={24} />
      </TabButton>
      <TabButton
        tab="server"
        label={serverName}
        name={words.named({ name: serverName, n: mentions, isAny: isUnread })}
        count={mentions}
        isUnread={isUnread}
        isCurrent={tab === 'server'}
      >
        {server ? (
          <Picture id={server.id} name={serverName} file_id={server.icon_file_id} size={24} />
        ) : (
          <Icon name="grid" size={24} />
        )}
      </TabButton>
      <TabButton
        tab="inbox"
        label={phoneWords.inbox}
        name={words.named({ name: phoneWords.inbox, n: waiting, isAny: false })}
        count={waiting}
        isCurrent={tab === 'inbox'}
      >
        <Icon name="inbox" size={24} />
      </TabButton>
      <TabButton tab="you" label={phoneWords.you} name={phoneWords.you} isCurrent={tab === 'you'}>
        <Avatar id={state.me()} size={24} status />
      </TabButton>
    </nav>
  )
}
