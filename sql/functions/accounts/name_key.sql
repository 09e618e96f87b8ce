-- A name as searches compare it: without case, accents and compatibility forms, with the letters that keyboards
-- exchange made one; src/core/words.ts folds messages and the client's lists by the same rules, and digits of all
-- scripts too. Indexes hold it: another rule needs a migration that makes them again.
create or replace function name_key(p_name text) returns text language sql immutable parallel safe
  return case when octet_length(p_name) = char_length(p_name) then lower(p_name)
    else normalize(replace(replace(replace(replace(translate(
      lower(regexp_replace(normalize(p_name, nfkd),
        '[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7'
        '\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc'
        '\u06df-\u06e8\u06ea-\u06ed\u093c\u0a3c\ufe00-\ufe0f\U0001f3fb-\U0001f3ff'
        '\u00ad\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]', '', 'g')),
      U&'øđðħŧłıς\0671\0649\06cc\06a9\06aa\0629\06c1\06c3\06d5',
      U&'oddhtliσ\0627\064a\064a\0643\0643\0647\0647\0647\0647'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), nfc) end;
