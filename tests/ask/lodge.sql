-- A lodge whose books ended long ago: whom each of the staff reports to, rooms, stays that begin and end, what was paid and paid back.
CREATE TABLE staff (
    staff_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    supervisor_id INTEGER REFERENCES staff (staff_id),
    salary INTEGER NOT NULL,
    phone TEXT
);
CREATE TABLE guests (
    guest_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT,
    born_on DATE,
    country TEXT NOT NULL
);
CREATE TABLE rooms (
    room_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    price INTEGER NOT NULL,
    available BOOLEAN NOT NULL,
    beds INTEGER NOT NULL
);
CREATE TABLE bookings (
    booking_id INTEGER PRIMARY KEY,
    guest_id INTEGER NOT NULL REFERENCES guests (guest_id),
    room_id INTEGER NOT NULL REFERENCES rooms (room_id),
    booked_on DATE NOT NULL
);
CREATE TABLE payments (
    payment_id INTEGER PRIMARY KEY,
    booking_id INTEGER NOT NULL REFERENCES bookings (booking_id),
    amount INTEGER NOT NULL,
    method TEXT NOT NULL,
    paid_at TIMESTAMP NOT NULL
);
CREATE TABLE refunds (
    refund_id INTEGER PRIMARY KEY,
    payment_id INTEGER NOT NULL REFERENCES payments (payment_id),
    amount INTEGER NOT NULL,
    refunded_on DATE NOT NULL
);
CREATE TABLE inspections (
    inspection_id INTEGER PRIMARY KEY,
    room_id INTEGER NOT NULL REFERENCES rooms (room_id),
    inspected_on DATE NOT NULL
);
CREATE TABLE contracts (
    contract_id INTEGER PRIMARY KEY,
    guest_id INTEGER NOT NULL REFERENCES guests (guest_id),
    start_date DATE NOT NULL,
    end_date DATE,
    value INTEGER NOT NULL
);
INSERT INTO staff VALUES
    (1, 'Ann Lee', NULL, 50000, '0701'), (2, 'Ben Orr', 1, 52000, NULL), (3, 'Cleo Ure', 1, 31000, '0703'),
    (4, 'Dov Pike', 2, 30000, NULL), (5, 'Eva Tate', 2, 33000, '0705'), (6, 'Finn Noll', 2, 54000, NULL), (7, 'Gwen Reed', 3, 28000, '0707');
INSERT INTO guests VALUES
    (1, 'Hal Stone', 'hal@mail.test', '1984-02-01', 'Spain'), (2, 'Ida Quill', NULL, '1991-07-30', 'Italy'),
    (3, 'Jon Marsh', 'jon@mail.test', '1979-12-31', 'Spain'), (4, 'Kay Wells', NULL, '1989-05-05', 'Norway'), (5, 'Leo Ward', 'leo@mail.test', NULL, 'Italy');
INSERT INTO rooms VALUES
    (1, 'Oak', 'double', 120, 1, 3), (2, 'Elm', 'single', 60, 0, 1), (3, 'Fir', 'suite', 250, 0, 5), (4, 'Ash', 'double', 90, 1, 2), (5, 'Yew', 'single', 75, 1, 4);
INSERT INTO bookings VALUES
    (1, 1, 1, '2022-03-01'), (2, 1, 2, '2022-11-12'), (3, 2, 3, '2023-03-04'), (4, 3, 1, '2023-04-20'), (5, 1, 4, '2023-04-28'), (6, 4, 5, '2023-05-09');
INSERT INTO payments VALUES
    (1, 1, 300, 'card', '2022-03-05 09:30:00'), (2, 2, 80, 'cash', '2022-11-14 23:10:00'), (3, 3, 500, 'card', '2023-03-09 04:05:00'),
    (4, 4, 120, 'transfer', '2023-04-25 13:00:00'), (5, 5, 90, 'card', '2023-05-02 18:45:00');
INSERT INTO refunds VALUES (1, 1, 50, '2022-04-01'), (2, 3, 110, '2023-04-02');
INSERT INTO inspections VALUES (1, 1, '2023-06-01'), (2, 2, '2024-02-10'), (3, 1, '2024-08-15'), (4, 4, '2025-01-20');
INSERT INTO contracts VALUES
    (1, 1, '2022-01-01', '2022-12-31', 900), (2, 2, '2022-06-01', NULL, 700), (3, 3, '2023-05-01', '2023-06-30', 650), (4, 4, '2023-05-20', NULL, 400);
