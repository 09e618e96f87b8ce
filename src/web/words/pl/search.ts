// Printed from locales/pl/search.json. After a change there: bun run words
import type { searchWords } from '../search.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  title: 'Wyszukiwanie',
  field: 'Szukaj wiadomości',
  hint: 'Słowa, "frazy", -słowa lub filtr',
  where: 'Gdzie szukać',
  everywhere: 'Wszędzie',
  clear: 'Wyczyść wyszukiwanie',
  searching: 'Szukanie…',
  found: ({ n, hasMore }) =>
    n === 0
      ? 'Nic nie znaleziono.'
      : hasMore
        ? `Wiadomości: ${digits(n)} lub więcej`
        : count(n, '# wiadomość', '# wiadomości', '# wiadomości', '# wiadomości'),
  nothing: 'Nie znaleziono wiadomości',
  nothingText: 'Spróbuj mniejszej liczby słów lub innych słów albo szukaj wszędzie.',
  start: 'Najpierw widać najnowsze wiadomości. Przeszukiwane jest tylko to, co możesz czytać.',
  suggestions: 'Filtry',
  jump: ({ author, place }) => `Przejdź do wiadomości od ${author} w ${place}`,
  twice: (filter) => `Filtru „${filter}” można użyć tylko raz.`,
  unknown: {
    from: (name) => `Nikt tu nie nazywa się „${name}”.`,
    mentions: (name) => `Nikt tu nie nazywa się „${name}”.`,
    in: (name) => `Nie ma kanału „${name}”, który możesz zobaczyć.`,
    has: (name) => `Nieznana wartość: „${name}”. Użyj link, file, image lub embed.`,
    pinned: (name) => `Nieznana wartość: „${name}”. Użyj true lub false.`,
    before: (name) => `„${name}” nie jest datą. Zapisz ją tak: 2026-01-31.`,
    after: (name) => `„${name}” nie jest datą. Zapisz ją tak: 2026-01-31.`,
  },
  filters: {
    from: 'wysłane przez kogoś',
    in: 'w kanale',
    has: 'link, file, image lub embed',
    mentions: 'wspominające kogoś',
    before: 'przed daną datą',
    after: 'w danym dniu lub później',
    pinned: 'true lub false',
  },
} satisfies typeof searchWords
