import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;
import org.postgresql.util.PSQLException;

/** pgjdbc with ordinary SQL: Ordinary URL STATEMENTS AUTOCOMMIT; prints all that it sees. */
public final class Ordinary {
    private interface Act {
        void run() throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        String[] statements = Files.readString(Path.of(arguments[1]), StandardCharsets.UTF_8).split("\0", -1);
        try (Connection connection = DriverManager.getConnection(arguments[0])) {
            connection.setAutoCommit(Boolean.parseBoolean(arguments[2]));
            for (String sql : statements) {
                System.out.println("statement " + sql);
                attempt(connection, () -> byStatement(connection, sql));
                attempt(connection, () -> byPrepared(connection, sql));
            }
            parameters(connection);
            batches(connection);
            inSteps(connection);
            copies(connection);
            metadata(connection.getMetaData());
        }
        System.out.println("finished");
    }

    private static void attempt(Connection connection, Act act) throws SQLException {
        try {
            act.run();
        } catch (PSQLException error) {
            System.out.println("error " + error.getSQLState() + " " + error.getServerErrorMessage() + " " + error.getMessage());
        } catch (Exception error) {
            System.out.println("exception " + error);
        }
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
    }

    private static void byStatement(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            print(statement, statement.execute(sql));
        }
    }

    private static void byPrepared(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int time = 0; time < 6; time++) {
                boolean rows = statement.execute();
                if (time == 0 || time == 5) {
                    print(statement, rows);
                }
            }
        }
    }

    private static void print(Statement statement, boolean rows) throws SQLException {
        for (SQLWarning warning = statement.getWarnings(); warning != null; warning = warning.getNextWarning()) {
            System.out.println("warning " + warning.getSQLState() + " " + warning.getMessage());
        }
        while (rows || statement.getUpdateCount() != -1) {
            if (rows) {
                print(statement.getResultSet());
            } else {
                System.out.println("updated " + statement.getUpdateCount());
            }
            rows = statement.getMoreResults();
        }
    }

    private static void print(ResultSet result) throws SQLException {
        ResultSetMetaData columns = result.getMetaData();
        StringBuilder line = new StringBuilder("columns");
        for (int column = 1; column <= columns.getColumnCount(); column++) {
            line.append(' ').append(columns.getColumnName(column)).append(':').append(columns.getColumnTypeName(column));
            line.append(':').append(columns.getTableName(column)).append(':').append(columns.isNullable(column));
        }
        System.out.println(line);
        rows(result).forEach(System.out::println);
    }

    private static List<String> rows(ResultSet result) throws SQLException {
        List<String> rows = new ArrayList<>();
        while (result.next()) {
            StringBuilder line = new StringBuilder();
            for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
                line.append(result.getString(column)).append('|');
            }
            rows.add(line.toString());
        }
        return rows;
    }

    private static void parameters(Connection connection) throws SQLException {
        attempt(connection, () -> {
            String sql = "SELECT ?::int + 1, ?::text, ?::numeric, ?::timestamp, ?::bytea, ?::bool, ?";
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int time = 0; time < 8; time++) {
                    statement.setInt(1, time);
                    statement.setString(2, "ünï'cödé " + time);
                    statement.setBigDecimal(3, new java.math.BigDecimal("123.450"));
                    statement.setTimestamp(4, java.sql.Timestamp.valueOf("2024-02-29 12:34:56.789"));
                    statement.setBytes(5, new byte[] {0, 1, (byte) 255});
                    statement.setBoolean(6, true);
                    statement.setNull(7, java.sql.Types.VARCHAR);
                    print(statement.executeQuery());
                }
            }
        });
    }

    private static void batches(Connection connection) throws SQLException {
        attempt(connection, () -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE TEMPORARY TABLE batch (id int PRIMARY KEY, word text)");
                try (PreparedStatement insert = connection.prepareStatement("INSERT INTO batch VALUES (?, ?)", Statement.RETURN_GENERATED_KEYS)) {
                    for (int id = 0; id < 700; id++) {
                        insert.setInt(1, id);
                        insert.setString(2, "w".repeat(id));
                        insert.addBatch();
                    }
                    System.out.println("batch " + insert.executeBatch().length);
                    print(insert.getGeneratedKeys());
                }
                if (!connection.getAutoCommit()) {
                    Savepoint savepoint = connection.setSavepoint();
                    try {
                        statement.execute("INSERT INTO batch VALUES (1, 'again')");
                    } catch (SQLException error) {
                        System.out.println("error " + error.getMessage());
                    }
                    connection.rollback(savepoint);
                }
                print(statement.executeQuery("SELECT count(*), sum(length(word)) FROM batch"));
                statement.execute("DROP TABLE batch");
            }
        });
    }

    private static void inSteps(Connection connection) throws SQLException {
        attempt(connection, () -> {
            try (Statement statement = connection.createStatement()) {
                statement.setFetchSize(10);
                try (ResultSet rows = statement.executeQuery("SELECT i, repeat('z', i) FROM generate_series(1, 95) AS i")) {
                    print(rows);
                }
                statement.setMaxRows(3);
                print(statement.executeQuery("TABLE stores"));
            }
        });
    }

    private static void copies(Connection connection) throws SQLException {
        attempt(connection, () -> {
            CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE TEMPORARY TABLE copied (id int, word text)");
                System.out.println("copied " + copy.copyIn("COPY copied FROM STDIN", new StringReader("1\tone\n".repeat(5000))));
                StringWriter out = new StringWriter();
                System.out.println("copied " + copy.copyOut("COPY copied TO STDOUT", out) + " " + out.toString().hashCode());
                statement.execute("DROP TABLE copied");
            }
        });
    }

    private static void metadata(DatabaseMetaData metadata) throws SQLException {
        System.out.println(metadata.getDatabaseProductVersion() + " " + metadata.getMaxColumnNameLength());
        print(metadata.getTables(null, "public", "%", null));
        print(metadata.getColumns(null, "public", "orders", null));
        print(metadata.getPrimaryKeys(null, "public", "order_lines"));
        print(metadata.getImportedKeys(null, "public", "orders"));
        print(metadata.getIndexInfo(null, "public", "products", false, true));
        // The driver asks for them in no order.
        rows(metadata.getTypeInfo()).stream().sorted().forEach(System.out::println);
    }
}
