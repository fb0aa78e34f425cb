-- A number with its last four digits: `+*******0100`. What is no number stays: a caller who withholds it, a web call.
CREATE OR REPLACE FUNCTION masked_number(number text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN number = 'anonymous' OR length(number) < 6 THEN number
              ELSE CASE WHEN number LIKE '+%' THEN '+' ELSE '*' END || repeat('*', length(number) - 5) || right(number, 4)
         END
$$;
