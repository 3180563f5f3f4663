-- A clinic as grown databases are: camel case, abbreviations, composite keys, spaces and reserved words in names,
-- keys that nobody declared, dates as text, codes for words.
CREATE TABLE tblDoctors (
    DocID     INTEGER PRIMARY KEY,
    docFName  VARCHAR(30),
    docLName  VARCHAR(30),
    specialty VARCHAR(40),
    DeptCode  CHAR(3),
    hireDt    TEXT,
    annualSal NUMERIC
);
CREATE TABLE Dept (
    DeptCode CHAR(3) PRIMARY KEY,
    DeptName VARCHAR(40),
    bldgNo   INTEGER
);
CREATE TABLE Patients (
    PatNo           INTEGER PRIMARY KEY,
    "full name"     TEXT,
    sex             CHAR(1), -- F or M
    "date of birth" TEXT,
    town            TEXT,
    insured         BOOLEAN,
    wtKg            REAL,    -- weight in kilograms
    "group"         TEXT     -- blood group
);
CREATE TABLE Wards (
    WardNo    INTEGER,
    floor     INTEGER,
    "ward name" TEXT,
    beds      INTEGER,
    PRIMARY KEY (WardNo, floor)
);
CREATE TABLE Admissions (
    admId    INTEGER PRIMARY KEY,
    PatNo    INTEGER REFERENCES Patients (PatNo),
    WardNo   INTEGER,
    floor    INTEGER,
    admDate  TEXT,
    disDate  TEXT,
    FOREIGN KEY (WardNo, floor) REFERENCES Wards (WardNo, floor)
);
CREATE TABLE Visits (
    VisitID   INTEGER PRIMARY KEY,
    PatNo     INTEGER,
    DocID     INTEGER,
    visitDate TEXT,
    fee       NUMERIC,
    diagnosis TEXT
);
CREATE TABLE Drugs (
    drugCode TEXT PRIMARY KEY,
    drugName TEXT,
    unitPrice NUMERIC
);
CREATE TABLE Prescriptions (
    VisitID  INTEGER REFERENCES Visits (VisitID),
    drugCode TEXT REFERENCES Drugs (drugCode),
    qty      INTEGER,
    PRIMARY KEY (VisitID, drugCode)
);

INSERT INTO Dept VALUES ('CAR', 'Cardiology', 1), ('NEU', 'Neurology', 2), ('PED', 'Paediatrics', 2), ('ONC', 'Oncology', 3);
INSERT INTO tblDoctors VALUES
    (1, 'Amara', 'Okafor', 'heart surgery', 'CAR', '2009-04-01', 142000),
    (2, 'Bela', 'Nagy', 'epilepsy', 'NEU', '2015-09-15', 118500),
    (3, 'Chen', 'Wei', 'stroke', 'NEU', '2019-01-07', 99000),
    (4, 'Dora', 'Lind', 'newborns', 'PED', '2021-06-30', 87500),
    (5, 'Emil', 'Haas', 'heart rhythm', 'CAR', '2018-03-12', 121000);
INSERT INTO Patients VALUES
    (100, 'Freya Stone', 'F', '1984-02-29', 'Norwich', 1, 61.5, 'A+'),
    (101, 'Gus Miller', 'M', '1951-11-03', 'Ely', 1, 88.2, '0-'),
    (102, 'Hana Sato', 'F', '2012-07-19', 'Norwich', 0, 38.0, 'B+'),
    (103, 'Ivor Price', 'M', '1977-05-05', 'Cromer', 1, 95.4, 'A+'),
    (104, 'Jo Baker', 'F', '1990-12-24', 'Ely', 0, NULL, '0+'),
    (105, 'Kit Rowe', 'M', '2020-01-31', 'Norwich', 1, 15.1, 'AB-'),
    (106, 'Lena Frost', 'F', '1968-08-08', 'Thetford', 1, 70.0, '0+');
INSERT INTO Wards VALUES (1, 1, 'Harbour', 12), (1, 2, 'Lighthouse', 20), (2, 1, 'Meadow', 8), (2, 2, 'Orchard', 16);
INSERT INTO Admissions VALUES
    (1, 100, 1, 1, '2023-03-01', '2023-03-09'),
    (2, 101, 1, 2, '2023-05-20', '2023-06-02'),
    (3, 101, 1, 1, '2024-01-15', '2024-01-20'),
    (4, 103, 2, 2, '2024-02-10', NULL),
    (5, 105, 2, 1, '2024-02-28', '2024-03-01');
INSERT INTO Visits VALUES
    (1, 100, 1, '2023-02-20', 120, 'arrhythmia'),
    (2, 101, 1, '2023-05-11', 120, 'angina'),
    (3, 101, 5, '2023-12-30', 95, 'angina'),
    (4, 102, 4, '2024-01-08', 60, 'asthma'),
    (5, 103, 2, '2024-02-02', 150, 'migraine'),
    (6, 103, 3, '2024-02-09', 180, 'stroke'),
    (7, 105, 4, '2024-02-27', 60, 'asthma'),
    (8, 100, 5, '2024-04-16', 95, 'arrhythmia'),
    (9, 106, 2, '2024-06-01', 150, 'migraine');
INSERT INTO Drugs VALUES ('ASP', 'Aspirin', 3.2), ('BET', 'Betaloc', 14.75), ('SAL', 'Salbutamol', 9.9), ('SUM', 'Sumatriptan', 22.4), ('ZOL', 'Zoltec', 40);
INSERT INTO Prescriptions VALUES (1, 'BET', 2), (2, 'ASP', 4), (2, 'BET', 1), (3, 'ASP', 2), (4, 'SAL', 1), (5, 'SUM', 3), (6, 'ASP', 1), (7, 'SAL', 2), (9, 'SUM', 1);
