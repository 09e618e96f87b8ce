// Printed from locales/pl/first-steps.json. After a change there: bun run words
import type { firstWords } from '../first-steps.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  templates: {
    friends: {
      title: 'Znajomi i rodzina',
      text: 'Planujcie, dzielcie się zdjęciami i rozmawiajcie w małym gronie.',
      example: 'Dom nad jeziorem',
      channels: [
        {
          name: 'plany',
          topic: 'Nasze kolejne plany i terminy',
        },
        {
          name: 'zdjęcia',
          topic: 'Udostępniaj te udane',
        },
        {
          name: 'Salon',
        },
      ],
    },
    community: {
      title: 'Klub lub społeczność',
      text: 'Aktualności dla wszystkich, miejsce na powitanie i kanały na wiele tematów.',
      example: 'Miłośnicy ptaków',
      channels: [
        {
          name: 'aktualności',
          topic: 'Co każdy powinien wiedzieć',
        },
        {
          name: 'przedstaw-się',
          topic: 'Pierwszy raz tutaj? Przywitaj się',
        },
        {
          name: 'pytania',
          topic: 'Pytaj o cokolwiek',
        },
        {
          name: 'Miejsce spotkań',
        },
      ],
    },
    team: {
      title: 'Zespół lub firma',
      text: 'Omawiajcie zadania w wątkach, zapisujcie decyzje i spotykajcie się głosowo.',
      example: 'Naprawa jazu',
      channels: [
        {
          name: 'zadania',
          topic: 'Kto co robi i na kiedy',
        },
        {
          name: 'decyzje',
          topic: 'Co postanowiliśmy i dlaczego',
        },
        {
          name: 'kawa',
          topic: 'Wszystko poza pracą',
        },
        {
          name: 'Odprawa',
        },
      ],
    },
    gaming: {
      title: 'Gry',
      text: 'Znajdźcie graczy, rozmawiajcie podczas gry i dzielcie się najlepszymi chwilami.',
      example: 'Nocni łowcy',
      channels: [
        {
          name: 'aktualności',
          topic: 'Nowości i wydarzenia',
        },
        {
          name: 'szukam-graczy',
          topic: 'Kto w co gra i kiedy',
        },
        {
          name: 'klipy',
          topic: 'Twoje najlepsze chwile',
        },
        {
          name: 'Poczekalnia',
        },
        {
          name: 'Gra',
        },
      ],
    },
    study: {
      title: 'Grupa do nauki',
      text: 'Proście o pomoc, dzielcie się notatkami i uczcie się razem.',
      example: 'Algebra II',
      channels: [
        {
          name: 'aktualności',
          topic: 'Terminy i ogłoszenia',
        },
        {
          name: 'zadania-domowe',
          topic: 'Poproś o pomoc, pomóż innym',
        },
        {
          name: 'notatki',
          topic: 'Streszczenia i linki',
        },
        {
          name: 'Czytelnia',
        },
      ],
    },
    project: {
      title: 'Projekt open source',
      text: 'Ogłaszajcie wydania, pomagajcie użytkownikom i rozmawiajcie o kodzie.',
      example: 'Czapla',
      channels: [
        {
          name: 'aktualności',
          topic: 'Wydania i ogłoszenia',
        },
        {
          name: 'pomoc',
          topic: 'Pytania użytkowników',
        },
        {
          name: 'rozwój',
          topic: 'Kod, recenzje i plany',
        },
        {
          name: 'pokaz',
          topic: 'Co z tego powstało',
        },
        {
          name: 'Spotkanie',
        },
      ],
    },
  },
  register: {
    title: 'Utwórz konto',
    closed: 'Rejestracja na tym serwerze jest zamknięta.',
    invited: (server) => `Następnie dołączysz do ${server}.`,
    name: 'Jak mają cię nazywać?',
    nameHint: 'Widzą to wszyscy. Możesz to zmienić w każdej chwili.',
    usernameHint: 'Służy do logowania. Nikt inny jej nie widzi.',
    nameNotKept: 'Konto jest gotowe, ale nie udało się zapisać nazwy. Ustaw ją ponownie w ustawieniach.',
  },
  home: {
    title: (name) => `Witaj, ${name}`,
    text: 'Rozmawiaj na serwerach lub ze znajomymi. Od czego chcesz zacząć?',
    make: 'Utwórz serwer',
    makeText: 'Twoje własne miejsce dla wybranych osób.',
    join: 'Dołącz z zaproszeniem',
    joinText: 'Ktoś wysłał ci link? Wklej go tutaj.',
    link: 'Link lub kod zaproszenia',
    open: 'Otwórz zaproszenie',
    find: 'Znajdź znajomego',
    findText: 'Szukaj po nazwie użytkownika lub nazwie wyświetlanej.',
  },
  setup: {
    steps: {
      name: 'Nazwa',
      picture: 'Obraz',
      channels: 'Kanały',
      rules: 'Zasady',
      invite: 'Zaproszenie',
    },
    moderators: 'Moderatorzy',
    power: 'Role, które mogą zarządzać',
    file: 'Z pliku',
    fileText: 'Szablon zapisany w ustawieniach innego serwera.',
    fileWrong: 'Ten plik nie jest szablonem.',
    rulesTitle: 'Ustal zasady',
    rulesText: 'Nowi członkowie akceptują je, zanim zaczną pisać.',
    rulesExample: '1. Bądź miły.\n2. Bez spamu.',
    progress: 'Kroki',
    whom: 'Dla kogo jest?',
    next: 'Dalej',
    skip: 'Na razie pomiń',
    pictureTitle: 'Dodaj obraz',
    pictureText: 'Obraz łatwiej zauważyć niż nazwę. PNG, JPEG, WebP, GIF lub AVIF.',
    channelsTitle: 'O czym będziecie rozmawiać?',
    channelsText: 'Kanały rozdzielają tematy. Wybierz kilka na początek; możesz je zmienić w każdej chwili.',
    general: 'Już jest, do wszystkiego',
    readOnly: (topic) => `${topic}. Wszyscy mogą czytać, pisać mogą tylko moderatorzy`,
    another: 'Kolejny kanał',
    add: 'Dodaj',
    make: (n) =>
      n === 0 ? 'Dalej' : count(n, 'Utwórz # kanał', 'Utwórz # kanały', 'Utwórz # kanałów', 'Utwórz # kanału'),
    inviteTitle: 'Zaproś pierwszych członków',
    inviteText: 'Każdy, kto ma ten link, może dołączyć. Link jest ważny przez tydzień.',
    share: 'Udostępnij…',
    open: (name) => `Otwórz ${name}`,
  },
  invite: {
    from: 'zaprasza cię do',
    without: 'Zaproszono cię do',
    online: (n) => `online: ${digits(n)}`,
    until: (time) => `To zaproszenie jest ważne do ${time}.`,
    call: 'Będziesz członkiem do pięciu minut po ostatniej rozmowie tutaj.',
    day: 'Będziesz członkiem przez jeden dzień.',
    isMember: 'Już należysz do tego serwera.',
    over: 'To zaproszenie jest już nieważne',
    overText: 'Wygasło, zostało wykorzystane lub unieważnione. Poproś o nowe osobę, która je wysłała.',
    unknown: 'Nie znaleziono zaproszenia',
    unknownText: 'Link może być niepełny. Otwórz go ponownie w całości, tak jak został wysłany.',
    banned: 'Nie możesz dołączyć do tego serwera',
    bannedText: 'Moderator cię zbanował.',
    join: 'Dołącz do serwera',
    notNow: 'Nie teraz',
    back: 'Wróć do rozmów',
  },
} satisfies typeof firstWords
