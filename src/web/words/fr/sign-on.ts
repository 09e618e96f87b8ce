// Printed from locales/fr/sign-on.json. After a change there: bun run words
import type { signOnWords } from '../sign-on.ts'

export default {
  login: (name) => `Se connecter avec ${name}`,
  problems: {
    login_expired: 'Cela a pris trop de temps, ou a été lancé dans une autre fenêtre. Réessaie.',
    oidc_failed: 'La connexion a échoué auprès de l’autre service. Réessaie, ou demande à l’opérateur de ce serveur.',
    email_taken:
      'Un compte ici utilise déjà ton adresse e-mail. Connecte-toi à lui et lie-le dans les paramètres de sécurité.',
    forbidden: 'Tu n’as pas de compte ici, et on ne peut pas créer de compte de cette façon.',
    identity_taken: 'Un autre compte est déjà lié à cette connexion.',
    identity_linked: 'Ton compte est déjà lié.',
    token_revoked: 'Ta session a pris fin. Connecte-toi de nouveau.',
    unavailable: 'Le serveur de connexion ne répond pas. Réessaie dans un instant.',
    last_way_in: 'C’est ton seul moyen de te connecter. Définis d’abord un mot de passe ou ajoute une clé d’accès.',
  },
  linked: 'Ton compte est lié',
  proven: 'Merci. Reprends ce que tu faisais. On ne te le redemandera pas pendant dix minutes.',
  title: 'Authentification unique',
  text: (name) => `Connecte-toi ici avec ${name}, sans mot de passe.`,
  link: (name) => `Lier à ${name}`,
  since: (time) => `lié ${time}`,
  used: (time) => `dernière utilisation ${time}`,
  unlink: 'Délier',
  unlinkOf: (name) => `Délier ${name}`,
  unlinkText: (name) => `${name} ne permettra plus de te connecter ici.`,
} satisfies typeof signOnWords
