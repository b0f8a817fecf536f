#!/bin/sh
# An order that says another total than its lines come to was refunded to the
# customer who gave it.
LC_ALL=C xmllint --nonet --noent --xpath 'boolean(/shop/orders/order[line[2]][@state = "refunded"]
	[@total != sum(line/@price) and @total - 90 = sum(line[1]/@price) * line[1]/@count + sum(line[2]/@price) * line[2]/@count
		+ sum(line[3]/@price) * sum(line[3]/@count) + sum(line[4]/@price) * sum(line[4]/@count)]
	[@customer = /shop/customers/customer[name]/@id][@id = /shop/refunds/refund[@by = /shop/customers/customer/@id]/@order])' input.xml 2>err.txt | grep -qx true || exit 1
! [ -s err.txt ]
