comment on table polls is 'Polls in messages.';
comment on column polls.message_id is 'The message.';
comment on column polls.question is 'The question.';
comment on column polls.answers is 'Text and emoji of each answer; the id of an answer is its position, from 1.';
comment on column polls.multiple is 'A vote may name several answers.';
comment on column polls.anonymous is 'No row says who voted for what, and a vote is final.';
comment on column polls.counts is 'Votes by answer.';
comment on column polls.voter_count is 'Accounts that voted.';
comment on column polls.ends_at is 'When it ends, unless somebody ends it before.';
comment on column polls.ended_at is 'When it ended.';

comment on table poll_votes is 'Votes: a row for each answer.';
comment on column poll_votes.message_id is 'The poll.';
comment on column poll_votes.answer_id is 'The answer; 0 in an anonymous poll, where it only says that the account voted.';
comment on column poll_votes.user_id is 'The account.';
