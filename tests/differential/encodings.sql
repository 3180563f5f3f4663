SELECT convert_to('é', 'LATIN1'), convert_to('€', 'WIN1252'), convert_to('ş', 'LATIN5'), convert('\xe9', 'LATIN1', 'UTF8'), convert_from('\xe9'::bytea, 'iso_8859-1'), convert_from('\x80', 'LATIN1') = U&'\0080', convert_from('\xd6', 'koi8-r'), convert_to('é', 'UTF8'), convert_to('é', 'SQL_ASCII'), convert('é'::bytea, 'UTF8', 'LATIN9')

SELECT convert_to('€', 'LATIN1')

SELECT convert_from('\x81'::bytea, 'WIN1252')

SELECT convert_from('\xe282'::bytea, 'UTF8')

SELECT convert_from('\x00'::bytea, 'LATIN1')

SELECT convert_to('a', 'nope')
