// Printed from locales/pl/servers.json. After a change there: bun run words
import type { serverWords } from '../servers.ts'

export default {
  servers: {
    list: 'Serwery',
    add: 'Dodaj serwer',
    name: 'Nazwa serwera',
    settings: 'Ustawienia serwera',
    leave: 'Opuść serwer',
    viewedAs: (role) =>
      role === undefined ? 'Wyświetlasz serwer jako członek bez ról.' : `Wyświetlasz serwer jako ${role}.`,
    stopViewing: 'Zakończ',
    gone: (name) => `Serwer ${name} został usunięty.`,
    leaveText: (name) => `Aby wrócić do ${name}, potrzebujesz nowego zaproszenia.`,
  },
  channels: {
    list: 'Kanały',
    private: ', prywatny',
    text: 'Tekstowe',
    voice: 'Głosowe',
    none: 'Nie ma tu jeszcze nic do oglądania',
    noneText: 'Twoje role nie pozwalają ci widzieć żadnych kanałów. Może to zmienić moderator serwera.',
    noneToMake: 'Rozmowy toczą się w kanałach. Utwórz pierwszy.',
    addTopic: 'Dodaj temat',
    outside: 'Bez kategorii',
    moved: ({ name, place, category }) =>
      category === undefined
        ? `${name} jest teraz na miejscu ${place}.`
        : `${name} jest teraz na miejscu ${place} w ${category}.`,
    moveHint: 'Naciśnij Alt i strzałkę, aby go przesunąć.',
    addTo: (name) => `Nowy kanał w ${name}`,
    make: {
      text: 'Nowy kanał tekstowy',
      voice: 'Nowy kanał głosowy',
      category: 'Nowa kategoria',
    },
    settings: (name) => `Ustawienia: ${name}`,
  },
  invite: {
    people: 'Zaproś ludzi',
    join: 'Dołącz do serwera',
    notNow: 'Nie teraz',
    back: 'Wróć do rozmów',
  },
} satisfies typeof serverWords
