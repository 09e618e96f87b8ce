// Printed from locales/pl/menus.json. After a change there: bun run words
import type { menuWords } from '../menus.ts'

export default {
  of: (name) => `Menu: ${name}`,
  write: 'Wyślij wiadomość',
  accept: 'Przyjmij zaproszenie do znajomych',
  read: 'Oznacz jako przeczytane',
  notifications: 'Powiadomienia…',
  copyLink: 'Kopiuj link',
  settings: 'Ustawienia…',
  events: 'Wydarzenia',
  hide: 'Ukryj rozmowę',
  deleteChannel: 'Usuń kanał',
  deleteCategory: 'Usuń kategorię',
  moveTo: 'Przenieś do…',
  serverSettings: 'Ustawienia serwera',
  leaveServer: 'Opuść serwer',
  leaveServerText: (name) => `Aby wrócić do ${name}, potrzebujesz nowego zaproszenia.`,
} satisfies typeof menuWords
