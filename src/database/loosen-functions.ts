import type { Sql } from './database.ts'

// PostgreSQL 15.20 refuses `alter table … add column … default …` while a function with a SQL-standard body (`return
// …`, `begin atomic …`) takes a row of the table. Released migrations do that. So before each migration such functions
// get the same body as a string, which has no dependencies. The files in sql/functions are installed after the last
// migration.
const LOOSEN = `do $loosen$
declare
  f record;
  body text;
begin
  for f in select p.oid, pg_get_functiondef(p.oid) as definition, pg_get_function_sqlbody(p.oid) as sqlbody
    from pg_proc p where p.prosqlbody is not null and p.pronamespace = current_schema()::regnamespace
      and exists (select from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) argument
        join pg_class c on c.reltype = argument and c.relkind in ('r', 'p'))
  loop
    body := case when f.sqlbody like 'RETURN %' then 'select ' || substr(f.sqlbody, 8)
      else substr(left(f.sqlbody, -3), 13) end;
    execute replace(f.definition, f.sqlbody, format(' as %L', body));
  end loop;
end $loosen$`

/** Gives functions that take rows of tables string bodies, in the caller's transaction. */
export const loosenFunctions = async (connection: Sql): Promise<void> => {
  await connection.unsafe(LOOSEN)
}
