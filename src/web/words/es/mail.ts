// Printed from locales/es/mail.json. After a change there: bun run words
import type { mailWords } from '../mail.ts'

export default {
  forgot: {
    title: 'Restablece tu contraseña',
    text: 'Escribe el correo de tu cuenta. Recibirás un enlace para elegir una contraseña nueva.',
    send: 'Enviar enlace',
    sent: 'Si una cuenta tiene esta dirección, hay un enlace en camino. Es válido durante una hora.',
  },
  reset: {
    title: 'Elige una contraseña nueva',
    text: 'Se cerrará tu sesión en todas partes. Después, inicia sesión con la contraseña nueva.',
    save: 'Establecer contraseña',
    done: 'Tu contraseña se ha cambiado y se ha cerrado tu sesión en todas partes.',
  },
  verify: {
    title: 'Confirma tu correo',
    text: 'Si no has creado una cuenta aquí, cierra esta página. La primera confirmación quita todos los segundos factores, llaves de acceso, identidades vinculadas y bots añadidos antes de ella.',
    confirm: 'Confirmar esta dirección',
    done: 'La dirección está confirmada.',
    taken: 'Otra cuenta ya usa esta dirección.',
    go: 'Continuar',
  },
  confirmFirst: {
    title: 'Confirma tu correo',
    text: (email) => `Hay un enlace en camino a ${email}. Ábrelo para continuar.`,
    done: 'Ya lo he confirmado',
    notYet: 'La dirección aún no está confirmada.',
  },
  own: {
    title: 'Correo',
    current: 'Tu dirección',
    confirmed: 'confirmada',
    unconfirmed: 'sin confirmar',
    resend: 'Reenviar confirmación',
    resent: 'Hay un enlace en camino a tu dirección.',
    next: 'Correo nuevo',
    hint: 'Recibirás un enlace en la dirección nueva. Esta sustituirá a la anterior cuando abras el enlace.',
    change: 'Cambiar dirección',
    changing: 'Hay un enlace en camino a la dirección nueva.',
  },
  linkGone: 'Este enlace ha caducado o ya se usó. Pide otro.',
  backToLogin: 'Volver al inicio de sesión',
} satisfies typeof mailWords
