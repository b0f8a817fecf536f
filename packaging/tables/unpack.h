static size_t whittle_count(const unsigned char **from) {
  size_t n = 0;
  for (int shift = 0;; shift += 7) {
    unsigned char byte = *(*from)++;
    n |= (size_t)(byte & 127) << shift;
    if (byte < 128)
      return n;
  }
}

static void whittle_unpack(uint16_t *to, const unsigned char *from, size_t bytes) {
  for (const unsigned char *end = from + bytes; from < end;) {
    for (size_t n = whittle_count(&from); n > 0; n--, from += 2)
      *to++ = (uint16_t)(from[0] | from[1] << 8);
    size_t n = whittle_count(&from), distance = whittle_count(&from);
    for (; n > 0; n--, to++)
      *to = to[-(ptrdiff_t)distance];
  }
}
