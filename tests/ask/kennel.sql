CREATE TABLE keepers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT, status TEXT NOT NULL);
CREATE TABLE animals (id INTEGER PRIMARY KEY, keeper_id INTEGER NOT NULL REFERENCES keepers (id), name TEXT NOT NULL,
    species TEXT NOT NULL);
CREATE TABLE checkups (id INTEGER PRIMARY KEY, animal_id INTEGER NOT NULL REFERENCES animals (id), seen_on DATE NOT NULL,
    state TEXT NOT NULL);
CREATE TABLE bills (id INTEGER PRIMARY KEY, keeper_id INTEGER NOT NULL REFERENCES keepers (id), amount NUMERIC NOT NULL,
    issued_on DATE NOT NULL, due_on DATE NOT NULL, paid_on DATE);
CREATE TABLE talks (id INTEGER PRIMARY KEY, title TEXT NOT NULL, town TEXT, ticket_price NUMERIC NOT NULL);
CREATE TABLE teams (id INTEGER PRIMARY KEY, name TEXT NOT NULL, leader_id INTEGER REFERENCES helpers (id));
CREATE TABLE helpers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, team_id INTEGER REFERENCES teams (id), first_aid BOOLEAN NOT NULL);
CREATE TABLE pens (id INTEGER PRIMARY KEY, name TEXT NOT NULL, nightly_rate NUMERIC NOT NULL);
CREATE TABLE stays (id INTEGER PRIMARY KEY, keeper_id INTEGER NOT NULL REFERENCES keepers (id),
    pen_id INTEGER NOT NULL REFERENCES pens (id), booked_on DATE NOT NULL, cancelled_on DATE);

INSERT INTO keepers VALUES
    (1, 'Ada Moss', 'York', 'active'), (2, 'Bob Ray', 'Hull', 'left'), (3, 'Cy Hart', 'York', 'active'),
    (4, 'Dee Low', 'Hull', 'active');
INSERT INTO animals VALUES
    (1, 1, 'Rex', 'dog'), (2, 1, 'Tom', 'cat'), (3, 2, 'Rex', 'dog'), (4, 3, 'Mia', 'cat'), (5, 4, 'Pip', 'rabbit'),
    (6, 3, 'Rex', 'cat');
INSERT INTO checkups VALUES
    (1, 1, '2026-01-05', 'done'), (2, 1, '2026-03-05', 'done'), (3, 3, '2026-02-01', 'planned'), (4, 3, '2026-02-11', 'done'),
    (5, 4, '2026-04-01', 'planned'), (6, 6, '2026-01-09', 'done');
INSERT INTO bills VALUES
    (1, 1, 50, '2026-01-03', '2026-02-02', '2026-01-20'), (2, 1, 60, '2026-01-20', '2026-02-19', '2026-02-19'),
    (3, 2, 70, '2026-02-05', '2026-03-07', NULL), (4, 3, 80, '2026-03-09', '2026-04-08', '2026-03-09'),
    (5, 4, 90, '2026-03-30', '2026-04-29', '2026-04-02');
INSERT INTO talks VALUES
    (1, 'Feeding', 'York', 0), (2, 'Training', 'Hull', 12), (3, 'First aid', 'Hull', 0), (4, 'Grooming', 'York', 8);
INSERT INTO teams (id, name) VALUES (1, 'Walkers'), (2, 'Feeders'), (3, 'Cleaners');
INSERT INTO helpers VALUES
    (1, 'Eli Fay', 1, 0), (2, 'Flo Gee', 1, 1), (3, 'Gus Hay', 2, 1), (4, 'Hal Ivy', 2, 0), (5, 'Ian Joy', 3, 1), (6, 'Joy Kay', 1, 1);
UPDATE teams SET leader_id = id * 2 - 1;
INSERT INTO pens VALUES (1, 'Meadow', 20), (2, 'Garden', 25), (3, 'Loft', 15);
INSERT INTO stays VALUES
    (1, 1, 1, '2026-01-01', '2026-01-01'), (2, 1, 2, '2026-01-10', '2026-02-01'), (3, 3, 1, '2026-02-01', '2026-02-20'),
    (4, 4, 3, '2026-03-01', NULL);
CREATE TABLE walks (id INTEGER PRIMARY KEY, animal_id INTEGER NOT NULL REFERENCES animals (id), walked_on DATE NOT NULL,
    duration_min INTEGER);
CREATE TABLE carts (id INTEGER PRIMARY KEY, name TEXT NOT NULL, purchase_price NUMERIC);
CREATE TABLE repairs (id INTEGER PRIMARY KEY, cart_id INTEGER NOT NULL REFERENCES carts (id), cost NUMERIC, repaired_on DATE);
INSERT INTO walks VALUES
    (1, 1, '2026-01-04', 20), (2, 1, '2026-01-05', 75), (3, 3, '2026-02-04', 60), (4, 6, '2026-02-05', 90),
    (5, 6, '2026-03-04', 29);
INSERT INTO carts VALUES (1, 'Red cart', 140), (2, 'Blue cart', 90), (3, 'Old cart', 35);
INSERT INTO repairs VALUES (1, 3, 50, '2026-01-02'), (2, 3, 45, '2026-02-02'), (3, 2, 10, '2026-03-01');
CREATE TABLE shows (id INTEGER PRIMARY KEY, animal_id INTEGER NOT NULL REFERENCES animals (id), town TEXT, outcome TEXT NOT NULL,
    held_on DATE);
CREATE TABLE inspections (id INTEGER PRIMARY KEY, pen_id INTEGER NOT NULL REFERENCES pens (id),
    inspector_id INTEGER NOT NULL REFERENCES helpers (id), score INTEGER, inspected_on DATE);
CREATE TABLE letters (id INTEGER PRIMARY KEY, keeper_id INTEGER NOT NULL REFERENCES keepers (id), price NUMERIC, word_count INTEGER);
CREATE TABLE guides (id INTEGER PRIMARY KEY, name TEXT NOT NULL, joined_on DATE NOT NULL, left_on DATE);
INSERT INTO shows VALUES
    (1, 1, 'York', 'won', '2026-01-10'), (2, 1, 'York', 'lost', '2026-02-10'), (3, 2, 'Hull', 'won', '2026-02-11'),
    (4, 3, 'Hull', 'drawn', '2026-03-01'), (5, 4, 'Hull', 'won', '2026-03-02'), (6, 5, 'York', 'lost', '2026-03-03');
INSERT INTO inspections VALUES
    (1, 1, 1, 80, '2026-01-10'), (2, 2, 1, 90, '2026-01-11'), (3, 3, 2, 60, '2026-02-11'), (4, 1, 3, 75, '2026-02-12');
INSERT INTO letters VALUES (1, 1, 10, 100), (2, 1, 30, 200), (3, 2, 12, 60);
INSERT INTO guides VALUES
    (1, 'Kit', '2021-01-01', '2024-05-01'), (2, 'Liv', '2022-01-01', '2099-05-01'), (3, 'Moe', '2023-01-01', NULL),
    (4, 'Ned', '2024-01-01', '2099-06-01');
