// Printed from locales/pl/permissions.json. After a change there: bun run words
import type { permissionWords } from '../permissions.ts'

export default {
  topics: {
    general: 'Ogólne',
    messages: 'Wiadomości',
    threads: 'Wątki',
    voice: 'Głos',
    people: 'Osoby',
    server: 'Zarządzanie serwerem',
    administrator: 'Wszystko',
  },
  allowed: ({ n, all }) => `Dozwolone ${n} z ${all}`,
  set: (n) => (n === 0 ? 'Odziedziczone' : `Ustawiono tu: ${n}`),
  inServer: (isAllowed) => (isAllowed ? 'Odziedziczone z serwera: dozwolone' : 'Odziedziczone z serwera: niedozwolone'),
  private: 'Kanał prywatny',
  privateOn: 'Mogą go widzieć tylko właściciel, administratorzy i role poniżej.',
  privateOff: 'Może go widzieć każdy członek.',
  privateHint: 'Mogą go widzieć tylko właściciel i administratorzy, dopóki nie wybierzesz ról w jego ustawieniach.',
  whoSees: 'Kto może go widzieć',
  noRoles: 'Nie ma ról poniżej twojej do wyboru.',
  choices: {
    deny: 'Odmów',
    inherit: 'Dziedzicz',
    allow: 'Zezwól',
  },
  moderatorsOnly: 'Piszą tylko moderatorzy',
  moderatorsOnlyText: 'Czytać mogą wszyscy; pisać mogą role, które zarządzają wiadomościami.',
} satisfies typeof permissionWords
