/* libpq's pipeline mode: questions between statements, errors in the middle, one row at a time, prepared statements. */
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static PGconn *connection;

static void quoted(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else if (*text == '\n')
            printf("\\n");
        else
            putchar(*text);
    }
    putchar('"');
}

static void show(PGresult *result)
{
    ExecStatusType status = PQresultStatus(result);
    printf("[\"%s\"", PQresStatus(status));
    if (status == PGRES_FATAL_ERROR) {
        printf(",\"%s\"", PQresultErrorField(result, PG_DIAG_SQLSTATE) ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : "");
    } else if (status == PGRES_TUPLES_OK || status == PGRES_SINGLE_TUPLE) {
        printf(",{\"rows\":%d,\"columns\":%d", PQntuples(result), PQnfields(result));
        for (int column = 0; column < PQnfields(result); column++)
            printf(",\"type %d\":%u", column, PQftype(result, column));
        if (PQntuples(result) && PQnfields(result)) {
            printf(",\"first\":");
            quoted(PQgetvalue(result, 0, 0));
        }
        printf("},\"%s\"", PQcmdStatus(result));
    } else if (status == PGRES_COMMAND_OK) {
        printf(",\"%s\",%d", PQcmdStatus(result), PQnparams(result));
    }
    printf("]");
}

static void silent(void *nobody, const char *message)
{
    (void) nobody;
    (void) message;
}

/* Reads results up to the given number of synchronisation points. */
static void results(int syncs)
{
    int nothing = 0, first = 1;
    printf("[");
    while (syncs > 0 && nothing < 3) {
        PGresult *result = PQgetResult(connection);
        if (!result) {
            nothing++;
            continue;
        }
        nothing = 0;
        if (!first)
            printf(",");
        first = 0;
        show(result);
        if (PQresultStatus(result) == PGRES_PIPELINE_SYNC)
            syncs--;
        PQclear(result);
    }
    printf("]\n");
}

static void send(const char *sql, int count, const char *const *values)
{
    if (!PQsendQueryParams(connection, sql, count, NULL, values, NULL, NULL, 0))
        printf("not sent: %s", PQerrorMessage(connection));
}

int main(int argc, char **argv)
{
    char told[400];
    const char *five[] = {"5"};
    if (argc < 6)
        return 2;
    snprintf(told, sizeof told, "host=%s port=%s user=%s dbname=%s", argv[1], argv[2], argv[3], argv[4]);
    connection = PQconnectdb(told);
    if (PQstatus(connection) != CONNECTION_OK) {
        fprintf(stderr, "%s", PQerrorMessage(connection));
        return 1;
    }
    int asks = !strcmp(argv[5], "asks");
    PQsetNoticeProcessor(connection, silent, NULL);
    PQclear(PQexec(connection, "CREATE TEMPORARY TABLE piped (n bigint PRIMARY KEY)"));
    PQenterPipelineMode(connection);

    printf("three statements\t");
    send("SELECT 1", 0, NULL);
    send("SELECT $1::int + 1", 1, five);
    send("INSERT INTO piped VALUES ($1)", 1, five);
    PQpipelineSync(connection);
    results(1);

    printf("an error in the middle\t");
    send("INSERT INTO piped VALUES (6)", 0, NULL);
    send("INSERT INTO piped VALUES ($1)", 1, five);
    send("SELECT 3", 0, NULL);
    PQpipelineSync(connection);
    send("SELECT count(*) FROM piped", 0, NULL);
    PQpipelineSync(connection);
    results(2);

    printf("prepared\t");
    PQsendPrepare(connection, "p", "SELECT n, $1::text FROM piped WHERE n = $2", 0, NULL);
    PQsendDescribePrepared(connection, "p");
    const char *two[] = {"x", "5"};
    PQsendQueryPrepared(connection, "p", 2, two, NULL, NULL, 0);
    PQpipelineSync(connection);
    results(1);

    printf("flushed\t");
    send("SELECT 1", 0, NULL);
    PQsendFlushRequest(connection);
    PQflush(connection);
    PGresult *result = PQgetResult(connection);
    show(result);
    PQclear(result);
    PQclear(PQgetResult(connection));
    send("SELECT 2", 0, NULL);
    PQpipelineSync(connection);
    results(1);

    printf("row by row\t");
    send("SELECT n FROM generate_series(1, 3) n", 0, NULL);
    PQpipelineSync(connection);
    PQsetSingleRowMode(connection);
    results(1);

    printf("nothing and a mistake\t");
    send("", 0, NULL);
    send("SELEC", 0, NULL);
    PQpipelineSync(connection);
    results(1);

    printf("a transaction\t");
    send("BEGIN", 0, NULL);
    send("INSERT INTO piped VALUES (7)", 0, NULL);
    send("SELECT 1/0", 0, NULL);
    PQpipelineSync(connection);
    send("SELECT 1", 0, NULL);
    PQpipelineSync(connection);
    send("ROLLBACK", 0, NULL);
    send("SELECT count(*) FROM piped", 0, NULL);
    PQpipelineSync(connection);
    results(3);

    printf("two hundred\t");
    for (int at = 0; at < 200; at++)
        send("SELECT $1::int", 1, five);
    PQpipelineSync(connection);
    results(1);

    if (asks) {
        const char *question[] = {"how many orders are there?"};
        printf("ask between statements\t");
        send("SELECT 1", 0, NULL);
        send("SELECT * FROM nl('how many orders are there?')", 0, NULL);
        send("INSERT INTO piped VALUES (8)", 0, NULL);
        send("-- nl: how many stores are there?", 0, NULL);
        PQpipelineSync(connection);
        results(1);

        printf("ask bound\t");
        send("SELECT * FROM nl($1)", 1, question);
        send("SELECT count(*) FROM nl($1) t", 1, question);
        PQpipelineSync(connection);
        results(1);

        printf("ask prepared\t");
        PQsendPrepare(connection, "q", "SELECT * FROM nl($1)", 0, NULL);
        PQsendDescribePrepared(connection, "q");
        PQsendQueryPrepared(connection, "q", 1, question, NULL, NULL, 0);
        PQpipelineSync(connection);
        PQsendQueryPrepared(connection, "q", 1, question, NULL, NULL, 0);
        PQsendDescribePrepared(connection, "q");
        PQpipelineSync(connection);
        results(2);

        printf("ask what has no answer\t");
        send("INSERT INTO piped VALUES (9)", 0, NULL);
        send("SELECT * FROM nl('frobnicate the zorblax')", 0, NULL);
        send("SELECT 1", 0, NULL);
        PQpipelineSync(connection);
        send("SELECT count(*) FROM piped WHERE n = 9", 0, NULL);
        PQpipelineSync(connection);
        results(2);

        printf("ask behind an error\t");
        send("SELECT 1/0", 0, NULL);
        send("SELECT * FROM nl('how many orders are there?')", 0, NULL);
        PQpipelineSync(connection);
        send("SELECT * FROM nl('how many orders are there?')", 0, NULL);
        PQpipelineSync(connection);
        results(2);

        printf("ask in a transaction\t");
        send("BEGIN", 0, NULL);
        send("INSERT INTO piped VALUES (10)", 0, NULL);
        send("SELECT * FROM nl('how many orders are there?')", 0, NULL);
        send("COMMIT", 0, NULL);
        PQpipelineSync(connection);
        results(1);
    }

    printf("left\t%d\n", PQexitPipelineMode(connection));
    PQfinish(connection);
    return 0;
}
