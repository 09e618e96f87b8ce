import type { deviceWords } from '../device.ts'
import { count } from './plural.ts'

export default {
  share: {
    title: 'Udostępnij',
    text: 'Wiadomość',
    send: 'Udostępnij',
    leftOut: (n) =>
      count(
        n,
        '# plik więcej to za dużo na jedno udostępnienie.',
        '# pliki więcej to za dużo na jedno udostępnienie.',
        '# plików więcej to za dużo na jedno udostępnienie.',
        '# pliku więcej to za dużo na jedno udostępnienie.',
      ),
  },
  notices: {
    tab: 'Powiadomienia',
    here: 'Na tym urządzeniu',
    push: 'Powiadomienia, gdy Parley jest zamknięty',
    pushText:
      'Przychodzą przez usługę push producenta tej przeglądarki, zaszyfrowane tak, że odczyta je tylko ' +
      'to urządzenie.',
    none:
      'Ta przeglądarka nie ma tu powiadomień push. Wymagają HTTPS, a na iPhonie lub iPadzie Parley na ' +
      'ekranie początkowym.',
    denied: 'Przeglądarka blokuje powiadomienia tej strony. Zezwól na nie w jej ustawieniach dla tej witryny.',
    off: 'Ten serwer nie wysyła powiadomień push.',
    needHttps: 'Powiadomienia na pulpicie wymagają HTTPS.',
    desktop: 'Powiadomienia na pulpicie, gdy Parley jest otwarty',
    sound: 'Dźwięk dla wiadomości, których nie widzisz',
    everywhere: 'Na wszystkich twoich urządzeniach',
    hide: 'Ukryj nazwy i tekst',
    hideText: 'Powiadomienia mówią wtedy tylko, że jest coś nowego.',
    quiet: 'Nie przeszkadzać',
    quietText: (zone) => `Codziennie między tymi godzinami (${zone}). Połączenia nie dzwonią wtedy przez push.`,
    from: 'Od',
    until: 'Do',
  },
} satisfies typeof deviceWords
