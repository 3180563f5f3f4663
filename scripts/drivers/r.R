# R: DBI with RPostgreSQL, and dbplyr's translation of dplyr.
suppressPackageStartupMessages({ library(DBI); library(RPostgreSQL); library(dplyr); library(dbplyr) })
told <- commandArgs(trailingOnly = TRUE)
asks <- told[5] == "asks"
connection <- dbConnect(dbDriver("PostgreSQL"), host = told[1], port = as.integer(told[2]), user = told[3], dbname = told[4])

as_text <- function(value) {
  if (is.data.frame(value)) {
    rows <- if (nrow(value)) sort(apply(as.data.frame(lapply(value, function(one) trimws(as.character(one)))), 1, paste, collapse = "|")) else character()
    value <- c(paste(names(value), vapply(value, function(one) class(one)[1], ""), collapse = ","), rows)
  }
  text <- gsub('(["\\\\])', "\\\\\\1", as.character(value))
  paste0("[", paste0('"', gsub("\n", " ", text), '"', collapse = ","), "]")
}
step <- function(name, act) {
  gave <- tryCatch(as_text(act()), error = function(error) paste0('{"error":"', gsub("[\"\n\\\\]", " ", substr(conditionMessage(error), 1, 120)), '"}'))
  cat(name, "\t", gave, "\n", sep = "")
}
query <- function(text) suppressWarnings(dbGetQuery(connection, text))
QUESTION <- "list the names of all stores"
if (dbExistsTable(connection, "r_made")) invisible(dbRemoveTable(connection, "r_made"))

step("select", function() query("SELECT order_id::int AS order_id, status FROM orders WHERE order_id < 4 ORDER BY 1"))
step("types", function() query("SELECT 1::smallint AS a, 2 AS b, 3::bigint AS c, 1.5::real AS d, 2.5::float8 AS e, 12.50::numeric(10,2) AS f, true AS g, 'x'::varchar(5) AS h, DATE '2024-02-29' AS i, TIMESTAMP '2024-02-29 12:00' AS j, NULL::text AS k"))
step("write a table", function() dbWriteTable(connection, "r_made", data.frame(n = 1:4, w = c("one", "two", NA, "it's\ttab"), f = c(1.5, NA, -2, 4), y = c(TRUE, FALSE, NA, TRUE), stringsAsFactors = FALSE), row.names = FALSE))
step("read a table", function() dbReadTable(connection, "r_made"))
step("append", function() { dbWriteTable(connection, "r_made", data.frame(n = 9L, w = "nine", f = 9, y = TRUE), append = TRUE, row.names = FALSE); query("SELECT count(*) AS n FROM r_made") })
step("tables", function() intersect(dbListTables(connection), c("r_made", "orders", "stores")) |> sort())
step("fields", function() dbListFields(connection, "r_made"))
step("exists", function() c(dbExistsTable(connection, "r_made"), dbExistsTable(connection, "r_not_made")))
step("bit by bit", function() { result <- dbSendQuery(connection, "SELECT n FROM generate_series(1, 10) n"); first <- fetch(result, 4); rest <- fetch(result, -1); info <- dbColumnInfo(result); dbClearResult(result); c(nrow(first), nrow(rest), info$name, info$Sclass) })
step("parameters", function() dbGetQuery(connection, "SELECT $1::int + 1 AS a, $2::text AS b", c(7, "it's")))
step("rows changed", function() { result <- dbSendQuery(connection, "UPDATE r_made SET f = 0 WHERE n > 2"); count <- dbGetRowsAffected(result); dbClearResult(result); count })
step("transaction", function() { dbBegin(connection); query("DELETE FROM r_made"); dbRollback(connection); query("SELECT count(*) AS n FROM r_made") })
step("an error", function() dbGetQuery(connection, "SELECT nothing FROM orders"))
step("exception", function() c(dbGetException(connection)$errorNum))
step("info", function() { info <- dbGetInfo(connection); c(info$dbname, substr(info$serverVersion, 1, 2)) })

remote <- function(name) tbl(connection, name)
PIPES <- list(
  filter = function() remote("r_made") %>% filter(n > 1, !is.na(w)) %>% select(n, w),
  mutate = function() remote("r_made") %>% mutate(m = n * 2L, u = toupper(w), c = coalesce(w, "-"), i = ifelse(f > 0, "p", "n")) %>% select(n, m, u, c, i),
  summarise = function() remote("orders") %>% group_by(status) %>% summarise(n = n(), low = min(as.numeric(order_id), na.rm = TRUE), many = n_distinct(store_id)),
  join = function() remote("orders") %>% inner_join(remote("customers"), by = "customer_id") %>% count(country),
  anti = function() remote("customers") %>% anti_join(remote("orders"), by = "customer_id") %>% summarise(n = n()),
  window = function() remote("r_made") %>% mutate(r = row_number(n), s = cumsum(n), l = lag(n, order_by = n)) %>% select(n, r),
  text = function() remote("r_made") %>% mutate(a = substr(w, 1L, 2L), b = nchar(w), c = paste0(w, "!"), d = str_detect(w, "o")) %>% select(a, b, c, d),
  dates = function() remote("orders") %>% mutate(y = year(ordered_at), m = month(ordered_at)) %>% count(y, m) %>% arrange(y, m) %>% head(3),
  floor = function() remote("orders") %>% mutate(m = floor_date(ordered_at, "month")) %>% count(m) %>% arrange(m) %>% head(2),
  cases = function() remote("r_made") %>% mutate(k = case_when(n < 2 ~ "low", n < 4 ~ "mid", TRUE ~ "high")) %>% select(n, k),
  set = function() union_all(remote("r_made") %>% select(n), remote("r_made") %>% select(n)) %>% summarise(n = n()),
  quantile = function() remote("r_made") %>% summarise(m = median(f, na.rm = TRUE), s = sd(n, na.rm = TRUE)),
  slice = function() remote("r_made") %>% slice_max(n, n = 2) %>% select(n),
  distinct = function() remote("orders") %>% distinct(status),
  `in` = function() remote("r_made") %>% filter(n %in% c(1L, 9L)) %>% select(n),
  pull = function() remote("r_made") %>% filter(w == "it's\ttab") %>% select(n)
)
for (name in names(PIPES)) step(paste("dplyr", name), function() collect(PIPES[[name]]()))
step("dplyr compute", function() { made <- remote("r_made") %>% filter(n > 2) %>% compute(name = "r_computed", temporary = TRUE); nrow(collect(made)) })
step("dplyr copy_to", function() { copy_to(connection, data.frame(a = 1:3), "r_copied", temporary = TRUE); nrow(collect(tbl(connection, "r_copied"))) })

if (asks) {
  step("ask", function() query(sprintf("SELECT * FROM nl('%s')", QUESTION)))
  step("ask in a comment", function() query(sprintf("-- nl: %s", QUESTION)))
  step("ask bound", function() dbGetQuery(connection, "SELECT * FROM nl($1)", QUESTION))
  step("ask with dplyr", function() tbl(connection, sql(sprintf("SELECT * FROM nl('%s')", QUESTION))) %>% filter(name %like% "M%") %>% collect())
}
step("remove", function() dbRemoveTable(connection, "r_made"))
invisible(dbDisconnect(connection))
