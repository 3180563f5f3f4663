import java.io.IOException;
import java.math.BigDecimal;
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
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.postgresql.util.PSQLException;

/** pgjdbc against a running server: Client URL CASES MODE; reports in TAP. */
public final class Client {
    private static final String NONSENSE = "-- nl: frobnicate the quuxly zorblax";
    private static final String STORES = "-- nl: list the names of all stores";

    private static int count = 0;

    private interface Act {
        void run() throws Exception;
    }

    private record Case(String name, String sql, List<String> expected) {}

    public static void main(String[] arguments) throws Exception {
        List<Case> cases = readCases(Path.of(arguments[1]));
        try (Connection connection = DriverManager.getConnection(arguments[0])) {
            for (Case one : cases) {
                if (one.name.equals("parameter")) {
                    continue;
                }
                test(one.name + ", statement", () -> check(byStatement(connection, one.sql), one.expected));
                test(one.name + ", prepared", () -> check(byPrepared(connection, one.sql), one.expected));
                test(one.name + ", fetch size", () -> check(byFetchSize(connection, one.sql), one.expected));
            }
            Case parameter = cases.get(cases.size() - 1);
            behaviour(connection, parameter, arguments[2].equals("simple"));
        }
        System.out.println("1.." + count);
    }

    private static void behaviour(Connection connection, Case parameter, boolean simple) throws SQLException {
        // pgjdbc takes no ? in a comment for a parameter, so a bound value goes by the function.
        test("question as a parameter", () -> {
            try (PreparedStatement statement = connection.prepareStatement("SELECT * FROM nl(?)")) {
                statement.setString(1, parameter.sql.replace("$1", "Germany"));
                check(rows(statement.executeQuery()), parameter.expected);
            }
        });
        test("keyword", () -> check(byStatement(connection, "ASK list the names of all stores").size(), 18));
        test("columns of the answer", () -> {
            String sql = "SELECT * FROM nl('show the name and price of the five most expensive products')";
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                ResultSetMetaData columns =
                        simple ? statement.executeQuery().getMetaData() : statement.getMetaData();
                check(columns.getColumnName(1) + " " + columns.getColumnName(2), "name price");
                check(columns.getColumnType(2), Types.NUMERIC);
            }
        });
        test("executed often enough to become a named statement", () -> {
            try (PreparedStatement statement = connection.prepareStatement(STORES)) {
                for (int time = 0; time < 8; time++) {
                    check(rows(statement.executeQuery()).size(), 18);
                }
            }
        });
        test("warnings tell the SQL", () -> {
            try (Statement statement = connection.createStatement()) {
                statement.executeQuery(STORES);
                SQLWarning warning = statement.getWarnings();
                check(warning != null && warning.getMessage().startsWith("nl: SELECT"), true);
            }
        });
        test("no answer", () -> {
            checkNoAnswer(connection);
            check(byStatement(connection, "SELECT 1"), List.of("1"));
        });
        test("no answer in a transaction", () -> {
            connection.setAutoCommit(false);
            try {
                checkNoAnswer(connection);
                try {
                    byStatement(connection, "SELECT 1");
                    throw new AssertionError("the transaction is not aborted");
                } catch (SQLException error) {
                    check(error.getSQLState(), "25P02");
                }
                connection.rollback();
                check(byStatement(connection, "SELECT 1"), List.of("1"));
                connection.rollback();
            } finally {
                connection.setAutoCommit(true);
            }
        });
        test("types", () -> {
            String sql = "SELECT name, price, stock, discontinued, launched_on FROM products WHERE product_id = ?";
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setInt(1, 1);
                ResultSet row = statement.executeQuery();
                row.next();
                check(row.getObject(2) instanceof BigDecimal, true);
                check(row.getObject(4) instanceof Boolean, true);
                check(row.getObject(5) instanceof java.sql.Date, true);
                check(row.getDate(5).toString().matches("20\\d\\d-\\d\\d-\\d\\d"), true);
            }
        });
        test("batch, update, rollback", () -> batch(connection));
        test("a question cannot write", () -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE copied AS SELECT * FROM nl('list the names of all stores')");
                throw new AssertionError("it wrote");
            } catch (SQLException error) {
                check(error.getSQLState(), "42501");
            }
        });
    }

    private static void batch(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("CREATE TABLE jdbc_scratch (id INTEGER PRIMARY KEY, word TEXT)");
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO jdbc_scratch VALUES (?, ?)")) {
                for (int id = 1; id <= 20; id++) {
                    insert.setInt(1, id);
                    insert.setString(2, id % 2 == 0 ? null : "wörd '" + id + "'");
                    insert.addBatch();
                }
                check(insert.executeBatch().length, 20);
            }
            connection.setAutoCommit(false);
            check(statement.executeUpdate("UPDATE jdbc_scratch SET word = 'x' WHERE id > 10"), 10);
            connection.rollback();
            connection.setAutoCommit(true);
            check(byStatement(connection, "SELECT count(word), min(word) FROM jdbc_scratch"), List.of("10\u001fwörd '1'"));
        } finally {
            connection.setAutoCommit(true);
            byUpdate(connection, "DROP TABLE jdbc_scratch");
        }
    }

    private static void checkNoAnswer(Connection connection) {
        try {
            byStatement(connection, NONSENSE);
        } catch (PSQLException error) {
            check(error.getSQLState(), "NL001");
            check(error.getServerErrorMessage().getHint() != null, true);
            return;
        } catch (SQLException error) {
            throw new AssertionError(error);
        }
        throw new AssertionError("it was answered");
    }

    private static List<String> byStatement(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return rows(statement.executeQuery(sql));
        }
    }

    private static List<String> byPrepared(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.executeQuery();
            return rows(statement.executeQuery());
        }
    }

    /** Within a transaction pgjdbc then sends Execute with a limit of rows. */
    private static List<String> byFetchSize(Connection connection, String sql) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setFetchSize(2);
            return rows(statement.executeQuery());
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    private static void byUpdate(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    private static List<String> rows(ResultSet result) throws SQLException {
        List<String> rows = new ArrayList<>();
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
            List<String> row = new ArrayList<>();
            for (int column = 1; column <= columns; column++) {
                row.add(String.valueOf(result.getString(column)));
            }
            rows.add(String.join("\u001f", row));
        }
        return rows;
    }

    private static void test(String name, Act act) {
        count += 1;
        try {
            act.run();
            System.out.println("ok " + count + " " + name);
        } catch (Exception | AssertionError error) {
            System.out.println("not ok " + count + " " + name + ": " + String.valueOf(error).replace("\n", " "));
        }
    }

    private static void check(Object actual, Object expected) {
        if (!actual.equals(expected)) {
            throw new AssertionError(actual + " is not " + expected);
        }
    }

    private static void check(List<String> actual, List<String> expected) {
        check((Object) normal(actual), normal(expected));
    }

    /** Rows in one order, numbers in one notation. */
    private static List<String> normal(List<String> rows) {
        return rows.stream()
                .map(row -> List.of(row.split("\u001f", -1)).stream().map(Client::normal).collect(Collectors.joining("|")))
                .sorted()
                .toList();
    }

    private static String normal(String value) {
        try {
            return new BigDecimal(value).stripTrailingZeros().toPlainString();
        } catch (NumberFormatException error) {
            return value;
        }
    }

    private static List<Case> readCases(Path path) throws IOException {
        List<Case> cases = new ArrayList<>();
        for (String line : Files.readAllLines(path, StandardCharsets.UTF_8)) {
            String[] fields = line.split("\t", -1);
            cases.add(new Case(fields[0], fields[1], List.of(fields[2].split("\u001e", -1))));
        }
        return cases;
    }
}
