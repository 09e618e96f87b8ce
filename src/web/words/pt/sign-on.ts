// Printed from locales/pt/sign-on.json. After a change there: bun run words
import type { signOnWords } from '../sign-on.ts'

export default {
  login: (name) => `Entrar com ${name}`,
  problems: {
    login_expired: 'Demorou demais, ou foi iniciado em outra janela. Tente de novo.',
    oidc_failed: 'O login falhou no outro serviço. Tente de novo, ou pergunte ao operador deste servidor.',
    email_taken: 'Uma conta daqui já usa seu e-mail. Entre nela e vincule-a nas configurações de segurança.',
    forbidden: 'Você não tem uma conta aqui, e não é possível criar novas contas desta forma.',
    identity_taken: 'Outra conta já está vinculada a este login.',
    identity_linked: 'Sua conta já está vinculada.',
    token_revoked: 'Sua sessão terminou. Entre de novo.',
    unavailable: 'O servidor de login não responde. Tente de novo em instantes.',
    last_way_in: 'Esta é sua única forma de entrar. Antes, defina uma senha ou adicione uma chave de acesso.',
  },
  linked: 'Sua conta está vinculada',
  proven: 'Obrigado. Continue o que estava fazendo. Não perguntaremos de novo por dez minutos.',
  title: 'Login único',
  text: (name) => `Entre aqui com ${name}, sem senha.`,
  link: (name) => `Vincular a ${name}`,
  since: (time) => `vinculado ${time}`,
  used: (time) => `último uso ${time}`,
  unlink: 'Desvincular',
  unlinkOf: (name) => `Desvincular ${name}`,
  unlinkText: (name) => `${name} não deixará mais você entrar aqui.`,
} satisfies typeof signOnWords
