# The image of Postgres runs this when it creates the database: the service's own role is no superuser, and the
# superuser has no password, so that it is reached within the container only.
psql --no-psqlrc --set=ON_ERROR_STOP=1 --set=password="$POSTGRES_PASSWORD" --username="${POSTGRES_USER:-postgres}" \
  --dbname=postgres <<'SQL'
CREATE ROLE calling LOGIN PASSWORD :'password';
CREATE DATABASE calling OWNER calling;
ALTER ROLE CURRENT_USER PASSWORD NULL;
SQL
