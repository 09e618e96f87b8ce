// Printed from locales/pl/servers.json. After a change there: bun run words
import type { serverWords } from '../servers.ts'
import { digits } from '../plural.ts'

export default {
  servers: {
    list: 'Serwery',
    add: 'Dodaj serwer',
    name: 'Nazwa serwera',
    viewedAs: (role) =>
      role === undefined ? 'Wyświetlasz serwer jako członek bez ról.' : `Wyświetlasz serwer jako ${role}.`,
    stopViewing: 'Zakończ',
    gone: (name) => `Serwer ${name} został usunięty.`,
  },
  channels: {
    browse: 'Przeglądaj kanały',
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
    taken: ({ n, limit }) => `${digits(n)} z ${digits(limit)} osób`,
  },
  invite: {
    people: 'Zaproś ludzi',
  },
} satisfies typeof serverWords
