// Printed from locales/en/menus.json. After a change there: bun run words
import { inLanguage } from './plural.ts'

/** Words of context menus. */
export const menuWords = inLanguage('menus', {
  of: (name: string) => `Menu for ${name}`,
  write: 'Send a message',
  accept: 'Accept friend request',
  read: 'Mark as read',
  notifications: 'Notifications…',
  copyLink: 'Copy link',
  settings: 'Settings…',
  events: 'Events',
  hide: 'Hide conversation',
  deleteChannel: 'Delete channel',
  deleteCategory: 'Delete category',
  moveTo: 'Move to…',
  serverSettings: 'Server settings',
  leaveServer: 'Leave server',
  leaveServerText: (name: string) => `You will need a new invite to come back to ${name}.`,
})
