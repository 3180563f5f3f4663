-- A warehouse as old programs keep it: short forms, heads and lines, codes that comments explain, keys that only they tell.
CREATE TABLE CUST (
    CUST_NO INTEGER PRIMARY KEY,
    COMPANY VARCHAR(40) NOT NULL,
    CITY    VARCHAR(30)
);
CREATE TABLE STAFF (
    STAFF_NO INTEGER PRIMARY KEY,
    STAFF_NM VARCHAR(40) NOT NULL
);
CREATE TABLE DEPOT (
    DEPOT_NO INTEGER PRIMARY KEY,
    DEPOT_NM VARCHAR(30) NOT NULL,
    MGR_ID   INTEGER -- STAFF
);
CREATE TABLE OUT_HDR (
    ORD_NO   INTEGER PRIMARY KEY,
    CUST_NO  INTEGER NOT NULL REFERENCES CUST(CUST_NO),
    DEPOT_NO INTEGER NOT NULL REFERENCES DEPOT(DEPOT_NO),
    ORD_DT   DATE NOT NULL,
    SHP_DT   DATE,
    RUSH     CHAR(1) NOT NULL, -- Y = rush order
    STS_CD   CHAR(3) NOT NULL  -- OPN open, SHP shipped, CAN cancelled
);
CREATE TABLE OUT_LIN (
    ORD_NO  INTEGER NOT NULL REFERENCES OUT_HDR(ORD_NO),
    LIN_NO  INTEGER NOT NULL,
    QTY_ORD INTEGER NOT NULL,
    PRIMARY KEY (ORD_NO, LIN_NO)
);
CREATE TABLE CONTR (
    CONTR_NO INTEGER PRIMARY KEY,
    CUST_NO  INTEGER NOT NULL REFERENCES CUST(CUST_NO),
    FEE_AMT  DECIMAL(9,2) NOT NULL, -- yearly fee
    SIGN_DT  DATE NOT NULL
);
INSERT INTO CUST VALUES (1, 'Alder Foods', 'Leeds'), (2, 'Birch Mills', 'York'), (3, 'Cedar Stores', 'Leeds'), (4, 'Dogwood Ltd', 'Hull');
INSERT INTO STAFF VALUES (1, 'Ida Marsh'), (2, 'Tom Reed'), (3, 'Una Clark'), (4, 'Vic Stone');
INSERT INTO DEPOT VALUES (1, 'North', 3), (2, 'South', 1), (3, 'Harbour', 2);
INSERT INTO OUT_HDR VALUES
    (101, 1, 1, '2025-01-10', '2025-01-12', 'N', 'SHP'), (102, 1, 2, '2025-01-20', '2025-01-21', 'Y', 'SHP'),
    (103, 2, 1, '2025-02-03', '2025-02-10', 'N', 'SHP'), (104, 3, 3, '2025-02-14', NULL, 'N', 'CAN'),
    (105, 3, 1, '2025-03-01', '2025-03-02', 'Y', 'SHP'), (106, 1, 2, '2025-03-09', NULL, 'N', 'OPN'),
    (107, 2, 3, '2025-03-20', NULL, 'N', 'OPN'), (108, 1, 1, '2025-03-22', '2025-03-30', 'N', 'SHP');
INSERT INTO OUT_LIN VALUES (101, 1, 4), (101, 2, 10), (102, 1, 7), (103, 1, 2), (104, 1, 9), (105, 1, 1), (106, 1, 12), (107, 1, 3), (108, 1, 5);
INSERT INTO CONTR VALUES (1, 1, 1200, '2023-04-01'), (2, 2, 800, '2024-01-15'), (3, 1, 300, '2024-06-01'), (4, 3, 950, '2024-09-30');
