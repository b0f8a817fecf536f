class P(HTMLParser):
    def __init__(self):
        super().__init__()
        self.stack = []
    def handle_starttag(self, tag, attrs):
        self.stack.append((tag, dict(attrs)))
    def handle_endtag(self, tag):
        top = self.stack.pop()
        print(tag, top[1])
    def handle_data(self, data):
        print(repr(data), self.stack[-1][1]['id'])
P().feed('<!DOCTYPE html><p id="a">x<b id=c>y</b></p><i>z</i>')
