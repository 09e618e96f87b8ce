// Printed from locales/pl/security.json. After a change there: bun run words
import type { securityWords } from '../security.ts'
import { count } from './plural.ts'

export default {
  methods: {
    password: 'Użyj hasła',
    code: 'Użyj aplikacji uwierzytelniającej',
    recovery_code: 'Użyj kodu odzyskiwania',
    passkey: 'Użyj klucza dostępu',
  },
  fields: {
    password: 'Hasło',
    code: 'Kod z aplikacji uwierzytelniającej',
    recovery_code: 'Kod odzyskiwania',
  },
  problems: {
    invalid_code: 'Ten kod jest błędny, wygasł lub był już użyty. Poczekaj na następny.',
    login_expired: 'Trwało to za długo albo było za dużo prób. Zaloguj się ponownie.',
    invalid_credentials: 'Nieprawidłowe hasło.',
  },
  recoveryHint: 'Jeden z dziesięciu zapisanych kodów. Każdy działa raz.',
  second: {
    title: 'Jeszcze jeden krok',
    text: 'Potwierdź, że to ty.',
    login: 'Zaloguj się',
    back: 'Wstecz',
  },
  proof: {
    title: 'Potwierdź, że to ty',
    text: 'To zmienia, kto może wejść na twoje konto. Przez dziesięć minut nie zapytamy ponownie.',
    go: 'Dalej',
    none: 'Nie masz tu jak potwierdzić swojej tożsamości. Poproś operatora tego serwera o link do resetu hasła.',
  },
  notThere: 'Nie użyto klucza dostępu: anulowano albo nie ma żadnego dla tej witryny.',
  app: {
    title: 'Aplikacja uwierzytelniająca',
    off: 'Logowanie będzie wymagać też kodu z aplikacji w telefonie.',
    since: (time) => `Włączona od ${time}. Logowanie wymaga kodu z aplikacji.`,
    left: (n) =>
      count(
        n,
        'Został # kod odzyskiwania',
        'Zostały # kody odzyskiwania',
        'Zostało # kodów odzyskiwania',
        'Zostało # kodu odzyskiwania',
      ),
    setUp: 'Skonfiguruj',
    turnOff: 'Wyłącz',
    turnOffText: 'Do logowania wystarczy ci hasło. Kody odzyskiwania przestaną działać.',
    isOff: 'Aplikacja uwierzytelniająca jest wyłączona',
    newCodes: 'Nowe kody odzyskiwania',
    scan: 'Zeskanuj to aplikacją uwierzytelniającą.',
    picture: 'Kod QR dla aplikacji uwierzytelniającej',
    type: 'Albo wpisz w niej ten klucz:',
    confirm: 'Potem wpisz kod, który pokaże',
    turnOn: 'Włącz',
  },
  codes: {
    title: 'Twoje kody odzyskiwania',
    text: 'Zapisz je teraz: pokazujemy je tylko raz. Każdy kod działa raz, gdy nie masz swojej aplikacji. Wcześniejsze kody już nie działają.',
    file: 'parley-kody-odzyskiwania.txt',
    heading: ({ name, host }) => `Kody odzyskiwania dla ${name} na ${host}`,
    download: 'Pobierz',
    saved: 'Zapisane',
  },
  passkeys: {
    title: 'Klucze dostępu',
    text: 'Loguj się odciskiem palca, twarzą, kodem PIN lub kluczem bezpieczeństwa, bez hasła.',
    add: 'Dodaj klucz dostępu',
    added: (time) => `dodano ${time}`,
    used: (time) => `ostatnie użycie ${time}`,
    name: 'Nazwa',
    nameHint: 'Aby potem go rozpoznać, na przykład „Telefon”.',
    rename: 'Zmień nazwę',
    renameOf: (name) => `Zmień nazwę ${name}`,
    remove: 'Usuń',
    removeOf: (name) => `Usuń ${name}`,
    removeText: (name) => `${name} nie zaloguje cię tu więcej.`,
  },
  files: {
    title: 'Pliki tej aplikacji',
    text: 'Ta przeglądarka może zachować pliki tej aplikacji i pytać cię, zanim pobierze z serwera inne. Porównaj ich skrót ze skrótem wydania.',
    pin: 'Odrzucaj zmienione pliki',
    kept: ({ version, date }) => `Wersja ${version}, zachowana od ${date}`,
    hash: 'Skrót twoich plików',
    limits:
      'To wykrywa pliki zmienione przez pomyłkę lub przez kogoś innego. Operator serwera może to obejść: przeglądarki bez pytania zastępują część, która sprawdza pliki.',
    noWorker: 'Ta przeglądarka nie może zachować plików tej strony.',
    question: 'Serwer ma inne pliki',
    questionText: ({ version, next }) =>
      `Używasz wersji ${version}. Serwer podaje, że jego pliki mają wersję ${next}. Przyjmij je tylko wtedy, gdy ich skrót jest skrótem wydania.`,
    next: 'Skrót nowych plików',
    take: 'Przyjmij nowe pliki',
    keep: 'Zachowaj moje pliki',
    problems: {
      mismatch: 'Plik z serwera nie jest tym, który podaje jego lista. Twoje pliki pozostają bez zmian.',
      incomplete: 'Nie udało się wczytać wszystkich plików. Twoje pliki pozostają bez zmian.',
    },
    refused: 'Serwer wysłał zmieniony plik tej aplikacji. Został odrzucony.',
    unlisted:
      'Serwer zmienił tę część aplikacji, która sprawdza jej pliki, ale jego lista się nie zmieniła. Porównaj pliki z wydaniem, zanim odświeżysz tę stronę.',
  },
} satisfies typeof securityWords
