// Printed from locales/de/menus.json. After a change there: bun run words
import type { menuWords } from '../menus.ts'

export default {
  of: (name) => `Menü für ${name}`,
  write: 'Nachricht senden',
  accept: 'Freundschaftsanfrage annehmen',
  read: 'Als gelesen markieren',
  notifications: 'Benachrichtigungen …',
  copyLink: 'Link kopieren',
  settings: 'Einstellungen …',
  events: 'Veranstaltungen',
  hide: 'Unterhaltung ausblenden',
  deleteChannel: 'Kanal löschen',
  deleteCategory: 'Kategorie löschen',
  moveTo: 'Verschieben nach …',
  serverSettings: 'Servereinstellungen',
  leaveServer: 'Server verlassen',
  leaveServerText: (name) => `Du brauchst eine neue Einladung, um zu ${name} zurückzukommen.`,
} satisfies typeof menuWords
