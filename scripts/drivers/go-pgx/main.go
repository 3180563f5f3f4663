// pgx: its own interface in each way of asking: types, batches, COPY, cursors of rows, LISTEN, errors, and questions.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strconv"
	"time"

	"github.com/jackc/pgconn"
	"github.com/jackc/pgx/v4"
)

const question = "list the names of all stores"

var ctx = context.Background()

func step(name string, act func() (interface{}, error)) {
	gave, err := act()
	if err != nil {
		if told, ok := err.(*pgconn.PgError); ok {
			gave = map[string]string{"error": told.Code}
		} else {
			gave = map[string]string{"error": err.Error()}
		}
	}
	line, err := json.Marshal(gave)
	if err != nil {
		line = []byte(strconv.Quote(err.Error()))
	}
	fmt.Printf("%s\t%s\n", name, line)
}

func read(rows pgx.Rows, err error) (interface{}, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	told, found := []string{}, []string{}
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			return nil, err
		}
		line := ""
		for _, value := range values {
			line += fmt.Sprintf("%v|", value)
		}
		found = append(found, line)
	}
	for _, field := range rows.FieldDescriptions() {
		told = append(told, fmt.Sprint(string(field.Name), " ", field.DataTypeOID))
	}
	sort.Strings(found)
	return []interface{}{told, found, string(rows.CommandTag())}, rows.Err()
}

func main() {
	port, _ := strconv.Atoi(os.Args[2])
	for _, how := range []string{"", " simple", " described"} {
		config, err := pgx.ParseConfig(fmt.Sprintf("host=%s user=%s dbname=%s sslmode=disable", os.Args[1], os.Args[3], os.Args[4]))
		if err != nil {
			panic(err)
		}
		config.Port = uint16(port)
		config.PreferSimpleProtocol = how == " simple"
		if how == " described" {
			config.RuntimeParams["application_name"] = "described"
			config.BuildStatementCache = nil
		}
		db, err := pgx.ConnectConfig(ctx, config)
		if err != nil {
			panic(err)
		}
		name := func(name string) string { return name + how }
		step(name("select"), func() (interface{}, error) {
			return read(db.Query(ctx, "SELECT order_id::int AS order_id, status FROM orders WHERE order_id < $1", 4))
		})
		step(name("types"), func() (interface{}, error) {
			return read(db.Query(ctx, `SELECT 1::smallint, 2, 3::bigint, 1.5::real, 2.5::float8, true, 'x'::varchar(5), 'y'::text, DATE '2024-02-29',
				TIMESTAMP '2024-02-29 12:00', '\x00ff'::bytea, '{"a":1}'::jsonb, NULL`))
		})
		step(name("scan"), func() (interface{}, error) {
			var n int
			var w *string
			var at time.Time
			var list []int32
			var texts []string
			var raw []byte
			var document map[string]interface{}
			err := db.QueryRow(ctx, `SELECT 5, NULL::text, TIMESTAMP '2024-01-01', ARRAY[1,2], ARRAY['x','y z'], '\x00ff'::bytea, '{"a":[1]}'::jsonb`).
				Scan(&n, &w, &at, &list, &texts, &raw, &document)
			return []interface{}{n, w, at.UTC().Format(time.RFC3339), list, texts, raw, document}, err
		})
		step(name("parameters"), func() (interface{}, error) {
			return read(db.Query(ctx, "SELECT $1::int + 1, $2::text, $3::float8, $4::boolean, $5::bigint, $6::int[], $7::text[], $8::jsonb",
				7, "it's", 1.5, true, int64(1)<<40, []int32{1, 2}, []string{"a", "b c"}, map[string]int{"x": 1}))
		})
		if how == "" {
			step("batch", func() (interface{}, error) {
				batch := &pgx.Batch{}
				batch.Queue("SELECT 1::int")
				batch.Queue("SELECT $1::int * 2", 4)
				batch.Queue("SELECT 'x'")
				results := db.SendBatch(ctx, batch)
				defer results.Close()
				found := []interface{}{}
				for at := 0; at < 3; at++ {
					one, err := read(results.Query())
					if err != nil {
						return nil, err
					}
					found = append(found, one)
				}
				return found, nil
			})
			step("batch with an error", func() (interface{}, error) {
				batch := &pgx.Batch{}
				batch.Queue("SELECT 1::int")
				batch.Queue("SELECT 1/$1::int", 0)
				batch.Queue("SELECT 2::int")
				results := db.SendBatch(ctx, batch)
				var n int
				err := results.QueryRow().Scan(&n)
				_, second := results.Exec()
				_, third := results.Exec()
				last := results.Close()
				return []interface{}{n, err, fmt.Sprint(second), fmt.Sprint(third), fmt.Sprint(last)}, nil
			})
			step("copy from", func() (interface{}, error) {
				if _, err := db.Exec(ctx, "CREATE TEMPORARY TABLE copied (n int, w text, f float8, t timestamptz, y boolean, d date, a int[])"); err != nil {
					return nil, err
				}
				rows := [][]interface{}{}
				for at := 0; at < 100; at++ {
					rows = append(rows, []interface{}{at, fmt.Sprint("w", at), float64(at) / 4, time.Unix(int64(at), 0), at%2 == 0, time.Unix(0, 0), []int32{int32(at)}})
				}
				rows = append(rows, []interface{}{nil, nil, nil, nil, nil, nil, nil})
				count, err := db.CopyFrom(ctx, pgx.Identifier{"copied"}, []string{"n", "w", "f", "t", "y", "d", "a"}, pgx.CopyFromRows(rows))
				if err != nil {
					return nil, err
				}
				found, err := read(db.Query(ctx, "SELECT count(*), sum(f), max(w), min(t) AT TIME ZONE 'UTC', max(a) FROM copied"))
				return []interface{}{count, found}, err
			})
			step("nested transactions", func() (interface{}, error) {
				tx, err := db.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.Serializable, AccessMode: pgx.ReadWrite})
				if err != nil {
					return nil, err
				}
				defer tx.Rollback(ctx)
				tx.Exec(ctx, "CREATE TEMPORARY TABLE nested (n bigint PRIMARY KEY) ON COMMIT DROP")
				inner, _ := tx.Begin(ctx)
				inner.Exec(ctx, "INSERT INTO nested VALUES (1)")
				_, failed := inner.Exec(ctx, "INSERT INTO nested VALUES (1)")
				inner.Rollback(ctx)
				told := failed.(*pgconn.PgError)
				found, err := read(tx.Query(ctx, "SELECT count(*) FROM nested"))
				return []interface{}{told.Code, told.ConstraintName, told.TableName, found}, err
			})
			step("after a change of the table", func() (interface{}, error) {
				db.Exec(ctx, "CREATE TEMPORARY TABLE changed (a int)")
				db.Exec(ctx, "INSERT INTO changed VALUES (1)")
				before, err := read(db.Query(ctx, "SELECT * FROM changed"))
				if err != nil {
					return nil, err
				}
				db.Exec(ctx, "ALTER TABLE changed ADD COLUMN b text")
				_, failed := read(db.Query(ctx, "SELECT * FROM changed"))
				after, err := read(db.Query(ctx, "SELECT * FROM changed"))
				return []interface{}{before, fmt.Sprint(failed), after}, err
			})
			step("listen", func() (interface{}, error) {
				db.Exec(ctx, "LISTEN pgx")
				db.Exec(ctx, "SELECT pg_notify('pgx', 'hello')")
				limited, stop := context.WithTimeout(ctx, 5*time.Second)
				defer stop()
				heard, err := db.WaitForNotification(limited)
				if err != nil {
					return nil, err
				}
				return heard.Payload, nil
			})
			step("an error", func() (interface{}, error) {
				_, err := db.Exec(ctx, "SELECT nothing FROM orders")
				told := err.(*pgconn.PgError)
				return []interface{}{told.Code, told.Message, told.Position}, nil
			})
		}
		if os.Args[5] == "asks" {
			step("ask "+name("in the text"), func() (interface{}, error) {
				return read(db.Query(ctx, "SELECT * FROM nl('"+question+"')"))
			})
			step("ask "+name("bound, with its own columns"), func() (interface{}, error) {
				return read(db.Query(ctx, "SELECT * FROM nl($1)", question))
			})
			step("ask "+name("another"), func() (interface{}, error) {
				return read(db.Query(ctx, "SELECT * FROM nl($1)", "how many customers are there in each country?"))
			})
			step("ask "+name("and count"), func() (interface{}, error) {
				return read(db.Query(ctx, "SELECT count(*) AS n FROM nl($1) AS t", question))
			})
			step("ask "+name("in a transaction"), func() (interface{}, error) {
				tx, err := db.Begin(ctx)
				if err != nil {
					return nil, err
				}
				defer tx.Rollback(ctx)
				return read(tx.Query(ctx, "SELECT * FROM nl($1)", question))
			})
			step("ask "+name("what has no answer"), func() (interface{}, error) {
				return read(db.Query(ctx, "SELECT * FROM nl($1)", "frobnicate the zorblax"))
			})
			if how == "" {
				step("ask in a batch", func() (interface{}, error) {
					batch := &pgx.Batch{}
					batch.Queue("SELECT 1::int")
					batch.Queue("SELECT * FROM nl($1)", question)
					batch.Queue("SELECT 2::int")
					results := db.SendBatch(ctx, batch)
					defer results.Close()
					found := []interface{}{}
					for at := 0; at < 3; at++ {
						one, err := read(results.Query())
						if err != nil {
							return nil, err
						}
						found = append(found, one)
					}
					return found, nil
				})
			}
		}
		db.Close(ctx)
	}
}
