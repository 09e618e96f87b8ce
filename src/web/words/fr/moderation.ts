import type { moderationWords } from '../moderation.ts'

export default {
  reportMessage: 'Signaler le message',
  reportProfile: 'Signaler le profil',
  reason: 'Motif',
  note: 'Que faut-il savoir ? (facultatif)',
  readers: 'Qui doit le lire ?',
  toModerators: (server) => `Les modérateurs de ${server}`,
  toOperator: 'Uniquement l’opérateur de cette installation',
  readByModerators: (server) =>
    `Lu par les modérateurs de ${server} placés au-dessus de ce membre et pouvant lire ce ` +
    'salon. Ils voient qui a signalé.',
  readByOperator:
    'Lu uniquement par l’opérateur de cette installation, pas par les modérateurs. Il voit qui a signalé.',
  kept: 'Le texte, les cinq messages précédents et les fichiers sont transmis tels qu’ils sont maintenant.',
  keptProfile: 'Les noms et l’image sont transmis tels qu’ils sont maintenant.',
  send: 'Envoyer le signalement',
  sent: 'Votre signalement a été envoyé. Merci.',
  reasons: {
    spam: 'Spam ou publicité',
    harassment: 'Harcèlement',
    hate: 'Haine envers un groupe',
    violence: 'Violence ou menaces',
    sexual: 'Contenu sexuel non désiré',
    minor_safety: 'Danger pour un mineur',
    self_harm: 'Automutilation ou suicide',
    illegal: 'Quelque chose d’illégal',
    impersonation: 'Usurpation d’identité',
    other: 'Autre chose',
  },
} satisfies typeof moderationWords
