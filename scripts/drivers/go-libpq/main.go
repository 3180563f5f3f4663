// lib/pq: database/sql, arrays, COPY, LISTEN, errors, and questions.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"time"

	"github.com/lib/pq"
)

const question = "list the names of all stores"

func step(name string, act func() (interface{}, error)) {
	gave, err := act()
	if err != nil {
		if told, ok := err.(*pq.Error); ok {
			gave = map[string]string{"error": string(told.Code)}
		} else {
			gave = map[string]string{"error": err.Error()}
		}
	}
	line, _ := json.Marshal(gave)
	fmt.Printf("%s\t%s\n", name, line)
}

type queries interface {
	Query(string, ...interface{}) (*sql.Rows, error)
}

func all(db queries, text string, values ...interface{}) (interface{}, error) {
	rows, err := db.Query(text, values...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names, _ := rows.Columns()
	types, _ := rows.ColumnTypes()
	told := []string{}
	for at, ty := range types {
		told = append(told, names[at]+" "+ty.DatabaseTypeName())
	}
	found := [][]interface{}{}
	for rows.Next() {
		row := make([]interface{}, len(names))
		for at := range row {
			row[at] = new(interface{})
		}
		if err := rows.Scan(row...); err != nil {
			return nil, err
		}
		for at := range row {
			value := *(row[at].(*interface{}))
			if bytes, ok := value.([]byte); ok {
				value = string(bytes)
			}
			row[at] = value
		}
		found = append(found, row)
	}
	return []interface{}{told, found}, rows.Err()
}

// The rows of an answer that came as one value each.
func whole(db queries, words string) ([]string, error) {
	rows, err := db.Query("SELECT * FROM nl($1)", words)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := []string{}
	for rows.Next() {
		var bytes []byte
		if err := rows.Scan(&bytes); err != nil {
			return nil, err
		}
		var row struct{ Name string }
		if err := json.Unmarshal(bytes, &row); err != nil {
			return nil, err
		}
		found = append(found, row.Name)
	}
	sort.Strings(found)
	return found, rows.Err()
}

func main() {
	url := fmt.Sprintf("host=%s port=%s user=%s dbname=%s sslmode=disable", os.Args[1], os.Args[2], os.Args[3], os.Args[4])
	for _, how := range []string{"", " binary_parameters=yes"} {
		db, err := sql.Open("postgres", url+how)
		if err != nil {
			panic(err)
		}
		db.SetMaxOpenConns(3)
		name := func(name string) string { return name + how }
		step(name("select"), func() (interface{}, error) {
			return all(db, "SELECT order_id::bigint AS order_id, status FROM orders WHERE order_id < $1 ORDER BY 1", 4)
		})
		step(name("types"), func() (interface{}, error) {
			return all(db, `SELECT 1::smallint, 2, 3::bigint, 1.5::real, 2.5::float8, 12.50::numeric(10,2), true, 'x'::varchar(5), 'y'::text,
				DATE '2024-02-29', TIME '01:02:03', TIMESTAMP '2024-02-29 12:00', TIMESTAMPTZ '2024-02-29 12:00+00', '\x00ff'::bytea,
				'{"a":1}'::json, '{1,2}'::int[], '3f2b7c62-0000-4000-8000-000000000001'::uuid, NULL`)
		})
		step(name("parameters"), func() (interface{}, error) {
			return all(db, "SELECT $1::int, $2::text, $3::float8, $4::boolean, $5::timestamptz, $6::bytea, $7::int[], $8::text[]",
				7, "it's", 1.5, true, time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC), []byte{0, 255}, pq.Array([]int64{1, 2}), pq.Array([]string{"a", "b c"}))
		})
		step(name("a struct"), func() (interface{}, error) {
			var n int
			var w sql.NullString
			var at pq.NullTime
			var list []string
			err := db.QueryRow("SELECT 5, NULL::text, TIMESTAMP '2024-01-01', ARRAY['x', 'y']").Scan(&n, &w, &at, pq.Array(&list))
			return []interface{}{n, w, at.Time.Format(time.RFC3339), list}, err
		})
		step(name("a prepared statement"), func() (interface{}, error) {
			prepared, err := db.Prepare("SELECT $1::int * 2 AS n")
			if err != nil {
				return nil, err
			}
			defer prepared.Close()
			found := []int{}
			for at := 0; at < 4; at++ {
				var n int
				if err := prepared.QueryRow(at).Scan(&n); err != nil {
					return nil, err
				}
				found = append(found, n)
			}
			return found, nil
		})
		step(name("a transaction with COPY"), func() (interface{}, error) {
			tx, err := db.Begin()
			if err != nil {
				return nil, err
			}
			defer tx.Rollback()
			if _, err := tx.Exec("CREATE TEMPORARY TABLE gone (n int, w text, t timestamptz) ON COMMIT DROP"); err != nil {
				return nil, err
			}
			in, err := tx.Prepare(pq.CopyIn("gone", "n", "w", "t"))
			if err != nil {
				return nil, err
			}
			for at := 0; at < 100; at++ {
				if _, err := in.Exec(at, fmt.Sprint("w", at), time.Unix(int64(at), 0)); err != nil {
					return nil, err
				}
			}
			if _, err := in.Exec(); err != nil {
				return nil, err
			}
			if err := in.Close(); err != nil {
				return nil, err
			}
			return all(tx, "SELECT count(*), sum(n), max(w) FROM gone")
		})
		step(name("savepoints"), func() (interface{}, error) {
			tx, err := db.Begin()
			if err != nil {
				return nil, err
			}
			defer tx.Rollback()
			tx.Exec("CREATE TEMPORARY TABLE saved (n bigint PRIMARY KEY) ON COMMIT DROP")
			tx.Exec("INSERT INTO saved VALUES (1)")
			tx.Exec("SAVEPOINT s")
			_, err = tx.Exec("INSERT INTO saved VALUES (1)")
			told := err.(*pq.Error)
			tx.Exec("ROLLBACK TO s")
			found, err := all(tx, "SELECT * FROM saved")
			return []interface{}{told.Code.Name(), told.Constraint, told.Table, told.Detail, found}, err
		})
		step(name("isolation"), func() (interface{}, error) {
			tx, err := db.BeginTx(context.Background(), &sql.TxOptions{Isolation: sql.LevelSerializable, ReadOnly: true})
			if err != nil {
				return nil, err
			}
			defer tx.Rollback()
			_, err = tx.Exec("CREATE TABLE never (n int)")
			return fmt.Sprint(err), nil
		})
		step(name("a context that ends"), func() (interface{}, error) {
			ctx, stop := context.WithTimeout(context.Background(), 300*time.Millisecond)
			defer stop()
			_, err := db.ExecContext(ctx, "SELECT count(*) FROM orders a, orders b, orders c")
			if told, ok := err.(*pq.Error); ok {
				return string(told.Code), nil
			}
			return fmt.Sprint(err), nil
		})
		step(name("several results"), func() (interface{}, error) {
			rows, err := db.Query("SELECT 1 AS a; SELECT 2 AS b, 3 AS c")
			if err != nil {
				return nil, err
			}
			defer rows.Close()
			found := []interface{}{}
			for {
				names, _ := rows.Columns()
				found = append(found, names)
				for rows.Next() {
				}
				if !rows.NextResultSet() {
					return found, rows.Err()
				}
			}
		})
		if os.Args[5] == "asks" {
			step("ask "+name("in the text"), func() (interface{}, error) {
				return all(db, "SELECT * FROM nl('"+question+"') ORDER BY 1")
			})
			step("ask "+name("with a value"), func() (interface{}, error) {
				return all(db, "-- nl: how many customers are there with the country $1?", "Germany")
			})
			if how == "" {
				step("ask bound", func() (interface{}, error) { return whole(db, question) })
				step("ask bound in a transaction", func() (interface{}, error) {
					tx, err := db.Begin()
					if err != nil {
						return nil, err
					}
					defer tx.Rollback()
					return whole(tx, question)
				})
				step("ask what has no answer", func() (interface{}, error) { return whole(db, "frobnicate the zorblax") })
			} else {
				step("ask bound, with its own columns", func() (interface{}, error) {
					return all(db, "SELECT * FROM nl($1) ORDER BY 1", question)
				})
			}
			step("ask "+name("and count"), func() (interface{}, error) {
				return all(db, "SELECT count(*) AS n FROM nl($1)", question)
			})
			step("ask "+name("a prepared statement"), func() (interface{}, error) {
				prepared, err := db.Prepare("SELECT * FROM nl($1)")
				if err != nil {
					return nil, err
				}
				defer prepared.Close()
				found := []int{}
				for _, words := range []string{question, "how many orders are there?", question} {
					rows, err := prepared.Query(words)
					if err != nil {
						return nil, err
					}
					count := 0
					for rows.Next() {
						count++
					}
					found = append(found, count)
					rows.Close()
				}
				return found, nil
			})
		}
		db.Close()
	}
	step("listen", func() (interface{}, error) {
		listener := pq.NewListener(url, time.Second, time.Second, nil)
		defer listener.Close()
		if err := listener.Listen("go"); err != nil {
			return nil, err
		}
		db, _ := sql.Open("postgres", url)
		defer db.Close()
		db.Exec("SELECT pg_notify('go', 'hello')")
		select {
		case heard := <-listener.Notify:
			return heard.Extra, nil
		case <-time.After(5 * time.Second):
			return "nothing", nil
		}
	})
}
