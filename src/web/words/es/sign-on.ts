// Printed from locales/es/sign-on.json. After a change there: bun run words
import type { signOnWords } from '../sign-on.ts'

export default {
  login: (name) => `Iniciar sesión con ${name}`,
  problems: {
    login_expired: 'Ha tardado demasiado, o se inició en otra ventana. Inténtalo de nuevo.',
    oidc_failed:
      'El inicio de sesión ha fallado en el otro servicio. Inténtalo de nuevo, o pregunta al operador de este servidor.',
    email_taken: 'Una cuenta de aquí ya usa tu correo. Inicia sesión en ella y vincúlala en los ajustes de seguridad.',
    forbidden: 'Aquí no tienes ninguna cuenta, y así no se pueden crear cuentas nuevas.',
    identity_taken: 'Otra cuenta ya está vinculada con este inicio de sesión.',
    identity_linked: 'Tu cuenta ya está vinculada.',
    token_revoked: 'Tu sesión ha terminado. Inicia sesión de nuevo.',
    unavailable: 'El servidor de inicio de sesión no responde. Inténtalo dentro de un momento.',
    last_way_in: 'Esta es tu única forma de iniciar sesión. Antes pon una contraseña o añade una llave de acceso.',
  },
  linked: 'Tu cuenta está vinculada',
  proven: 'Gracias. Continúa con lo que estabas haciendo. No se te volverá a preguntar en diez minutos.',
  title: 'Inicio de sesión único',
  text: (name) => `Inicia sesión aquí con ${name}, sin contraseña.`,
  link: (name) => `Vincular con ${name}`,
  since: (time) => `vinculado ${time}`,
  used: (time) => `último uso ${time}`,
  unlink: 'Desvincular',
  unlinkOf: (name) => `Desvincular ${name}`,
  unlinkText: (name) => `${name} ya no te dejará entrar aquí.`,
} satisfies typeof signOnWords
