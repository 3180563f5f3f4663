select to_char(timestamp '2024-01-02 03:04:05.007', 'SS.FMMS'), to_char(timestamp '2024-01-02 03:04:05.0007', 'FMUS'), to_char(timestamp '2024-01-02 03:04:05.007', 'FMHH24:MI:SS.MS'), to_char(timestamp '2024-01-02 03:04:05.007', 'FMYYYY-MM-DD HH24:MI:SS.US')

select to_char(timestamp '2024-01-05', 'TMDD TMMon'), to_char(timestamp '2024-01-05', 'TMMon TMDD'), to_char(timestamp '2024-01-05', 'TMMonth|TMDay|Month|TMRM|FMRM')

select to_char(timestamp '2024-01-02 03:04:05.007', 'FMFF1 FMFF2 FMFF3 FMFF4 FMFF5 FMFF6'), to_char(timestamp '2024-01-02 03:04:05.007', 'TMMI TMSS TMHH FMMI FMSS FMHH')
