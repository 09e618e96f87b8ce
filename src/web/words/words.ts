// Printed from locales/en/words.json. After a change there: bun run words
import { emojiWords } from './emoji.ts'
import { messageWords } from './messages.ts'
import { notificationWords } from './notifications.ts'
import { peopleWords } from './people.ts'
import { serverWords } from './servers.ts'
import { shortcutWords } from './shortcuts.ts'
import { threadWords } from './threads.ts'
import { voiceWords } from './voice.ts'
import { badge, count, digits, type Words } from './plural.ts'
import { rules } from './rules.ts'

/** The English text that the page starts with; settings, dialogs and the search have their own, loaded with them. */
export const words = {
  ...emojiWords,
  ...messageWords,
  ...notificationWords,
  ...peopleWords,
  ...serverWords,
  ...shortcutWords,
  ...threadWords,
  ...voiceWords,
  settings: {
    title: 'Settings',
  },
  conversations: 'Conversations',
  search: {
    open: 'Search messages',
  },
  sizes: ['B', 'KB', 'MB', 'GB'],
  loading: 'Loading…',
  unreachable: 'The server cannot be reached. Trying again…',
  reconnecting: 'Connection lost. Reconnecting…',
  ended: 'This window is no longer connected. Reload the page to continue.',
  menuUnread: 'Channels and servers, something is unread',
  skip: 'Skip to messages',
  menu: 'Channels and servers',
  tools: 'More about this place',
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  saved: 'Saved',
  copy: 'Copy',
  copied: 'Copied',
  notLoaded: 'This part of the page could not be loaded. Try again, or reload the page.',
  notCopied: 'Your browser did not allow copying.',
  more: 'Show more',
  owner: 'owner',
  bot: 'Bot',
  guest: 'Guest',
  membersTitle: 'Members',
  members: (n: number) => count(n, '# member', '# members'),
  andMore: (n: number) => `and ${digits(n)} more`,
  named: ({ n, isAny, name }: { n: number; isAny: boolean; name: string }) =>
    n === 0 ? (isAny ? `${name}, unread messages` : name) : `${name}, ${badge(n)} unread`,
  draft: 'Draft',
  withDraft: ', draft',
  failed: (reason: string) => `That did not work: ${reason}`,
  problems: {
    invalid_credentials: 'Wrong name or password.',
    rate_limited: 'Too many attempts.',
    invite_gone: 'This invite has expired or was used up. Ask for a new one.',
    not_found: 'This does not exist, or you have no access to it.',
    banned: 'You are banned from this server.',
    storage_full: 'The server has no space left for new messages and files.',
    offline: 'The server cannot be reached.',
  },
  rules,
} satisfies Words
