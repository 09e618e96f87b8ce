import type { signOnWords } from '../sign-on.ts'

export default {
  login: (name) => `Iniciar sesión con ${name}`,
  problems: {
    login_expired: 'Ha tardado demasiado, o empezó en otra ventana. Inténtalo de nuevo.',
    oidc_failed: 'El inicio de sesión no funcionó allí. Inténtalo de nuevo, o pregunta a quien lleva este servidor.',
    email_taken:
      'Una cuenta de aquí ya tiene tu correo. Inicia sesión en ella y vincúlala en los ajustes de seguridad.',
    forbidden: 'Ninguna cuenta de aquí te pertenece, y así no se crean nuevas.',
    identity_taken: 'Otra cuenta ya está vinculada con este inicio de sesión.',
    identity_linked: 'Tu cuenta ya está vinculada.',
    token_revoked: 'Tu sesión ha terminado entretanto. Inicia sesión de nuevo.',
    unavailable: 'El servidor de inicio de sesión no responde. Inténtalo dentro de un momento.',
    last_way_in: 'Nada más te dejaría entrar. Antes pon una contraseña o añade una llave de acceso.',
  },
  linked: 'Tu cuenta está vinculada',
  proven: 'Gracias. Sigue con lo que querías hacer: no se te volverá a preguntar en diez minutos.',
  title: 'Inicio de sesión único',
  text: (name) => `Con ${name} entras aquí sin contraseña.`,
  link: (name) => `Vincular con ${name}`,
  since: (time) => `vinculado ${time}`,
  used: (time) => `último uso ${time}`,
  unlink: 'Desvincular',
  unlinkOf: (name) => `Desvincular ${name}`,
  unlinkText: (name) => `${name} ya no te dejará entrar aquí.`,
} satisfies typeof signOnWords
