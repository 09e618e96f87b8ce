import type { mailWords } from '../mail.ts'

export default {
  forgot: {
    title: 'Senha esquecida',
    text: 'Informe o e-mail da sua conta. Ele receberá um link para você escolher uma nova senha.',
    send: 'Enviar o link',
    sent: 'Se uma conta tem este endereço, um link está a caminho. Ele vale por uma hora.',
  },
  reset: {
    title: 'Escolha uma nova senha',
    text: 'Todas as sessões da conta serão encerradas. Depois entre com a nova senha.',
    save: 'Definir senha',
    done: 'Sua senha mudou e todas as sessões foram encerradas.',
  },
  verify: {
    title: 'Confirme seu e-mail',
    text:
      'Se você não criou uma conta aqui, feche esta página. Na primeira confirmação são removidos ' +
      'segundos fatores, chaves de acesso, identidades vinculadas e bots adicionados antes.',
    confirm: 'Confirmar este endereço',
    done: 'O endereço está confirmado.',
    taken: 'Outra conta tem este endereço.',
    go: 'Continuar',
  },
  confirmFirst: {
    title: 'Confirme seu e-mail',
    text: (email) => `Um link está a caminho de ${email}. Abra-o para continuar.`,
    done: 'Já confirmei',
    notYet: 'O endereço ainda não está confirmado.',
  },
  own: {
    title: 'E-mail',
    current: 'Seu endereço',
    confirmed: 'confirmado',
    unconfirmed: 'não confirmado',
    resend: 'Enviar a confirmação de novo',
    resent: 'Um link está a caminho do seu endereço.',
    next: 'Novo e-mail',
    hint: 'Ele recebe um link e substitui o antigo quando você o usar.',
    change: 'Mudar endereço',
    changing: 'Um link está a caminho do novo endereço.',
  },
  linkGone: 'Este link expirou ou já foi usado. Peça um novo.',
  backToLogin: 'Voltar ao login',
} satisfies typeof mailWords
