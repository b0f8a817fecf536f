<html><?php function f($a, ...$b) { return "x $a[0]"; } ?>
text <?= f(1) ?>
