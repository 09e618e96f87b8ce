// Printed from locales/pl/words.json. After a change there: bun run words
import type { words } from '../words.ts'
import { badge, digits } from '../plural.ts'
import emoji from './emoji.ts'
import messages from './messages.ts'
import notifications from './notifications.ts'
import people from './people.ts'
import servers from './servers.ts'
import shortcuts from './shortcuts.ts'
import threads from './threads.ts'
import voice from './voice.ts'
import errors from './errors.ts'
import rules from './rules.ts'
import { count } from './plural.ts'

export default {
  ...emoji,
  ...messages,
  ...notifications,
  ...people,
  ...servers,
  ...shortcuts,
  ...threads,
  ...voice,
  settings: {
    title: 'Ustawienia',
  },
  conversations: 'Rozmowy',
  search: {
    open: 'Szukaj wiadomości',
  },
  sizes: ['B', 'KB', 'MB', 'GB'],
  loading: 'Wczytywanie…',
  unreachable: 'Serwer jest nieosiągalny. Próbujemy ponownie…',
  reconnecting: 'Utracono połączenie. Łączymy ponownie…',
  ended: 'To okno nie jest już połączone. Wczytaj stronę ponownie, aby kontynuować.',
  menuUnread: 'Kanały i serwery, jest coś nieprzeczytanego',
  skip: 'Przejdź do wiadomości',
  menu: 'Kanały i serwery',
  tools: 'Więcej o tym miejscu',
  close: 'Zamknij',
  cancel: 'Anuluj',
  save: 'Zapisz',
  saved: 'Zapisano',
  copy: 'Kopiuj',
  copied: 'Skopiowano',
  notLoaded: 'Nie udało się wczytać tej części strony. Spróbuj ponownie lub wczytaj stronę od nowa.',
  notCopied: 'Przeglądarka nie pozwoliła na kopiowanie.',
  more: 'Pokaż więcej',
  owner: 'właściciel',
  bot: 'Bot',
  guest: 'Gość',
  membersTitle: 'Członkowie',
  members: (n) => count(n, '# członek', '# członkowie', '# członków', '# członka'),
  andMore: (n) => `i jeszcze ${digits(n)}`,
  named: ({ n, isAny, name }) =>
    n === 0 ? (isAny ? `${name}, są nieprzeczytane wiadomości` : name) : `${name}, nieprzeczytane: ${badge(n)}`,
  draft: 'Szkic',
  withDraft: ', szkic',
  failed: (reason) => `Nie udało się: ${reason}`,
  problems: {
    ...errors,
    invalid_credentials: 'Zła nazwa lub hasło.',
    rate_limited: 'Za dużo prób.',
    invite_gone: 'To zaproszenie wygasło lub zostało wykorzystane. Poproś o nowe.',
    not_found: 'To nie istnieje albo nie masz dostępu.',
    banned: 'Masz bana na tym serwerze.',
    storage_full: 'Na serwerze nie ma już miejsca na nowe wiadomości i pliki.',
    offline: 'Serwer jest nieosiągalny.',
  },
  rules,
} satisfies typeof words
