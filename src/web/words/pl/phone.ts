import type { phoneWords } from '../phone.ts'

export default {
  tabs: 'Sekcje',
  home: 'Start',
  servers: 'Serwery',
  inbox: 'Skrzynka',
  you: 'Ty',
  noServers: 'Nie ma jeszcze serwerów',
  noServersText: 'Utwórz serwer albo dołącz do istniejącego przez link z zaproszeniem.',
} satisfies typeof phoneWords
