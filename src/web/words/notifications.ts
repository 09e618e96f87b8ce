// Printed from locales/en/notifications.json. After a change there: bun run words
import { count, type Words } from './plural.ts'

/** Words of unread messages, mentions and notifications. */
export const notificationWords = {
  notifications: {
    title: 'Notifications',
    of: (name: string) => `Notifications for ${name}`,
  },
  inbox: {
    open: 'Show inbox',
    reminder: 'Reminder of a saved message',
  },
  unread: {
    mark: 'Mark unread from here',
    since: (n: number) => count(n, '# mention unread', '# mentions unread'),
    toFirst: 'Jump to the first unread message',
    muted: 'muted',
  },
  date: {
    jump: 'Jump to a date',
  },
  completion: {
    everyone: 'Notify every member',
    here: 'Notify every member who is online',
    mayNot: 'You do not have permission to mention this. It stays plain text',
    role: 'role',
  },
} satisfies Words
