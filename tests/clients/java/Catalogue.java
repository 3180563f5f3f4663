import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

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

    /** What the driver says it does not do, whatever the server. */
    private static final Set<String> NOT_BY_THE_DRIVER =
            Set.of("getAttributes", "getPseudoColumns", "getRowIdLifetime", "getSuperTables", "getSuperTypes");

    /** An argument for a parameter of a method. */
    static Object argument(Class<?> type, int position, int strings) {
        if (type == String.class) {
            // Catalogue, schema, table or pattern, and a pattern of columns, as all of them are in this order.
            return new String[] {null, "public", "customers", "%", null, "public", "orders"}[Math.min(strings, 6)];
        }
        if (type == int.class) {
            return 1;
        }
        return type == boolean.class ? (Object) Boolean.TRUE : null;
    }

    /** Calls every method of the interface, and reads what comes back to its end. */
    static void callAll(DatabaseMetaData data) throws Exception {
        Set<String> refused = new TreeSet<>();
        int called = 0;
        for (Method method : DatabaseMetaData.class.getDeclaredMethods()) {
            if (method.isSynthetic()) {
                continue;
            }
            Object[] arguments = new Object[method.getParameterCount()];
            int strings = 0;
            for (int at = 0; at < arguments.length; at++) {
                Class<?> type = method.getParameterTypes()[at];
                arguments[at] = argument(type, at, strings);
                strings += type == String.class ? 1 : 0;
            }
            called++;
            try {
                Object told = method.invoke(data, arguments);
                if (told instanceof ResultSet) {
                    try (ResultSet rows = (ResultSet) told) {
                        while (rows.next()) {
                            for (int at = 1; at <= rows.getMetaData().getColumnCount(); at++) {
                                rows.getObject(at);
                            }
                        }
                    }
                }
            } catch (InvocationTargetException error) {
                if (error.getCause() instanceof SQLFeatureNotSupportedException) {
                    refused.add(method.getName());
                } else {
                    System.out.println("not ok " + method + ": " + error.getCause());
                    failed = true;
                }
            } catch (SQLException error) {
                System.out.println("not ok rows of " + method + ": " + error);
                failed = true;
            }
        }
        refused.removeAll(NOT_BY_THE_DRIVER);
        if (!refused.isEmpty() || called < 170) {
            System.out.println("not ok all methods: " + called + " called, not supported: " + refused);
            failed = true;
        }
        System.out.println(called + " methods called");
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
            check("sequences", 3, () -> data.getTables(null, "public", "%", new String[] {"SEQUENCE"}), "customers_customer_id_seq");
            check("numbered", 23, () -> data.getColumns(null, "public", "customers", "customer_id"), "YES");
            callAll(data);
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
