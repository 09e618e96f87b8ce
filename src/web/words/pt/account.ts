// Printed from locales/pt/account.json. After a change there: bun run words
import type { accountWords } from '../account.ts'

export default {
  signIn: {
    welcome: 'Que bom ver você de novo',
    ended:
      'Sua sessão foi encerrada a partir de outro dispositivo. Entre para continuar. Suas mensagens não enviadas continuam aqui.',
    name: 'Nome de usuário ou e-mail',
    username: 'Nome de usuário',
    email: 'E-mail',
    password: 'Senha',
    login: 'Entrar',
    passkey: 'Entrar com uma chave de acesso',
    register: 'Criar conta',
    forgot: 'Esqueceu a senha?',
    noAccount: 'Ainda não tem conta?',
    haveAccount: 'Já tem uma conta?',
    rulesTitle: 'Requisitos',
    rules: {
      length: 'pelo menos 12 caracteres',
      upper: 'uma letra maiúscula',
      lower: 'uma letra minúscula',
      digit: 'um número',
      special: 'um destes: !@#$%^&*',
    },
  },
  newLogin: ({ device, ip }) =>
    `Novo acesso à sua conta: ${device}, de ${ip}. Se não foi você, encerre essa sessão nas configurações.`,
  securityChanged: {
    totp_on: 'Um aplicativo autenticador foi configurado na sua conta.',
    totp_off: 'O aplicativo autenticador da sua conta foi desativado.',
    recovery_codes: 'Novos códigos de recuperação foram criados para a sua conta.',
    passkey_added: 'Uma chave de acesso foi adicionada à sua conta.',
    passkey_removed: 'Uma chave de acesso foi removida da sua conta.',
    identity_linked: 'Sua conta foi vinculada ao login único.',
    identity_unlinked: 'Sua conta foi desvinculada do login único.',
  },
  unknownDevice: 'um dispositivo desconhecido',
} satisfies typeof accountWords
