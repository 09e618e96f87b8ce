import { count } from './plural.ts'

/** Words for what is unread, mentions and notifications. */
export const notificationWords = {
  notifications: {
    title: 'Notifications',
    of: (place: string) => `Notifications of ${place}`,
    level: 'Notify me of',
    levels: { all: 'Every message', mentions: 'Mentions only', nothing: 'Nothing' },
    inherit: (level: string) => `As set around it (${level})`,
    mute: 'Mute',
    muteText: 'What is muted counts mentions of your name alone.',
    mutedUntil: (until: string) => `Muted until ${until}.`,
    mutedForGood: 'Muted until you turn it off.',
    mutedAround: 'Muted by the category or server.',
    unmute: 'Unmute',
    durations: [
      [15, 'For 15 minutes'],
      [60, 'For 1 hour'],
      [8 * 60, 'For 8 hours'],
      [24 * 60, 'For 24 hours'],
      [7 * 24 * 60, 'For a week'],
      [0, 'Until I turn it off'],
    ] as const,
    suppress: 'Leave out @everyone and @here',
    byDefault: 'Members who have set nothing are notified of',
    reset: 'Back to what is set around it',
    readAll: 'Mark the server as read',
    isRead: 'Everything here is read.',
  },
  inbox: {
    title: 'Mentions',
    open: 'Show mentions',
    none: 'Nobody has mentioned you yet.',
    in: (place: string) => `in ${place}`,
    jump: (author: string) => `Go to the message of ${author}`,
    more: 'Show older ones',
  },
  unread: {
    mark: 'Mark unread from here',
    since: (n: number) => `${count(n, 'mention')} unread`,
    toFirst: 'Jump to the first unread message',
    muted: 'muted',
  },
  date: {
    jump: 'Jump to a date',
    field: 'Date:',
    go: 'Jump',
    none: 'There is no message on that day or later.',
  },
  completion: {
    everyone: 'Notify every member',
    here: 'Notify every member who is online',
    mayNot: 'You may not mention this: it stays plain text',
    role: 'role',
  },
}
