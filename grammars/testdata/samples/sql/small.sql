SELECT a, count(*) FROM t LEFT JOIN u ON t.x = u.x WHERE b > 1 GROUP BY a; -- c
INSERT INTO t VALUES (1, 'x');
