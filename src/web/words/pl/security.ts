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
    invalid_credentials: 'To nie jest twoje hasło.',
  },
  recoveryHint: 'Jeden z dziesięciu zapisanych kodów. Każdy działa raz.',
  second: {
    title: 'Jeszcze jeden krok',
    text: 'Pokaż, że to ty.',
    login: 'Zaloguj się',
    back: 'Wstecz',
  },
  proof: {
    title: 'Czy to ty?',
    text: 'To zmienia, kto może wejść na twoje konto. Przez dziesięć minut nie zapytamy ponownie.',
    go: 'Dalej',
    none: 'Nie ma tu nic, czym można to pokazać. Poproś osobę prowadzącą ten serwer o link do hasła.',
  },
  notThere: 'Przeglądarka nie użyła klucza dostępu: anulowano to albo nie ma żadnego dla tej witryny.',
  app: {
    title: 'Aplikacja uwierzytelniająca',
    off: 'Oprócz hasła logowanie wymaga wtedy kodu z aplikacji w telefonie.',
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
    turnOffText: 'Do logowania wystarczy samo hasło. Kody odzyskiwania przestaną działać.',
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
    text:
      'Zapisz je teraz: pokazujemy je tylko raz. Każdy zaloguje cię raz, gdy nie masz aplikacji pod ' +
      'ręką. Wcześniejsze już nie działają.',
    file: 'parley-kody-odzyskiwania.txt',
    heading: (name, host) => `Kody odzyskiwania ${name} na ${host}`,
    download: 'Pobierz',
    saved: 'Zapisane',
  },
  passkeys: {
    title: 'Klucze dostępu',
    text: 'Klucz dostępu loguje cię odciskiem palca, twarzą, PIN lub kluczem bezpieczeństwa, bez hasła.',
    add: 'Dodaj klucz dostępu',
    added: (time) => `dodano ${time}`,
    used: (time) => `ostatnie użycie ${time}`,
    name: 'Nazwa',
    nameHint: 'Abyś go rozpoznał, na przykład „Telefon”.',
    rename: 'Zmień nazwę',
    renameOf: (name) => `Zmień nazwę ${name}`,
    remove: 'Usuń',
    removeOf: (name) => `Usuń ${name}`,
    removeText: (name) => `${name} nie zaloguje cię tu więcej.`,
  },
} satisfies typeof securityWords
