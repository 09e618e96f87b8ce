// Printed from locales/pl/phone.json. After a change there: bun run words
import type { phoneWords } from '../phone.ts'

export default {
  tabs: 'Sekcje',
  home: 'Start',
  servers: 'Serwery',
  inbox: 'Skrzynka',
  you: 'Ty',
  noServers: 'Nie ma jeszcze serwerów',
  noServersText: 'Utwórz serwer albo dołącz do istniejącego przez link z zaproszeniem.',
  toCall: (name) => `Wróć do rozmowy w ${name}`,
  shrinkCall: 'Zmniejsz rozmowę',
} satisfies typeof phoneWords
