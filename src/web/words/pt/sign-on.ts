import type { signOnWords } from '../sign-on.ts'

export default {
  login: (name) => `Entrar com ${name}`,
  problems: {
    login_expired: 'Demorou demais, ou começou em outra janela. Tente de novo.',
    oidc_failed: 'O login não funcionou por lá. Tente de novo, ou pergunte a quem cuida deste servidor.',
    email_taken: 'Uma conta daqui já tem seu e-mail. Entre nela e vincule-a nas configurações de segurança.',
    forbidden: 'Nenhuma conta daqui é sua, e novas não são criadas assim.',
    identity_taken: 'Outra conta já está vinculada a este login.',
    identity_linked: 'Sua conta já está vinculada.',
    token_revoked: 'Sua sessão terminou nesse meio-tempo. Entre de novo.',
    unavailable: 'O servidor de login não responde. Tente de novo em instantes.',
    last_way_in: 'Nada mais deixaria você entrar. Antes defina uma senha ou adicione uma chave de acesso.',
  },
  linked: 'Sua conta está vinculada',
  proven: 'Obrigado. Continue o que queria fazer: não perguntaremos de novo por dez minutos.',
  title: 'Login único',
  text: (name) => `Com ${name} você entra aqui sem senha.`,
  link: (name) => `Vincular a ${name}`,
  since: (time) => `vinculado ${time}`,
  used: (time) => `último uso ${time}`,
  unlink: 'Desvincular',
  unlinkOf: (name) => `Desvincular ${name}`,
  unlinkText: (name) => `${name} não deixará mais você entrar aqui.`,
} satisfies typeof signOnWords
