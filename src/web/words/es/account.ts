// Printed from locales/es/account.json. After a change there: bun run words
import type { accountWords } from '../account.ts'

export default {
  signIn: {
    welcome: 'Hola de nuevo',
    ended:
      'Se cerró tu sesión desde otro dispositivo. Inicia sesión para continuar. Tus mensajes sin enviar siguen aquí.',
    name: 'Nombre de usuario o correo',
    username: 'Nombre de usuario',
    email: 'Correo',
    password: 'Contraseña',
    login: 'Iniciar sesión',
    passkey: 'Iniciar sesión con una llave de acceso',
    register: 'Crear cuenta',
    forgot: '¿Has olvidado tu contraseña?',
    noAccount: '¿Aún no tienes cuenta?',
    haveAccount: '¿Ya tienes una cuenta?',
    rulesTitle: 'Requisitos',
    rules: {
      length: 'al menos 12 caracteres',
      upper: 'una letra mayúscula',
      lower: 'una letra minúscula',
      digit: 'un número',
      special: 'uno de !@#$%^&*',
    },
  },
  newLogin: ({ device, ip }) =>
    `Nuevo inicio de sesión en tu cuenta: ${device}, desde ${ip}. Si no has sido tú, cierra esa sesión en los ajustes.`,
  securityChanged: {
    totp_on: 'Se ha configurado una aplicación de autenticación en tu cuenta.',
    totp_off: 'Se ha desactivado la aplicación de autenticación de tu cuenta.',
    recovery_codes: 'Se han creado códigos de recuperación nuevos para tu cuenta.',
    passkey_added: 'Se ha añadido una llave de acceso a tu cuenta.',
    passkey_removed: 'Se ha quitado una llave de acceso de tu cuenta.',
    identity_linked: 'Tu cuenta se ha vinculado con el inicio de sesión único.',
    identity_unlinked: 'Tu cuenta se ha desvinculado del inicio de sesión único.',
  },
  unknownDevice: 'un dispositivo desconocido',
} satisfies typeof accountWords
