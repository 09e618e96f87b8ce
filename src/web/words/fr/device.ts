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
        '# fichier de plus est de trop pour un seul partage.',
        '# de fichiers de plus sont de trop pour un seul partage.',
        '# fichiers de plus sont de trop pour un seul partage.',
      ),
  },
  notices: {
    tab: 'Notifications',
    here: 'Sur cet appareil',
    push: 'Notifications quand Parley est fermé',
    pushText:
      'Elles passent par le service push de l’éditeur de ce navigateur, chiffrées pour que seul cet ' +
      'appareil puisse les lire.',
    none:
      'Ce navigateur n’a pas de notifications push ici. Il faut HTTPS et, sur iPhone ou iPad, Parley sur ' +
      'l’écran d’accueil.',
    denied: 'Le navigateur bloque les notifications de cette page. Autorise-les dans ses réglages pour ce site.',
    off: 'Ce serveur n’envoie pas de notifications push.',
    needHttps: 'Les notifications du bureau exigent HTTPS.',
    desktop: 'Notifications du bureau quand Parley est ouvert',
    sound: 'Un son pour les messages que tu ne vois pas',
    everywhere: 'Sur tous tes appareils',
    hide: 'Masquer les noms et le texte',
    hideText: 'Les notifications disent alors seulement qu’il y a du nouveau.',
    quiet: 'Ne pas déranger',
    quietText: (zone) => `Chaque jour entre ces heures (${zone}). Les appels ne sonnent alors pas par push.`,
    from: 'De',
    until: 'À',
  },
} satisfies typeof deviceWords
