import type { signOnWords } from '../sign-on.ts'

export default {
  login: (name) => `Se connecter avec ${name}`,
  problems: {
    login_expired: 'Cela a pris trop de temps, ou a commencé dans une autre fenêtre. Réessaie.',
    oidc_failed: 'La connexion n’a pas fonctionné là-bas. Réessaie, ou demande à qui gère ce serveur.',
    email_taken:
      'Un compte ici a déjà ton adresse e-mail. Connecte-toi à lui et lie-le dans les paramètres de sécurité.',
    forbidden: 'Aucun compte ici ne t’appartient, et on n’en crée pas de cette façon.',
    identity_taken: 'Un autre compte est déjà lié à cette connexion.',
    identity_linked: 'Ton compte est déjà lié.',
    token_revoked: 'Ta session a pris fin entre-temps. Connecte-toi de nouveau.',
    unavailable: 'Le serveur de connexion ne répond pas. Réessaie dans un instant.',
    last_way_in: 'Rien d’autre ne te connecterait. Définis d’abord un mot de passe ou ajoute une clé d’accès.',
  },
  linked: 'Ton compte est lié',
  proven: 'Merci. Continue ce que tu voulais faire : on ne te le redemandera pas pendant dix minutes.',
  title: 'Authentification unique',
  text: (name) => `Avec ${name}, tu te connectes ici sans mot de passe.`,
  link: (name) => `Lier à ${name}`,
  since: (time) => `lié ${time}`,
  used: (time) => `dernière utilisation ${time}`,
  unlink: 'Délier',
  unlinkOf: (name) => `Délier ${name}`,
  unlinkText: (name) => `${name} ne te connectera plus ici.`,
} satisfies typeof signOnWords
