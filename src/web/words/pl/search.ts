import type { searchWords } from '../search.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  title: 'Szukanie',
  field: 'Szukaj wiadomości',
  hint: 'Słowa, "frazy", -słowa lub filtr',
  where: 'Gdzie szukać',
  everywhere: 'Wszędzie',
  clear: 'Wyczyść szukanie',
  searching: 'Szukanie…',
  found: (n, more) =>
    n === 0
      ? 'Nic nie znaleziono.'
      : more
        ? `Wiadomości: ${digits(n)} lub więcej`
        : count(n, '# wiadomość', '# wiadomości', '# wiadomości', '# wiadomości'),
  nothing: 'Żadna wiadomość nie pasuje',
  nothingText: 'Spróbuj mniejszej liczby słów lub innych słów albo szukaj wszędzie.',
  start: 'Najpierw widać najnowsze wiadomości. Przeszukiwane jest tylko to, co możesz czytać.',
  suggestions: 'Filtry',
  jump: (author, place) => `Przejdź do wiadomości od ${author} w ${place}`,
  twice: (filter) => `„${filter}” można podać tylko raz.`,
  unknown: {
    from: (name) => `Nikt nie jest tu znany jako „${name}”.`,
    mentions: (name) => `Nikt nie jest tu znany jako „${name}”.`,
    in: (name) => `Nie ma kanału „${name}”, który możesz zobaczyć.`,
    has: (name) => `Wiadomości mają link, file, image lub embed, ale nie „${name}”.`,
    pinned: (name) => `Pinned to true lub false, ale nie „${name}”.`,
    before: (name) => `„${name}” nie jest datą. Zapisz ją jako 2026-01-31.`,
    after: (name) => `„${name}” nie jest datą. Zapisz ją jako 2026-01-31.`,
  },
  filters: {
    from: 'napisane przez kogoś',
    in: 'w kanale',
    has: 'link, file, image lub embed',
    mentions: 'wspominające kogoś',
    before: 'przed datą',
    after: 'w dniu lub później',
    pinned: 'true lub false',
  },
} satisfies typeof searchWords
