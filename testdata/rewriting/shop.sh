#!/bin/sh
python3 shop.py 2>&1 | grep -q 'ZeroDivisionError: division by zero'
