import type { permissionWords } from '../permissions.ts'

export default {
  topics: {
    general: 'Ogólne',
    messages: 'Wiadomości',
    threads: 'Wątki',
    voice: 'Głos',
    people: 'Osoby',
    server: 'Prowadzenie serwera',
    administrator: 'Wszystko',
  },
  allowed: (n, all) => `Dozwolone ${n} z ${all}`,
  set: (n) => (n === 0 ? 'Jak na wyższym poziomie' : `Ustawiono tu: ${n}`),
  inServer: (isAllowed) => (isAllowed ? 'Jak na serwerze: dozwolone' : 'Jak na serwerze: niedozwolone'),
  private: 'Kanał prywatny',
  privateOn: 'Widzą go tylko właściciel, administratorzy i role poniżej.',
  privateOff: 'Widzi go każdy członek.',
  privateHint: 'Widzą go tylko właściciel i administratorzy, dopóki nie wybierzesz ról w jego ustawieniach.',
  whoSees: 'Kto go widzi',
  noRoles: 'Pod twoją rolą nie ma żadnej do wybrania.',
  choices: {
    deny: 'Odmów',
    inherit: 'Jak na wyższym poziomie',
    allow: 'Zezwól',
  },
} satisfies typeof permissionWords
