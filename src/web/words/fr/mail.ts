// Printed from locales/fr/mail.json. After a change there: bun run words
import type { mailWords } from '../mail.ts'

export default {
  forgot: {
    title: 'Réinitialiser ton mot de passe',
    text: 'Saisis l’adresse e-mail de ton compte. Tu recevras un lien pour choisir un nouveau mot de passe.',
    send: 'Envoyer le lien',
    sent: 'Si un compte a cette adresse, un lien est en route. Il est valable une heure.',
  },
  reset: {
    title: 'Choisir un nouveau mot de passe',
    text: 'Tu seras déconnecté partout. Connecte-toi ensuite avec le nouveau mot de passe.',
    save: 'Définir le mot de passe',
    done: 'Ton mot de passe a été changé, et tu as été déconnecté partout.',
  },
  verify: {
    title: 'Confirme ton adresse e-mail',
    text: 'Si tu n’as pas créé de compte ici, ferme cette page. La première confirmation retire tous les seconds facteurs, clés d’accès, identités liées et bots ajoutés auparavant.',
    confirm: 'Confirmer cette adresse',
    done: 'L’adresse est confirmée.',
    taken: 'Un autre compte utilise déjà cette adresse.',
    go: 'Continuer',
  },
  confirmFirst: {
    title: 'Confirme ton adresse e-mail',
    text: (email) => `Un lien est en route vers ${email}. Ouvre-le pour continuer.`,
    done: 'Je l’ai confirmée',
    notYet: 'L’adresse n’est pas encore confirmée.',
  },
  own: {
    title: 'E-mail',
    current: 'Ton adresse',
    confirmed: 'confirmée',
    unconfirmed: 'non confirmée',
    resend: 'Renvoyer la confirmation',
    resent: 'Un lien est en route vers ton adresse.',
    next: 'Nouvelle adresse e-mail',
    hint: 'Tu recevras un lien à la nouvelle adresse. Elle remplace l’ancienne quand tu l’ouvres.',
    change: 'Changer d’adresse',
    changing: 'Un lien est en route vers la nouvelle adresse.',
  },
  linkGone: 'Ce lien a expiré ou a déjà servi. Demandes-en un nouveau.',
  backToLogin: 'Retour à la connexion',
} satisfies typeof mailWords
