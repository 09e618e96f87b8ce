import type { firstWords } from '../first-steps.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  templates: {
    friends: {
      title: 'Znajomi i rodzina',
      text: 'Kilka osób, plany, zdjęcia i miejsce do rozmów.',
      example: 'Dom nad jeziorem',
      channels: [
        ['text', 'plany', 'Co robimy dalej i kiedy'],
        ['text', 'zdjęcia', 'Wysyłaj te udane'],
        ['voice', 'Salon', ''],
      ],
    },
    community: {
      title: 'Klub lub społeczność',
      text: 'Wiadomości dla wszystkich, miejsce na powitanie i przestrzeń na wiele tematów.',
      example: 'Miłośnicy ptaków',
      channels: [
        ['text', 'aktualności', 'Co każdy powinien wiedzieć'],
        ['text', 'przedstaw-się', 'Pierwszy raz tutaj? Przywitaj się'],
        ['text', 'pytania', 'Pytaj o cokolwiek'],
        ['voice', 'Miejsce spotkań', ''],
      ],
    },
    team: {
      title: 'Zespół lub projekt',
      text: 'Pracujcie w wątkach, decydujcie na piśmie i spotykajcie się bez linków.',
      example: 'Naprawa jazu',
      channels: [
        ['text', 'zadania', 'Kto co robi i na kiedy'],
        ['text', 'decyzje', 'Co postanowiliśmy i dlaczego'],
        ['text', 'kawa', 'Wszystko poza pracą'],
        ['voice', 'Odprawa', ''],
      ],
    },
  },
  register: {
    title: 'Utwórz konto',
    closed: 'Ten serwer nie przyjmuje nowych kont.',
    invited: (server) => `Potem dołączysz do ${server}.`,
    name: 'Jak mają cię nazywać?',
    nameHint: 'Widzą to wszyscy. Możesz to zmienić w każdej chwili.',
    usernameHint: 'Logujesz się nią. Nikt inny jej nie widzi.',
    nameNotKept: 'Konto jest gotowe. Nie udało się zapisać nazwy: wybierz ją ponownie w ustawieniach.',
  },
  home: {
    title: (name) => `Witaj, ${name}`,
    text: 'Rozmowy toczą się na serwerach i między znajomymi. Od czego chcesz zacząć?',
    make: 'Utwórz serwer',
    makeText: 'Własne miejsce dla wybranych przez ciebie osób.',
    join: 'Dołącz z zaproszeniem',
    joinText: 'Ktoś wysłał ci link? Wklej go tutaj.',
    link: 'Link lub kod zaproszenia',
    open: 'Otwórz zaproszenie',
    find: 'Znajdź znajomego',
    findText: 'Zapytaj o nazwę użytkownika albo szukaj po nazwie wyświetlanej.',
  },
  setup: {
    steps: {
      name: 'Nazwa',
      picture: 'Obraz',
      channels: 'Kanały',
      invite: 'Zaproszenie',
    },
    progress: 'Kroki',
    whom: 'Dla kogo jest?',
    next: 'Dalej',
    skip: 'Na razie pomiń',
    pictureTitle: 'Nadaj mu twarz',
    pictureText: 'Obraz znajduje się szybciej niż nazwę. PNG, JPEG, WebP, GIF lub AVIF.',
    channelsTitle: 'O czym będziecie rozmawiać?',
    channelsText: 'Kanały rozdzielają tematy. Wybierz kilka na początek; możesz je zmienić w każdej chwili.',
    general: 'Już jest, do wszystkiego',
    another: 'Kolejny kanał',
    add: 'Dodaj',
    make: (n) =>
      n === 0 ? 'Dalej' : count(n, 'Utwórz # kanał', 'Utwórz # kanały', 'Utwórz # kanałów', 'Utwórz # kanału'),
    inviteTitle: 'Zaproś pierwsze osoby',
    inviteText: 'Kto otworzy ten link, może dołączyć. Jest ważny tydzień.',
    share: 'Udostępnij…',
    open: (name) => `Otwórz ${name}`,
  },
  invite: {
    from: 'zaprasza cię do',
    without: 'Zaproszono cię do',
    online: (n) => `online: ${digits(n)}`,
    until: (time) => `To zaproszenie jest ważne do ${time}.`,
    isMember: 'Już tu należysz.',
    over: 'To zaproszenie się skończyło',
    overText: 'Wygasło, zostało wyczerpane lub cofnięte. Poproś o nowe osobę, która je wysłała.',
    unknown: 'Nie ma takiego zaproszenia',
    unknownText: 'Może brakuje litery: otwórz jeszcze raz cały link, tak jak go wysłano.',
    banned: 'Nie możesz dołączyć do tego serwera',
    bannedText: 'Ktoś, kto go prowadzi, dał ci bana.',
  },
} satisfies typeof firstWords
