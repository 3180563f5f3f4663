import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.CopyOut;
import org.postgresql.copy.PGCopyInputStream;
import org.postgresql.copy.PGCopyOutputStream;

/** All ways of pgjdbc's CopyManager; what comes of each is a line, to be compared with another server's. */
public final class Copies {
    private interface Work {
        Object run() throws SQLException, IOException;
    }

    private static Connection connection;
    private static CopyManager copy;

    public static void main(String[] arguments) throws SQLException {
        connection = DriverManager.getConnection(arguments[0]);
        PGConnection own = connection.unwrap(PGConnection.class);
        copy = own.getCopyAPI();
        say("table", () -> execute("CREATE TABLE jdbc_copied (id int PRIMARY KEY, word text, price numeric(8,2), at timestamp)"));
        say("reader", () -> copy.copyIn("COPY jdbc_copied FROM STDIN", new StringReader("1\tone\t1.5\t2024-01-01 10:00\n2\t\\N\t\\N\t\\N\n")));
        say("stream", () -> copy.copyIn("COPY jdbc_copied (id, word) FROM STDIN (FORMAT csv)", bytes("3,\"a,\"\"b\"\"\"\n4,é\n"), 7));
        say("many", () -> {
            StringBuilder lines = new StringBuilder();
            for (int i = 10; i < 30_000; i++) {
                lines.append(i).append("\tword ").append(i).append("\t0.25\t\\N\n");
            }
            return copy.copyIn("COPY jdbc_copied FROM STDIN", new StringReader(lines.toString()), 65_536);
        });
        say("pieces", () -> {
            CopyIn in = copy.copyIn("COPY jdbc_copied (id) FROM STDIN");
            byte[] text = "30001\n30002\n30003\n".getBytes(StandardCharsets.UTF_8);
            // No piece ends where a line does.
            for (byte one : text) {
                in.writeToCopy(new byte[] {one}, 0, 1);
            }
            in.flushCopy();
            return in.getFormat() + " " + in.getFieldCount() + " " + in.endCopy() + " " + in.isActive();
        });
        say("cancelled", () -> {
            CopyIn in = copy.copyIn("COPY jdbc_copied (id) FROM STDIN");
            byte[] text = "40001\n".getBytes(StandardCharsets.UTF_8);
            in.writeToCopy(text, 0, text.length);
            in.cancelCopy();
            return in.isActive();
        });
        say("output stream", () -> {
            try (OutputStream out = new PGCopyOutputStream(own, "COPY jdbc_copied (id, word) FROM STDIN")) {
                out.write("50001\tstream\n".getBytes(StandardCharsets.UTF_8));
            }
            return query("SELECT word FROM jdbc_copied WHERE id = 50001");
        });
        say("twice", () -> copy.copyIn("COPY jdbc_copied (id) FROM STDIN", new StringReader("60001\n1\n")));
        say("wrong", () -> copy.copyIn("COPY jdbc_copied (id) FROM STDIN", new StringReader("sixty\n")));
        say("no table", () -> copy.copyIn("COPY no_such_table FROM STDIN", new StringReader("1\n")));
        say("no copy", () -> copy.copyIn("SELECT 1", new StringReader("1\n")));
        say("count", () -> query("SELECT count(*), sum(id), max(price), min(word) FROM jdbc_copied"));
        say("writer", () -> {
            StringWriter out = new StringWriter();
            long rows = copy.copyOut("COPY jdbc_copied TO STDOUT", out);
            return rows + " " + out.toString().hashCode();
        });
        say("csv", () -> {
            StringWriter out = new StringWriter();
            long rows = copy.copyOut("COPY (SELECT * FROM jdbc_copied WHERE id < 12 ORDER BY id) TO STDOUT (FORMAT csv, HEADER)", out);
            return rows + " " + out.toString().replace("\n", "|");
        });
        say("binary", () -> {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            long rows = copy.copyOut("COPY (SELECT id, word FROM jdbc_copied WHERE id < 12 ORDER BY id) TO STDOUT (FORMAT binary)", out);
            long again = 0;
            execute("CREATE TABLE jdbc_again (id int, word text)");
            again = copy.copyIn("COPY jdbc_again FROM STDIN (FORMAT binary)", new ByteArrayInputStream(out.toByteArray()));
            return rows + " " + again + " " + query("SELECT count(*), max(word) FROM jdbc_again");
        });
        say("rows", () -> {
            CopyOut out = copy.copyOut("COPY (SELECT id FROM jdbc_copied WHERE id < 5 ORDER BY id) TO STDOUT");
            StringBuilder rows = new StringBuilder();
            for (byte[] row = out.readFromCopy(); row != null; row = out.readFromCopy()) {
                rows.append(new String(row, StandardCharsets.UTF_8).trim()).append(' ');
            }
            return rows + "" + out.getHandledRowCount();
        });
        say("input stream", () -> {
            try (InputStream in = new PGCopyInputStream(own, "COPY (SELECT word FROM jdbc_copied WHERE id IN (1, 4) ORDER BY id) TO STDOUT")) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\n", "|");
            }
        });
        say("rolled back", () -> {
            connection.setAutoCommit(false);
            long rows = copy.copyIn("COPY jdbc_copied (id) FROM STDIN", new StringReader("70001\n70002\n"));
            connection.rollback();
            connection.setAutoCommit(true);
            return rows + " " + query("SELECT count(*) FROM jdbc_copied WHERE id > 70000");
        });
        say("committed", () -> {
            connection.setAutoCommit(false);
            long rows = copy.copyIn("COPY jdbc_copied (id) FROM STDIN", new StringReader("80001\n"));
            connection.commit();
            connection.setAutoCommit(true);
            return rows + " " + query("SELECT count(*) FROM jdbc_copied WHERE id > 80000");
        });
        say("end", () -> execute("DROP TABLE jdbc_copied, jdbc_again"));
        connection.close();
    }

    private static void say(String step, Work work) throws SQLException {
        String came;
        try {
            came = String.valueOf(work.run());
        } catch (SQLException error) {
            came = error.getSQLState();
            connection.setAutoCommit(true);
        } catch (IOException error) {
            came = error.getClass().getSimpleName();
        }
        System.out.println(step + ": " + came);
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Object execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.execute(sql);
        }
    }

    private static String query(String sql) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            StringBuilder line = new StringBuilder();
            while (rows.next()) {
                for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                    line.append(rows.getString(column)).append(' ');
                }
            }
            return line.toString();
        }
    }
}
