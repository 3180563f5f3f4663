import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** pgjdbc with values of every type: Typed REFERENCE URL CASES; what it sees must be the same on both. */
public class Typed {
    static String show(ResultSet rows, int column) throws SQLException {
        Object value = rows.getObject(column);
        if (value instanceof byte[] bytes) {
            return "bytes " + java.util.HexFormat.of().formatHex(bytes);
        }
        String kind = value == null ? "null" : value.getClass().getSimpleName();
        return kind + " " + rows.getString(column) + " " + rows.getMetaData().getColumnTypeName(column);
    }

    static void see(List<String> seen, Connection connection, String sql, Object... parameters) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int at = 0; at < parameters.length; at++) {
                if (parameters[at] instanceof java.sql.Array array) {
                    statement.setArray(at + 1, array);
                } else {
                    statement.setObject(at + 1, parameters[at]);
                }
            }
            if (!statement.execute()) {
                seen.add(sql + " " + statement.getUpdateCount());
                return;
            }
            try (ResultSet rows = statement.getResultSet()) {
                while (rows.next()) {
                    for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                        seen.add(show(rows, column));
                    }
                }
            }
        } catch (SQLException error) {
            seen.add(sql + " " + error.getSQLState());
        }
    }

    static List<String> observed(Connection connection, String[] one, List<Object> values) throws SQLException {
        String type = one[0], table = one[1];
        List<String> seen = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS " + table);
            statement.execute("CREATE TABLE " + table + " (id integer NOT NULL, v " + type + ")");
        }
        for (int id = 0; id < values.size(); id++) {
            see(seen, connection, "INSERT INTO " + table + " VALUES (?, ?)", id, values.get(id));
        }
        see(seen, connection, "SELECT v, v::text FROM " + table + " ORDER BY id");
        if (one[3].equals("comparable")) {
            for (Object value : values) {
                see(seen, connection, "SELECT id FROM " + table + " WHERE v = ?", value);
            }
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE " + table);
        }
        return seen;
    }

    public static void main(String[] arguments) throws Exception {
        int number = 0;
        try (Connection theirs = DriverManager.getConnection(arguments[0]);
                Connection ours = DriverManager.getConnection(arguments[1])) {
            for (String line : Files.readAllLines(Path.of(arguments[2]))) {
                String[] one = line.split("\t");
                number++;
                List<Object> values = new ArrayList<>();
                try (ResultSet rows = theirs.createStatement().executeQuery(one[2])) {
                    while (rows.next()) {
                        values.add(rows.getObject(2));
                    }
                }
                List<String> expected = observed(theirs, one, values), found = observed(ours, one, values);
                boolean same = expected.equals(found);
                System.out.println(same ? "ok " + number + " " + one[0] : "not ok " + one[0] + ": " + found + " is not " + expected);
            }
        }
        System.out.println("1.." + number);
    }
}
