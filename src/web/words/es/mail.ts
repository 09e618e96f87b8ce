import type { mailWords } from '../mail.ts'

export default {
  forgot: {
    title: 'Contraseña olvidada',
    text: 'Escribe el correo de tu cuenta. Recibirá un enlace para elegir otra contraseña.',
    send: 'Enviar el enlace',
    sent: 'Si una cuenta tiene esta dirección, hay un enlace en camino. Vale una hora.',
  },
  reset: {
    title: 'Elige una contraseña nueva',
    text: 'Todas las sesiones de la cuenta terminarán. Después inicia sesión con la contraseña nueva.',
    save: 'Establecer contraseña',
    done: 'Tu contraseña ha cambiado y todas las sesiones han terminado.',
  },
  verify: {
    title: 'Confirma tu correo',
    text:
      'Si no has creado una cuenta aquí, cierra esta página. Con la primera confirmación se quitan los ' +
      'segundos factores, llaves de acceso, identidades vinculadas y bots añadidos antes.',
    confirm: 'Confirmar esta dirección',
    done: 'La dirección está confirmada.',
    taken: 'Otra cuenta tiene esta dirección.',
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
    resend: 'Enviar la confirmación otra vez',
    resent: 'Hay un enlace en camino a tu dirección.',
    next: 'Correo nuevo',
    hint: 'Recibe un enlace y sustituye al anterior cuando lo abras.',
    change: 'Cambiar dirección',
    changing: 'Hay un enlace en camino a la dirección nueva.',
  },
  linkGone: 'Este enlace ha caducado o ya se usó. Pide otro.',
  backToLogin: 'Volver al inicio de sesión',
} satisfies typeof mailWords
