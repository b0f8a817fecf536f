for line in ['cp -r "a b" c', "echo 'it''s' # done", 'echo "open']:
    words = shlex(line, posix=True)
    words.whitespace_split = True
    words.commenters = '#'
    print(list(words))
