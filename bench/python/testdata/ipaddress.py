hosts = ['10.0.0.1', '192.168.1.0/24', 'fe80::1%eth0', '10.0.0.256']
networks = [ip_network('10.0.0.0/8'), ip_network('192.168.0.0/16')]
for host in hosts:
    address = ip_interface(host)
    print(address, [n for n in networks if address.version == n.version and address.ip in n])
