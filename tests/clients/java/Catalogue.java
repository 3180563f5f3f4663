import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Asks all that DatabaseMetaData can tell of the sample shop; exits with 1 where something is not as it must be. */
public class Catalogue {
    interface Asking {
        ResultSet ask() throws SQLException;
    }

    private static boolean failed = false;

    /** A result's column must hold these values, in this order, among others where `exactly` is false. */
    static void check(String what, int column, Asking asking, String... expected) {
        List<String> found = new ArrayList<>();
        try (ResultSet rows = asking.ask()) {
            while (rows.next()) {
                for (int at = 1; at <= rows.getMetaData().getColumnCount(); at++) {
                    rows.getString(at);
                }
                found.add(rows.getString(column));
            }
        } catch (SQLException error) {
            System.out.println("not ok " + what + ": " + error.getMessage());
            failed = true;
            return;
        }
        List<String> left = new ArrayList<>(List.of(expected));
        left.removeAll(found);
        if (!left.isEmpty()) {
            System.out.println("not ok " + what + ": " + left + " is not in " + found);
            failed = true;
        }
    }

    public static void main(String[] arguments) throws Exception {
        try (Connection connection = DriverManager.getConnection(arguments[0])) {
            DatabaseMetaData data = connection.getMetaData();
            check("catalogs", 1, data::getCatalogs, "shop");
            check("schemas", 1, data::getSchemas, "public", "pg_catalog", "information_schema");
            check("table types", 1, data::getTableTypes, "TABLE", "VIEW");
            check("tables", 3, () -> data.getTables(null, "public", "%", new String[] {"TABLE", "VIEW"}), "customers", "product_sales");
            check("all tables", 3, () -> data.getTables(null, null, "cust%", null), "customers", "customers_country");
            check("columns", 4, () -> data.getColumns(null, "public", "customers", "%"), "customer_id", "birth_date");
            check("types of columns", 6, () -> data.getColumns(null, null, "orders", "%"), "int8", "timestamp", "numeric");
            check("primary key", 4, () -> data.getPrimaryKeys(null, "public", "order_lines"), "order_id", "line_number");
            check("best row", 2, () -> data.getBestRowIdentifier(null, "public", "customers", 0, true), "customer_id");
            check("version", 2, () -> data.getVersionColumns(null, "public", "customers"), "ctid");
            check("imported", 3, () -> data.getImportedKeys(null, "public", "orders"), "customers", "stores", "employees");
            check("exported", 7, () -> data.getExportedKeys(null, "public", "customers"), "orders");
            check("cross", 8, () -> data.getCrossReference(null, "public", "customers", null, "public", "orders"), "customer_id");
            check("indexes", 6, () -> data.getIndexInfo(null, "public", "customers", false, true), "customers_pkey", "customers_country");
            check("types", 1, data::getTypeInfo, "int8", "text", "bool", "numeric");
            check("own types", 3, () -> data.getUDTs(null, null, "%", null));
            check("procedures", 3, () -> data.getProcedures(null, null, "%"));
            check("columns of procedures", 4, () -> data.getProcedureColumns(null, null, "abs", "%"), "returnValue");
            check("functions", 3, () -> data.getFunctions(null, null, "abs"), "abs");
            check("columns of functions", 4, () -> data.getFunctionColumns(null, null, "abs", "%"), "returnValue");
            check("privileges", 6, () -> data.getTablePrivileges(null, "public", "customers"), "SELECT", "INSERT");
            check("column privileges", 4, () -> data.getColumnPrivileges(null, "public", "customers", "%"), "birth_date");
            check("client info", 1, data::getClientInfoProperties, "ApplicationName");
            if (!data.getSQLKeywords().contains("vacuum") || data.getMaxColumnNameLength() != 63) {
                System.out.println("not ok words");
                failed = true;
            }
            if (!"public".equals(connection.getSchema()) || !"shop".equals(connection.getCatalog())) {
                System.out.println("not ok places");
                failed = true;
            }
        }
        System.exit(failed ? 1 : 0);
    }
}
