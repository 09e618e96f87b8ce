// Printed from locales/fr/webhooks.json. After a change there: bun run words
import type { webhookWords } from '../webhooks.ts'

export default {
  tab: 'Intégrations',
  title: 'Webhooks',
  hint: 'Un webhook est une URL qui permet à un autre programme d’écrire dans un salon : Grafana, GitHub ou ton propre script.',
  name: 'Nom du webhook',
  channel: 'Salon',
  make: 'Nouveau webhook',
  none: 'Pas encore de webhooks',
  noneText: 'Crées-en un et colle son URL dans l’autre programme.',
  madeBy: (name) => `de ${name}`,
  url: 'URL du webhook',
  shownOnce:
    'Cette URL n’est affichée qu’une fois. Toute personne qui l’a peut écrire dans le salon : garde-la comme un mot de passe.',
  suffixes: 'Pour le format de Slack, ajoute-y /slack ; pour celui de GitHub, /github.',
  edit: (name) => `Modifier ${name}`,
  close: 'Fermer',
  rotate: 'Réinitialiser l’URL',
  rotateText:
    'L’ancienne URL cesse immédiatement de fonctionner. Les programmes qui l’utilisent ont besoin de la nouvelle.',
  delete: (name) => `Supprimer ${name}`,
  deleteText: 'Les programmes qui utilisent son URL ne peuvent plus écrire. Ses messages restent.',
  mentions: 'Peut mentionner tout le monde et tous les rôles',
  problems: {
    too_many_webhooks: 'Ce salon a déjà 15 webhooks.',
  },
} satisfies typeof webhookWords
