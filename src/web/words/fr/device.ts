// Printed from locales/fr/device.json. After a change there: bun run words
import type { deviceWords } from '../device.ts'
import { count } from './plural.ts'

export default {
  share: {
    title: 'Partager',
    text: 'Message',
    send: 'Partager',
    leftOut: (n) =>
      count(
        n,
        '# fichier laissé de côté : trop pour un seul partage.',
        '# de fichiers laissés de côté : trop pour un seul partage.',
        '# fichiers laissés de côté : trop pour un seul partage.',
      ),
  },
  notices: {
    tab: 'Notifications',
    here: 'Sur cet appareil',
    push: 'Notifications quand Parley est fermé',
    pushText:
      'Elles passent par le service push de ton navigateur, chiffrées pour que seul cet appareil puisse les lire.',
    none: 'Ce navigateur ne peut pas recevoir de notifications push ici. Elles nécessitent HTTPS. Sur iPhone ou iPad, ajoute d’abord Parley à l’écran d’accueil.',
    denied:
      'Ton navigateur bloque les notifications de ce site. Autorise-les dans les paramètres de site du navigateur.',
    off: 'Ce serveur n’envoie pas de notifications push.',
    needHttps: 'Les notifications sur le bureau nécessitent HTTPS.',
    desktop: 'Notifications sur le bureau quand Parley est ouvert',
    sound: 'Jouer un son pour les messages qui ne sont pas à l’écran',
    everywhere: 'Sur tous tes appareils',
    hide: 'Masquer les noms et le texte',
    hideText: 'Les notifications disent seulement qu’il y a du nouveau.',
    quiet: 'Ne pas déranger',
    quietText: (zone) =>
      `Chaque jour entre ces heures (${zone}). Les notifications push des appels sont aussi suspendues.`,
    from: 'De',
    until: 'À',
  },
} satisfies typeof deviceWords
