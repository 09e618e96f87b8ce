// Printed from locales/fr/words.json. After a change there: bun run words
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
    title: 'Paramètres',
  },
  conversations: 'Conversations',
  search: {
    open: 'Rechercher des messages',
  },
  sizes: ['o', 'Ko', 'Mo', 'Go'],
  loading: 'Chargement…',
  unreachable: 'Le serveur est injoignable. Nouvel essai…',
  reconnecting: 'Connexion perdue. Reconnexion…',
  ended: 'Cette fenêtre n’est plus connectée. Recharge la page pour continuer.',
  menuUnread: 'Salons et serveurs, non lus',
  skip: 'Aller aux messages',
  menu: 'Salons et serveurs',
  tools: 'Plus sur ce lieu',
  close: 'Fermer',
  cancel: 'Annuler',
  save: 'Enregistrer',
  saved: 'Enregistré',
  copy: 'Copier',
  copied: 'Copié',
  notLoaded: 'Cette partie de la page n’a pas pu être chargée. Réessaie ou recharge la page.',
  notCopied: 'Ton navigateur n’a pas autorisé la copie.',
  more: 'Afficher plus',
  owner: 'propriétaire',
  bot: 'Bot',
  guest: 'Invité',
  membersTitle: 'Membres',
  members: (n) => count(n, '# membre', '# de membres', '# membres'),
  andMore: (n) => `et ${digits(n)} autres`,
  named: ({ n, isAny, name }) =>
    n === 0 ? (isAny ? `${name}, messages non lus` : name) : `${name}, ${badge(n)} non lus`,
  draft: 'Brouillon',
  withDraft: ', brouillon',
  failed: (reason) => `Cela n’a pas fonctionné : ${reason}`,
  problems: {
    ...errors,
    invalid_credentials: 'Nom ou mot de passe incorrect.',
    rate_limited: 'Trop de tentatives.',
    invite_gone: 'Cette invitation a expiré ou est épuisée. Demandes-en une nouvelle.',
    not_found: 'Cela n’existe pas, ou tu n’y as pas accès.',
    banned: 'Tu es banni de ce serveur.',
    storage_full: 'Le serveur n’a plus de place pour de nouveaux messages et fichiers.',
    offline: 'Le serveur est injoignable.',
  },
  rules,
} satisfies typeof words
