// Printed from locales/de/words.json. After a change there: bun run words
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
    title: 'Einstellungen',
  },
  conversations: 'Unterhaltungen',
  search: {
    open: 'Nachrichten suchen',
  },
  sizes: ['B', 'KB', 'MB', 'GB'],
  loading: 'Wird geladen …',
  unreachable: 'Der Server ist nicht erreichbar. Neuer Versuch …',
  reconnecting: 'Verbindung verloren. Verbindung wird wiederhergestellt …',
  ended: 'Dieses Fenster ist nicht mehr verbunden. Lade die Seite neu, um fortzufahren.',
  menuUnread: 'Kanäle und Server, etwas ist ungelesen',
  skip: 'Zu den Nachrichten springen',
  menu: 'Kanäle und Server',
  tools: 'Mehr zu diesem Ort',
  close: 'Schließen',
  cancel: 'Abbrechen',
  save: 'Speichern',
  saved: 'Gespeichert',
  copy: 'Kopieren',
  copied: 'Kopiert',
  notLoaded: 'Dieser Teil der Seite konnte nicht geladen werden. Versuche es noch einmal oder lade die Seite neu.',
  notCopied: 'Dein Browser hat das Kopieren nicht erlaubt.',
  more: 'Mehr anzeigen',
  owner: 'Eigentümer',
  bot: 'Bot',
  guest: 'Gast',
  membersTitle: 'Mitglieder',
  members: (n) => count(n, '# Mitglied', '# Mitglieder'),
  andMore: (n) => `und ${digits(n)} weitere`,
  named: ({ n, isAny, name }) =>
    n === 0 ? (isAny ? `${name}, ungelesene Nachrichten` : name) : `${name}, ${badge(n)} ungelesen`,
  draft: 'Entwurf',
  withDraft: ', Entwurf',
  failed: (reason) => `Das hat nicht geklappt: ${reason}`,
  problems: {
    ...errors,
    invalid_credentials: 'Falscher Name oder falsches Passwort.',
    rate_limited: 'Zu viele Versuche.',
    invite_gone: 'Diese Einladung ist abgelaufen oder aufgebraucht. Bitte um eine neue.',
    not_found: 'Das gibt es nicht, oder du hast keinen Zugriff darauf.',
    banned: 'Du bist von diesem Server gebannt.',
    storage_full: 'Der Server hat keinen Platz mehr für neue Nachrichten und Dateien.',
    offline: 'Der Server ist nicht erreichbar.',
  },
  rules,
} satisfies typeof words
