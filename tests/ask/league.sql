-- A league: clubs that meet at home and away, players that change clubs, trainers who report to each other, kit that is sent out.
CREATE TABLE clubs (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
CREATE TABLE trainers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, job TEXT NOT NULL, club_id INTEGER REFERENCES clubs (id),
    supervisor_id INTEGER REFERENCES trainers (id), certified_until DATE);
CREATE TABLE players (id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, club_id INTEGER REFERENCES clubs (id), position TEXT NOT NULL);
CREATE TABLE fixtures (id INTEGER PRIMARY KEY, home_club_id INTEGER NOT NULL REFERENCES clubs (id),
    away_club_id INTEGER NOT NULL REFERENCES clubs (id), kickoff DATE NOT NULL);
CREATE TABLE transfers (id INTEGER PRIMARY KEY, player_id INTEGER NOT NULL REFERENCES players (id),
    from_club_id INTEGER REFERENCES clubs (id), to_club_id INTEGER REFERENCES clubs (id), moved_on DATE NOT NULL, fee INTEGER NOT NULL);
CREATE TABLE lessons (id INTEGER PRIMARY KEY, trainer_id INTEGER NOT NULL REFERENCES trainers (id), held_on DATE NOT NULL,
    hours NUMERIC NOT NULL, kind TEXT NOT NULL, done BOOLEAN NOT NULL);
CREATE TABLE crates (code TEXT PRIMARY KEY, weight INTEGER NOT NULL);
CREATE TABLE deliveries (id INTEGER PRIMARY KEY, title TEXT NOT NULL, club_id INTEGER NOT NULL REFERENCES clubs (id), way TEXT NOT NULL,
    has_insurance BOOLEAN NOT NULL, starts_on DATE, driver_id INTEGER REFERENCES trainers (id), stops INTEGER NOT NULL DEFAULT 1);
CREATE TABLE balls (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, bought_on DATE NOT NULL, status TEXT NOT NULL);
CREATE TABLE courses (id INTEGER PRIMARY KEY, title TEXT NOT NULL, subject TEXT NOT NULL);
CREATE TABLE penalties (id INTEGER PRIMARY KEY, player_id INTEGER NOT NULL REFERENCES players (id), fine INTEGER NOT NULL);
CREATE TABLE delivery_crates (delivery_id INTEGER NOT NULL REFERENCES deliveries (id), crate_code TEXT NOT NULL REFERENCES crates (code),
    quantity INTEGER NOT NULL, PRIMARY KEY (delivery_id, crate_code));
INSERT INTO clubs VALUES (1, 'Brook Rovers', 'Brook'), (2, 'Dale Town', 'Dale'), (3, 'Firth United', 'Firth');
INSERT INTO trainers VALUES (1, 'Ada Moss', 'head', 1, NULL, date('now', 'start of month', '+1 month', '+9 days')),
    (2, 'Bo Carr', 'coach', 1, 1, date('now', '-40 days')), (3, 'Cy Dunn', 'coach', 2, 1, date('now', '+200 days')),
    (4, 'Di Eyre', 'physio', 2, 3, NULL);
INSERT INTO players VALUES (1, 'Eva Holt', 1, 'back'), (2, 'Finn Lowe', 1, 'front'), (3, 'Gil Marr', 2, 'front'), (4, 'Hal Nunn', 3, 'back'),
    (5, 'Ina Orme', 2, 'back');
INSERT INTO fixtures VALUES (1, 1, 2, '2025-03-01'), (2, 2, 3, '2025-03-08'), (3, 3, 1, '2025-03-15'), (4, 1, 3, '2025-03-22');
INSERT INTO transfers VALUES (1, 1, 2, 1, '2024-01-10', 1000), (2, 3, 1, 2, '2024-02-01', 5000), (3, 4, 1, 3, '2024-02-20', 7000),
    (4, 2, 3, 1, '2024-06-01', 3000), (5, 5, 1, 2, '2024-07-01', 2000);
INSERT INTO lessons VALUES (1, 2, date('now', 'start of month', '-1 month', '+3 days'), 2, 'drill', 1),
    (2, 2, date('now', 'start of month', '-1 month', '+5 days'), 1, 'drill', 0), (3, 3, date('now', '-100 days'), 5, 'talk', 1),
    (4, 2, date('now', '-90 days'), 1.5, 'talk', 1), (5, 3, date('now'), 1, 'talk', 0);
INSERT INTO crates VALUES ('B', 3), ('J', 10);
INSERT INTO deliveries (id, title, club_id, way, has_insurance, starts_on) VALUES (1, 'Spring', 1, 'road', 1, '2025-03-01'), (2, 'Summer', 1, 'rail', 0, '2025-06-01'),
    (3, 'Autumn', 2, 'air', 1, date('now', '+30 days')), (4, 'Winter', 3, 'rail', 1, NULL);
INSERT INTO delivery_crates VALUES (1, 'B', 20), (1, 'J', 1), (2, 'J', 2), (3, 'B', 4), (4, 'J', 3);
UPDATE deliveries SET driver_id = 2 WHERE id IN (1, 4);
UPDATE deliveries SET stops = 3 WHERE id = 2;
INSERT INTO balls VALUES (1, 'football', '2024-02-01', 'kept'), (2, 'football', '2025-02-01', 'lent'), (3, 'handball', '2025-04-01', 'kept');
INSERT INTO courses VALUES (1, 'For starters', 'Football'), (2, 'For keepers', 'Handball'), (3, 'For all', 'First aid');
INSERT INTO penalties VALUES (1, 1, 50), (2, 1, 60), (3, 2, 90), (4, 3, 20);
