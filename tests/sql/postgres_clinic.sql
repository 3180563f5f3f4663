-- The clinic of the validator's tests, as PostgreSQL has it; tests/it/validator/postgres.rs describes the same.
CREATE SCHEMA archive;
CREATE TYPE ward AS ENUM ('open', 'closed');
CREATE TABLE department (id integer PRIMARY KEY, name text, floor integer, kind ward);
CREATE TABLE doctor (id integer PRIMARY KEY, name text, department_id integer REFERENCES department (id),
    salary numeric(10, 2), chief_id integer REFERENCES doctor (id), active boolean);
CREATE TABLE patient (id integer PRIMARY KEY, name text NOT NULL, born date, city varchar(40), "phone number" text,
    weight double precision, tags text[], notes jsonb, token uuid UNIQUE);
CREATE TABLE visit (id integer PRIMARY KEY, patient_id integer REFERENCES patient (id),
    doctor_id integer REFERENCES doctor (id), at timestamptz, fee numeric(8, 2), length interval);
CREATE TABLE "Order" (id integer PRIMARY KEY, "group" text, "Total" numeric, "user" text);
CREATE VIEW heavy AS SELECT id, name FROM patient WHERE weight > 100;
CREATE TABLE archive.visit_log (id integer PRIMARY KEY, visit_id integer REFERENCES visit (id), note text);
