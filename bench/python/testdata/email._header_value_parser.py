for text in ['a@b.c', '"J. Doe" <j@d.org>, x@y.z', 'group: a@b, c@d;', 'J <a@']:
    token, rest = get_address_list(text)
    print(token.all_mailboxes)
print(get_mailbox('x <'))
