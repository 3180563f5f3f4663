CREATE TABLE coaches (id INTEGER PRIMARY KEY, name TEXT NOT NULL, nationality TEXT, quit_on DATE,
    boss_id INTEGER REFERENCES coaches (id), mobile TEXT);
CREATE TABLE members (id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT, sex TEXT, birthday DATE, sponsor TEXT, died_on DATE,
    joined_on DATE NOT NULL);
CREATE TABLE courses (id INTEGER PRIMARY KEY, title TEXT NOT NULL, coach_id INTEGER REFERENCES coaches (id), language TEXT,
    places INTEGER, waiting INTEGER NOT NULL);
CREATE TABLE enrolments (id INTEGER PRIMARY KEY, member_id INTEGER NOT NULL REFERENCES members (id),
    course_id INTEGER NOT NULL REFERENCES courses (id), enrolled_on DATE NOT NULL, price NUMERIC);
CREATE TABLE bills (id INTEGER PRIMARY KEY, member_id INTEGER NOT NULL REFERENCES members (id), amount NUMERIC, issued DATE,
    due DATE, settled INTEGER NOT NULL);
CREATE TABLE lockers (id INTEGER PRIMARY KEY, room TEXT, member_id INTEGER REFERENCES members (id), rented_on DATE, due_back DATE,
    returned DATE);
CREATE TABLE saunas (id INTEGER PRIMARY KEY, name TEXT NOT NULL, lease_end DATE, out_of_service BOOLEAN NOT NULL);
CREATE TABLE kayaks (id INTEGER PRIMARY KEY, name TEXT NOT NULL, daily_fee NUMERIC, purchase_price NUMERIC, in_use BOOLEAN NOT NULL,
    under_repair BOOLEAN NOT NULL, insured_until DATE);
CREATE TABLE paddles (id INTEGER PRIMARY KEY, name TEXT NOT NULL, in_stock INTEGER NOT NULL, hourly_fee NUMERIC, weekly_fee NUMERIC);
CREATE TABLE swimmers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, licensed BOOLEAN NOT NULL, licence_expires DATE);
CREATE TABLE medicals (id INTEGER PRIMARY KEY, swimmer_id INTEGER NOT NULL REFERENCES swimmers (id), doctor TEXT, valid_until DATE);
CREATE TABLE races (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
CREATE TABLE entries (id INTEGER PRIMARY KEY, swimmer_id INTEGER NOT NULL REFERENCES swimmers (id),
    race_id INTEGER NOT NULL REFERENCES races (id), entered_on DATE NOT NULL, dropped_on DATE, passed BOOLEAN);
CREATE TABLE fines (id INTEGER PRIMARY KEY, swimmer_id INTEGER NOT NULL REFERENCES swimmers (id), amount NUMERIC, due_on DATE NOT NULL,
    paid_on DATE);

INSERT INTO coaches VALUES
    (1, 'Ada Stone', 'Italian', NULL, NULL, '0701'), (2, 'Ben Meyer', 'Spanish', '2025-03-02', 1, NULL),
    (3, 'Cleo Rossi', 'Italian', NULL, 1, '0703'), (4, 'Dan Dubois', 'German', NULL, 1, NULL);
INSERT INTO members VALUES
    (1, 'Eva Novak', 'Graz', 'F', '1931-04-02', 'Acme', '2025-05-05', '2019-02-01'),
    (2, 'Finn Bauer', 'Graz', 'M', '1935-07-12', NULL, NULL, '2020-03-01'),
    (3, 'Gina Huber', 'Linz', 'F', '2018-01-30', 'Globex', NULL, '2021-04-01'),
    (4, 'Hugo Gruber', 'Graz', 'M', '2017-09-09', NULL, NULL, '2022-05-01'),
    (5, 'Ida Moser', 'Wels', 'F', '1938-11-23', 'Acme', NULL, '2023-06-01');
INSERT INTO courses VALUES
    (1, 'Rowing', 1, 'German', 12, 0), (2, 'Judo', 1, 'Italian', 10, 4), (3, 'Chess', 2, 'German', 20, 0),
    (4, 'Yoga', 3, 'English', 15, 1);
INSERT INTO enrolments VALUES
    (1, 1, 1, '2025-01-10', 40), (2, 2, 1, '2025-01-11', 40), (3, 2, 2, '2025-02-01', 55), (4, 3, 3, '2025-02-03', 20),
    (5, 4, 4, '2025-03-07', 30), (6, 5, 4, '2025-03-09', 30), (7, 5, 1, '2025-04-01', 40);
INSERT INTO bills VALUES
    (1, 1, 120, '2025-01-31', '2025-02-28', 1), (2, 1, 80, '2025-02-28', '2025-03-31', 0),
    (3, 2, 200, '2025-01-31', '2025-02-28', 1), (4, 3, 60, '2025-03-31', '2025-04-30', 0),
    (5, 4, 90, '2025-03-31', '2025-04-30', 1);
INSERT INTO lockers VALUES
    (1, 'A', 1, '2025-01-02', '2025-02-02', '2025-01-30'), (2, 'A', 2, '2025-01-05', '2025-02-05', NULL),
    (3, 'B', 4, '2025-02-01', '2025-03-01', '2025-03-04'), (4, 'B', 5, '2025-02-10', '2025-03-10', '2025-03-09');
INSERT INTO saunas VALUES
    (1, 'Birch', '2021-05-01', 0), (2, 'Cedar', '2099-12-31', 1), (3, 'Larch', NULL, 0), (4, 'Maple', '2098-01-01', 0);
INSERT INTO kayaks VALUES
    (1, 'Otter', 12, 400, 1, 0, '2099-05-01'), (2, 'Heron', 130, 90, 0, 1, '2021-05-01'), (3, 'Pike', 15, 700, 0, 0, NULL),
    (4, 'Perch', 9, 80, 1, 1, '2098-05-01');
INSERT INTO paddles VALUES (1, 'Carbon', 4, 5, 120), (2, 'Wooden', 0, 2, 30), (3, 'Folding', 11, 3, 60);
INSERT INTO swimmers VALUES
    (1, 'Jo', 1, '2099-01-01'), (2, 'Kim', 0, NULL), (3, 'Lou', 1, '2021-01-01'), (4, 'Max', 1, '2098-01-01'), (5, 'Nia', 0, NULL);
INSERT INTO medicals VALUES
    (1, 1, 'Dr Bell', '2099-02-01'), (2, 1, 'Dr Bell', '2020-02-01'), (3, 2, 'Dr Carr', '2021-02-01'), (4, 4, 'Dr Bell', '2097-02-01');
INSERT INTO races VALUES (1, 'Lake mile'), (2, 'River dash'), (3, 'Night swim');
INSERT INTO entries VALUES
    (1, 1, 1, '2025-01-01', NULL, 1), (2, 1, 2, '2025-01-02', '2025-02-01', NULL), (3, 2, 2, '2025-01-03', NULL, 0),
    (4, 3, 3, '2025-01-04', '2025-02-02', NULL), (5, 4, 1, '2025-01-05', NULL, 1);
INSERT INTO fines VALUES
    (1, 1, 10, '2025-01-31', '2025-01-20'), (2, 1, 12, '2025-02-28', '2025-03-04'), (3, 2, 8, '2025-01-31', '2025-01-30'),
    (4, 2, 9, '2025-02-28', '2025-02-28'), (5, 3, 7, '2025-01-31', NULL), (6, 4, 6, '2025-01-31', '2025-02-01');
